package io.coppice.engine.status;

import java.time.Instant;
import java.util.UUID;

/// The identity of a pool.
///
/// | Component | Meaning |
/// |---|---|
/// | `id` | stable name of the pool, made when it is formatted |
/// | `formatVersion` | version of the on-disk format it was written in |
/// | `created` | when it was formatted |
/// | `recoveredRecords` | log records replayed by the open that returned this engine |
public record PoolInfo(UUID id, int formatVersion, Instant created, long recoveredRecords) {}
