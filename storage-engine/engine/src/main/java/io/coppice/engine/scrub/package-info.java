/// The scrubber: it compares everything that is stored with its checksums. Begin with [Scrubber].
/// Depends on checkpoints, the I/O of volumes and their changes.
@NullMarked
package io.coppice.engine.scrub;

import org.jspecify.annotations.NullMarked;
