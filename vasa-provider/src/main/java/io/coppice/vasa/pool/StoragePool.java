package io.coppice.vasa.pool;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.status.EngineCounters;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.status.PoolInfo;
import io.coppice.engine.status.PoolSpace;
import io.coppice.engine.status.PoolStatus;
import java.util.Optional;
import org.springframework.stereotype.Service;

/// The one pool of the array. Every method answers from memory, also while the pool serves nothing.
@Service
public final class StoragePool {

  private final StorageEngine engine;

  public StoragePool(StorageEngine engine) {
    this.engine = engine;
  }

  public PoolInfo info() {
    return engine.pool();
  }

  /// Whether I/O of volumes is served, and why not.
  public PoolStatus status() {
    return engine.status();
  }

  public PoolSpace space() {
    return engine.space();
  }

  /// Why less than the whole pool can be filled now, as a sentence; empty if all of it can.
  public Optional<String> spaceLimit() {
    return engine.spaceLimit();
  }

  /// How many snapshots nobody can delete now, because they are locked.
  public int lockedSnapshots() {
    return engine.locks().locked().size();
  }

  public EngineCounters counters() {
    return engine.counters();
  }

  /// The two devices of the pool; empty if it is kept on one.
  public Optional<MirrorStatus> mirror() {
    return engine.mirror();
  }
}
