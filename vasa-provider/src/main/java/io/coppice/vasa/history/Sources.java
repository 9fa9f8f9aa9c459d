package io.coppice.vasa.history;

import io.coppice.engine.status.PoolSpace;
import io.coppice.scsi.unit.TrafficCounts;
import io.coppice.vasa.volume.space.ContainerSpace;
import io.coppice.vasa.volume.space.MeasuredVolume;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/// The sources of what is recorded. All answer from memory.
///
/// @param traffic counters of hosts' reads and writes, by volume and by initiator
/// @param space of the pool
/// @param volumes with their space, snapshots included
/// @param containers with their space; none while the database does not answer
public record Sources(
    TrafficCounts traffic,
    Supplier<PoolSpace> space,
    Supplier<List<MeasuredVolume>> volumes,
    Supplier<Map<UUID, ContainerSpace>> containers) {}
