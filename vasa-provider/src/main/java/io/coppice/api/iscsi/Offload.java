package io.coppice.api.iscsi;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Offloaded commands of one host to one vVol.
///
/// @param name of the vVol; null if it has none
/// @param vm the virtual machine that it was stored for; null if for none
/// @param vmName that of the virtual machine's config vVol
/// @param host that has the initiator; null if none has
public record Offload(
    UUID vvol,
    @Nullable String name,
    @Nullable String vm,
    @Nullable String vmName,
    @Nullable String host,
    String initiator,
    OffloadCounts counts) {}
