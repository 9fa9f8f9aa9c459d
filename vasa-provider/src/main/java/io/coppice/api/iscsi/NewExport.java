package io.coppice.api.iscsi;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An export as a client asks for it. It names at least one initiator, host or group, and at least
/// one initiator by them.
///
/// @param initiators iSCSI names
/// @param hosts ids of hosts that an administrator made
/// @param groups ids of host groups
/// @param readOnly null: true for a snapshot, false for anything else
/// @param lun null: the next one of these initiators
/// @param force true takes a number that rests, if no session holds it; needs the role `admin`
public record NewExport(
    @Nullable UUID vvol,
    @Nullable List<String> initiators,
    @Nullable List<UUID> hosts,
    @Nullable List<UUID> groups,
    @Nullable Boolean readOnly,
    @Nullable Integer lun,
    @Nullable Boolean force) {}
