/// The journals of volumes in memory: their points, and lists of the blocks that were written over.
///
/// Entry point: [io.coppice.engine.timeline.Timeline]. Changed by the committer and by replay
/// alike, under the object's own lock; read by anyone under that lock. Depends on `format`.
@NullMarked
package io.coppice.engine.timeline;

import org.jspecify.annotations.NullMarked;
