package io.coppice.vasa.volume.bin;

import io.coppice.engine.FreedSpace;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.status.PoolSpace;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.viewer.Viewer;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Service;

/// The rounds that empty the recycle bin: of what has been there for its time, and, the longest
/// first, of what the pool needs the space of. A round purges a part of it and ends, so that
/// nothing else waits for thousands of deletions.
@Service
public final class BinRounds {

  private static final String DUE = "bin.expire";
  private static final String EARLY = "bin.purge-early";
  private static final String LOWER = "bin.lower-time";

  /// Most that one round purges.
  private static final int BATCH = 250;

  /// Most that is looked at to find space.
  private static final int CANDIDATES = 10_000;

  /// How long nothing is looked for after a round that found nothing to purge: the bin may hold
  /// much that gives nothing back, and a look at that takes its time.
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /// Bytes that the first attempt for a call without space makes free; each further one doubles it.
  private static final long FIRST_ROOM = 64L << 20;

  private static final int MOST_DOUBLINGS = 20;

  private final VolumeStore store;
  private final StorageEngine engine;
  private final RecycleBin bin;
  private final BinTimes times;
  private final BinSettings settings;
  private final OwnWork own;

  // Of housekeeping's thread, by the time that has passed.
  private Instant pausing = Instant.MIN;

  public BinRounds(
      VolumeStore store, RecycleBin bin, BinTimes times, BinSettings settings, OwnWork own) {
    this.times = times;
    this.store = store;
    this.engine = store.engine();
    this.bin = bin;
    this.settings = settings;
    this.own = own;
    store.log().relieveBy(this::makeRoom);
  }

  /// Lowers the times of containers whose moment has come.
  public void lowerTimes() {
    own.done(LOWER, times.lowerDue());
  }

  /// Purges what has been in the bin for its time, [#BATCH] at most.
  ///
  /// @return the number
  public int purgeDue() {
    Instant now = store.seen();
    int purged = 0;
    for (VolumeId id : store.bin().due(now, BATCH)) {
      try {
        if (bin.purgeDue(id, now)) {
          purged++;
          own.done(DUE, 1);
        }
      } catch (VasaException e) {
        own.failed(DUE, id.toString(), String.valueOf(e.getMessage()));
      }
    }
    return purged;
  }

  /// Bytes of the pool that are free less than the settings want; 0 and less if enough are.
  public long missing() {
    PoolSpace space = engine.space();
    long wanted = space.capacity() / 100 * settings.freePercent();
    return wanted - space.free() - space.reclaiming();
  }

  /// Purges what is in the bin longest while less of the pool is free than the settings want.
  ///
  /// @return the number
  public int makeRoomWhenLow() {
    long missing = missing();
    if (missing <= 0 || store.seen().isBefore(pausing)) {
      return 0;
    }
    int purged = purgeFor(missing);
    if (purged == 0) {
      pausing = store.seen().plus(PAUSE);
    }
    return purged;
  }

  /// For a call that was refused. The engine lets a call wait for what is being reclaimed, so that
  /// it may be repeated at once.
  private boolean makeRoom(int attempt) {
    return purgeFor(FIRST_ROOM << Math.min(attempt, MOST_DOUBLINGS)) > 0;
  }

  private int purgeFor(long bytes) {
    return Viewer.unlimited(() -> Actor.COPPICE.call(() -> purgeOldest(bytes)));
  }

  private int purgeOldest(long bytes) {
    int purged = 0;
    for (VolumeId id : oldestThatGive(bytes)) {
      if (bin.purgeIfFree(id)) {
        purged++;
        own.done(EARLY, id.toString());
      }
    }
    return purged;
  }

  /// What must go to get back so many bytes, [#BATCH] at most; none if nothing gives any back.
  private List<VolumeId> oldestThatGive(long bytes) {
    List<VolumeId> oldest = bin.oldestThatMayGo(CANDIDATES);
    if (oldest.isEmpty()) {
      return oldest;
    }
    List<VolumeId> chosen = new ArrayList<>();
    try {
      long reserved = 0;
      FreedSpace freed = engine.freedInOrder(oldest, bytes);
      for (FreedSpace.Step step : freed.steps()) {
        chosen.add(step.volume());
        reserved += engine.spaceOf(step.volume()).reserved();
        if (chosen.size() == BATCH || step.bytes() + reserved >= bytes) {
          return chosen;
        }
      }
      return freed.bytes() + reserved > 0 ? chosen : List.of();
    } catch (StorageException.NotFound | StorageException.Overtaken e) { // it changes meanwhile
      return oldest.stream().limit(1).toList();
    }
  }
}
