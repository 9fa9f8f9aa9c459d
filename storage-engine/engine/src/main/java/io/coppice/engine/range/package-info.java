/// Ranges of volumes, and what is said of each: that it is mapped, set in a bitmap, or different.
///
/// Entry point: [io.coppice.engine.range.ByteRange]. Depends on no other package.
@NullMarked
package io.coppice.engine.range;

import org.jspecify.annotations.NullMarked;
