package io.coppice.api.iscsi;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume that is served as a plain logical unit.
///
/// @param name of the volume; null if it has none
/// @param initiators all that reach it, also those of its hosts and groups
/// @param hosts ids of the hosts that it was exported to
/// @param groups ids of the host groups that it was exported to
/// @param commands lines for hosts
/// @param reachedBy initiators that have sent commands to it since it is exported to them
/// @param naa as the unit names itself to initiators (VPD page 83h)
public record PlainUnit(
    UUID vvol,
    @Nullable String name,
    String naa,
    int lun,
    String target,
    List<String> portals,
    boolean readOnly,
    List<String> initiators,
    List<UUID> hosts,
    List<UUID> groups,
    AttachCommands commands,
    List<ExportReach> reachedBy) {}
