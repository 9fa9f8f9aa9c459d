/// Snapshots: prepared, taken, reverted to, and taken on a schedule. Begin with
/// [io.coppice.vasa.volume.snapshot.Snapshots].
@NullMarked
package io.coppice.vasa.volume.snapshot;

import org.jspecify.annotations.NullMarked;
