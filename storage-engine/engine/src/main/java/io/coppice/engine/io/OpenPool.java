package io.coppice.engine.io;

import io.coppice.engine.log.Committer;
import io.coppice.engine.log.Log;
import io.coppice.engine.state.BlockChanges;
import io.coppice.engine.state.CatalogChanges;
import io.coppice.engine.state.CommitterQueries;
import io.coppice.engine.state.PoolService;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SpaceGate;
import io.coppice.engine.watch.WriteSampler;

/// The parts of a pool that is open, wired together.
///
/// @param gate admission by space
/// @param blocks applies data records
/// @param admission of changes of content
/// @param service refuses calls after the pool was closed or has failed
/// @param catalog checks and applies changes
/// @param sampler measures what is written
/// @param questions that the committer answers
public record OpenPool(
    PoolState state,
    Log log,
    Committer committer,
    SpaceGate gate,
    BlockChanges blocks,
    CatalogChanges catalog,
    BlockReads reads,
    Admission admission,
    HostIoCounters tally,
    WriteSampler sampler,
    CommitterQueries questions,
    PoolService service) {}
