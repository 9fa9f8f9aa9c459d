/// Segments: the location of stored blocks, which of them live, and which zones are free.
///
/// Entry point: [io.coppice.engine.segment.Segments]. Depends on `format`.
@NullMarked
package io.coppice.engine.segment;

import org.jspecify.annotations.NullMarked;
