package io.coppice.api.system;

import io.coppice.engine.status.EngineCounters;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.status.PoolSpace;
import io.coppice.engine.status.PoolStatus;
import io.coppice.scsi.directory.ProtocolEndpoint;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The state of the whole array.
///
/// @param status whether volumes' I/O is served, and why not
/// @param space the space of what is in the recycle bin counts as free
/// @param reclaimable the part of the free space, in bytes, that is in the recycle bin
/// @param provisioned the sum of the sizes of all volumes and snapshots, in bytes, without the
///   recycle bin
/// @param mapped bytes of those that have data, counted in each that has them; null once the pool
///   has stopped
/// @param keptBack the part of the pool's size that is not for volumes, and why, as a sentence
/// @param spaceLimit why less than the whole pool can be filled now; null if all of it can
/// @param mirror the two devices of the pool; null if it is kept on one
public record SystemState(
    UUID pool,
    Instant created,
    String version,
    Urls urls,
    PoolStatus status,
    PoolSpace space,
    long reclaimable,
    long provisioned,
    @Nullable Long mapped,
    String keptBack,
    @Nullable String spaceLimit,
    EngineCounters counters,
    @Nullable MirrorStatus mirror,
    Targets targets,
    List<String> portals,
    List<ProtocolEndpoint> protocolEndpoints) {}
