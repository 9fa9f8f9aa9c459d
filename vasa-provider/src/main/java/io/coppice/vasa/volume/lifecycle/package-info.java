/// The life cycle of virtual volumes: creation, change, deletion, queries, and recovery. Begin with
/// [io.coppice.vasa.volume.lifecycle.VirtualVolumes].
@NullMarked
package io.coppice.vasa.volume.lifecycle;

import org.jspecify.annotations.NullMarked;
