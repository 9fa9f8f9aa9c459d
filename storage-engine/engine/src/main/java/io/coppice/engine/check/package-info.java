/// The offline checker: reads a pool as the specification in [io.coppice.engine.format] says,
/// without any of the code that opens one, and says what does not agree.
///
/// Entry points: [io.coppice.engine.check.PoolChecker], and [io.coppice.engine.check.CheckCommand]
/// for the command line. It never writes. Depends on its findings, `format` and `device` only.
@NullMarked
package io.coppice.engine.check;

import org.jspecify.annotations.NullMarked;
