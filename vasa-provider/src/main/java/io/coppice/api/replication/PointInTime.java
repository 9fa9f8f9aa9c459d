package io.coppice.api.replication;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A replica: the volumes of a group as of one moment.
///
/// @param number greater than those of earlier ones
/// @param taken by the source's clock
/// @param members number of volumes
/// @param size of all of them together, in bytes
public record PointInTime(
    UUID id, long number, Instant taken, String name, List<String> tags, int members, long size) {}
