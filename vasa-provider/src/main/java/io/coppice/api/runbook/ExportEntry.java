package io.coppice.api.runbook;

import org.jspecify.annotations.Nullable;

/// The hosts that get the volumes of a replication group once they are here. A request may name
/// instead of giving ids.
///
/// @param hostGroup a host group; null if `host` is a host
/// @param host a host; null if `hostGroup` is a group
/// @param lun number of the first volume; null for the next free ones
public record ExportEntry(
    @Nullable String group,
    @Nullable String hostGroup,
    @Nullable String host,
    @Nullable Integer lun) {}
