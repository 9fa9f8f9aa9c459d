package io.coppice.api.volume;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume or snapshot that nobody seems to need any more.
///
/// @param kind `volume`, `vvol` or `snapshot`
/// @param reason why it counts as one: `noVm`, `vmGone`, `volumeGone` or `exportGone`
/// @param sentence that in words
/// @param owner who may delete it: `vcenter` or `administrator`
/// @param remedy what to do about it
/// @param vvol the id of what a snapshot was taken of, which is gone
/// @param vm the virtual machine that it was stored for
/// @param frees what its deletion gives back, in bytes; null if that is not known
public record OrphanView(
    UUID id,
    String kind,
    @Nullable String name,
    String reason,
    String sentence,
    String owner,
    String remedy,
    @Nullable UUID vvol,
    @Nullable String vm,
    UUID container,
    long size,
    @Nullable Long frees,
    Instant created) {}
