package io.coppice.api.host;

import io.coppice.api.iscsi.IscsiSession;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A host: one that vCenter brought, or one that an administrator made for exports.
///
/// @param managedBy `vcenter` or `admin`
/// @param name null for a host of vCenter
/// @param initiators iSCSI names
/// @param chap those of them that must prove a secret at login
/// @param groups ids of the groups that it is in; none for a host of vCenter
/// @param connections its open iSCSI sessions
/// @param lastSeen last VASA call; null without an open VASA session
/// @param bindings how many vVols it has bound
/// @param exports how many exports name it, itself or by a group
public record Host(
    String id,
    String managedBy,
    @Nullable String name,
    List<String> initiators,
    List<String> chap,
    List<UUID> groups,
    List<IscsiSession> connections,
    @Nullable Instant lastSeen,
    long bindings,
    long exports) {}
