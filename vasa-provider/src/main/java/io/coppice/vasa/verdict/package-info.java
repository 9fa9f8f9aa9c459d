/// The verdict on a provider: whether it is well, and if not, the worst cause with its effect and
/// remedy.
///
/// Each judge turns facts into lines of a [io.coppice.vasa.verdict.Report], so that the tool
/// `doctor`, which looks from outside, and REST, which looks from inside, use the same words. Begin
/// with [io.coppice.vasa.verdict.Verdicts].
@NullMarked
package io.coppice.vasa.verdict;

import org.jspecify.annotations.NullMarked;
