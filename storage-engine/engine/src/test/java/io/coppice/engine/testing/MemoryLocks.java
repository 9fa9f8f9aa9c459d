package io.coppice.engine.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotLocks;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.format.Change;
import io.coppice.engine.state.LockRules;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The locks of a [MemoryEngine]. Their time is the clock that its test gave: nothing survives the
/// engine, so there is nothing that a change of the clock could shorten between two opens.
public final class MemoryLocks implements SnapshotLocks {

  private final MemoryEngine engine;
  private final MemoryPool held;
  private final InstantSource clock;
  private final LockRules rules;

  MemoryLocks(MemoryEngine engine, MemoryPool held, InstantSource clock) {
    this.engine = engine;
    this.held = held;
    this.clock = clock;
    rules = new LockRules(id -> held.find(id).orElse(null), clock::instant);
  }

  void check(Change change) {
    rules.check(change);
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public Optional<Instant> lockedUntil(VolumeInfo volume) {
    return rules.lockedUntil(volume);
  }

  @Override
  public List<VolumeInfo> locked() {
    return engine.list().stream().filter(volume -> lockedUntil(volume).isPresent()).toList();
  }

  @Override
  public VolumeInfo lock(OperationId operation, VolumeId snapshot, Instant until) {
    Instant end = until.truncatedTo(ChronoUnit.SECONDS);
    Instant whole = end.equals(until) ? end : end.plusSeconds(1);
    return engine.setAttributes(operation, snapshot, Map.of(ATTRIBUTE, whole.toString()), Set.of());
  }

  @Override
  public void keep() {
    held.checkOpen();
  }
}
