/// Text for people and programs: tables, sheets of fields, JSON, YAML, sizes, times and progress,
/// and the surroundings that it is written to. What a server sent reaches a terminal through
/// [SafeText][io.coppice.cli.output.SafeText] only.
@NullMarked
package io.coppice.cli.output;

import org.jspecify.annotations.NullMarked;
