/// The stage that the measurements of the engine share: its pools, its sizes, the calls that they
/// repeat, and the disk that is counted.
@NullMarked
package io.coppice.bench.engine.stage;

import org.jspecify.annotations.NullMarked;
