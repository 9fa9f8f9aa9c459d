/// The resilver: it brings a device of a mirrored pool up to date. Begin with [Resilver]. The
/// mirror itself is in `device.mirror`. Depends on the scrubber and the superblocks.
@NullMarked
package io.coppice.engine.mirror;

import org.jspecify.annotations.NullMarked;
