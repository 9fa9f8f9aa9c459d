/// The records of volumes: their rows, their attributes in the pool, and the locks of both. Begin
/// with [io.coppice.vasa.volume.store.VolumeStore].
@NullMarked
package io.coppice.vasa.volume.store;

import org.jspecify.annotations.NullMarked;
