package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A virtual volume of a virtual machine, as far as a list of machines needs it.
///
/// @param machine id of the machine that its host stored it for
/// @param name name that its host gave it
public record VirtualMachineVolume(
    String machine,
    VolumeId id,
    UUID container,
    VolumeType type,
    long sizeInBytes,
    @Nullable String name) {}
