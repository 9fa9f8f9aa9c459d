/// The superblocks of a pool, the devices that they lie on, and the making of a pool. Begin with
/// [Superblocks]. Depends on devices and the format.
@NullMarked
package io.coppice.engine.superblock;

import org.jspecify.annotations.NullMarked;
