package io.coppice.api.iscsi;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An export of snapshots that ends by itself.
///
/// @param point the recovery point that the snapshots are of; null for none
/// @param writable whether clones of the snapshots are served
/// @param linux lines for a shell of a Linux host
/// @param esxi lines for a shell of an ESXi host
public record TemporaryExportView(
    UUID id,
    @Nullable UUID point,
    boolean writable,
    Instant created,
    Instant ends,
    String target,
    List<String> portals,
    List<TemporaryUnit> units,
    List<String> linux,
    List<String> esxi) {}
