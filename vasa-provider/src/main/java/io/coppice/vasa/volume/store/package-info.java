/// The records of volumes: their rows, their attributes in the pool, and the locks of both. Begin
/// with [io.coppice.vasa.volume.store.VolumeStore]. Used inside of `vasa.volume` only.
@NullMarked
package io.coppice.vasa.volume.store;

import org.jspecify.annotations.NullMarked;
