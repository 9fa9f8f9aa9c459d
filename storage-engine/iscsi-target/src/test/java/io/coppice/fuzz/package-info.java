/// A coverage-guided fuzzer for the target's decoders. Knows none of them: they come as
/// [io.coppice.fuzz.FuzzTarget]s from the packages that they belong to.
@NullMarked
package io.coppice.fuzz;

import org.jspecify.annotations.NullMarked;
