/// Parts of a protection policy on one line, as people write them: rules and tiers.
///
/// Begin with [io.coppice.cli.line.RuleLine]. May depend on the fields of REST and on the output.
@NullMarked
package io.coppice.cli.line;

import org.jspecify.annotations.NullMarked;
