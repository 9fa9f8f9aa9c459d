/// The engine alone, in this process, beside the raw file driven by fio on the same disk. Entry
/// point: [io.coppice.bench.engine.EngineBench].
@NullMarked
package io.coppice.bench.engine;

import org.jspecify.annotations.NullMarked;
