/// The offline checker: it reads a pool by the specification in [io.coppice.engine.format], without
/// any of the code that opens one, and reports every disagreement.
///
/// Entry points: [io.coppice.engine.check.PoolChecker], and [io.coppice.engine.check.CheckCommand]
/// for the command line. It never writes. Depends on its findings, `format` and `device` only.
@NullMarked
package io.coppice.engine.check;

import org.jspecify.annotations.NullMarked;
