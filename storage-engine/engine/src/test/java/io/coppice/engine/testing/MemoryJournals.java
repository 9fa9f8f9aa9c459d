package io.coppice.engine.testing;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.Journals;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.testing.MemoryPool.Held;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The journals of a [MemoryEngine]: a copy of the content at each point. The age of a point is
/// what the engine's clock says.
final class MemoryJournals implements Journals {

  private final MemoryEngine engine;
  private final MemoryPool held;
  private final InstantSource clock;
  private final Map<VolumeId, Kept> journals = new HashMap<>(); // guarded by the engine

  /// The points of a volume, by tier.
  private static final class Kept {
    private final Map<JournalTier, TreeMap<Instant, Held>> tiers = new HashMap<>();
    private final Map<Duration, Instant> due = new HashMap<>();
    private Instant last = Instant.EPOCH;

    private NavigableMap<Instant, Held> points() {
      NavigableMap<Instant, Held> all = new TreeMap<>();
      tiers.values().forEach(all::putAll);
      return all;
    }

    private void add(JournalTier tier, Instant moment, Held content) {
      tiers.computeIfAbsent(tier, _ -> new TreeMap<>()).put(moment, content);
    }

    private boolean isDue(JournalTier tier, Instant now) {
      long every = tier.every().toMillis();
      Instant before = due.getOrDefault(tier.every(), now);
      return now.toEpochMilli() / every > before.toEpochMilli() / every;
    }

    private void expire(Instant now) {
      tiers.forEach((tier, points) -> drop(points, now.minus(tier.keep())));
    }

    private static void drop(TreeMap<Instant, Held> points, Instant oldest) {
      while (points.size() > 1 && !points.higherKey(points.firstKey()).isAfter(oldest)) {
        points.pollFirstEntry();
      }
    }
  }

  MemoryJournals(MemoryEngine engine, MemoryPool held, InstantSource clock) {
    this.engine = engine;
    this.held = held;
    this.clock = clock;
  }

  private static Held copy(Held volume) {
    return new Held(volume.info(), volume.family(), volume.content().copy());
  }

  private Instant moment(Collection<Kept> of) {
    Instant moment = Instant.ofEpochMilli(clock.millis());
    for (Kept kept : of) {
      moment = moment.isAfter(kept.last) ? moment : kept.last.plusMillis(1);
    }
    return moment;
  }

  @Override
  public void keep(OperationId operation, VolumeId volume, List<JournalTier> tiers) {
    synchronized (engine) {
      Held of = held.volumeOf(volume);
      MemoryPool.requireWritable(of);
      Set<Object> every = new HashSet<>();
      tiers.forEach(tier -> every.add(tier.every()));
      if (of.info().reserved()
          || tiers.isEmpty()
          || tiers.size() > MOST_TIERS
          || every.size() < tiers.size()) {
        throw new StorageException.InvalidRequest("expected a thin volume and 1 to 4 tiers");
      }
      Kept kept = journals.computeIfAbsent(volume, _ -> new Kept());
      Map<JournalTier, TreeMap<Instant, Held>> before = new HashMap<>(kept.tiers);
      kept.tiers.clear();
      Instant moment = moment(List.of(kept));
      for (JournalTier tier : tiers) {
        before.forEach(
            (known, points) -> {
              if (known.every().equals(tier.every())) {
                kept.tiers.put(tier, points);
              }
            });
        if (!kept.tiers.containsKey(tier)) {
          kept.add(tier, moment, copy(of));
          kept.due.put(tier.every(), clock.instant());
          kept.last = moment;
        }
      }
    }
  }

  @Override
  public void end(OperationId operation, VolumeId volume) {
    synchronized (engine) {
      held.volumeOf(volume);
      journals.remove(volume);
    }
  }

  @Override
  public Instant cut(Collection<VolumeId> volumes) {
    synchronized (engine) {
      Map<VolumeId, Kept> of = new HashMap<>(journals);
      of.keySet().retainAll(new TreeSet<>(volumes));
      of.keySet().removeIf(id -> held.find(id).isEmpty());
      Instant moment = moment(of.values());
      of.forEach((id, kept) -> cut(id, kept, moment));
      return moment;
    }
  }

  private void cut(VolumeId volume, Kept kept, Instant moment) {
    Instant now = clock.instant();
    for (JournalTier tier : kept.tiers.keySet()) {
      if (kept.isDue(tier, now)) {
        kept.due.put(tier.every(), now);
        kept.add(tier, moment, copy(held.volumeOf(volume)));
      }
    }
    kept.last = moment;
    kept.expire(moment);
  }

  @Override
  public Optional<Instant> cutDue() {
    synchronized (engine) {
      Instant now = clock.instant();
      List<VolumeId> due =
          volumes().stream()
              .filter(id -> isDue(Objects.requireNonNull(journals.get(id)), now))
              .toList();
      return due.isEmpty() ? Optional.empty() : Optional.of(cut(due));
    }
  }

  private static boolean isDue(Kept kept, Instant now) {
    return kept.tiers.keySet().stream().anyMatch(tier -> kept.isDue(tier, now));
  }

  @Override
  public void trim(OperationId operation, Collection<VolumeId> volumes, Instant before) {
    synchronized (engine) {
      for (VolumeId id : volumes) {
        Kept kept = journals.get(id);
        if (kept != null) {
          kept.tiers.values().forEach(points -> Kept.drop(points, before));
        }
      }
    }
  }

  @Override
  public List<VolumeId> volumes() {
    synchronized (engine) {
      return journals.keySet().stream().filter(id -> held.find(id).isPresent()).toList();
    }
  }

  private Kept require(VolumeId volume) {
    held.volumeOf(volume);
    Kept kept = journals.get(volume);
    if (kept == null) {
      throw new StorageException.NotFound("volume %s has no journal".formatted(volume));
    }
    return kept;
  }

  @Override
  public Optional<JournalInfo> find(VolumeId volume) {
    synchronized (engine) {
      Kept kept = journals.get(volume);
      if (kept == null || held.find(volume).isEmpty()) {
        return Optional.empty();
      }
      NavigableMap<Instant, Held> points = kept.points();
      return Optional.of(
          new JournalInfo(
              List.copyOf(kept.tiers.keySet()),
              points.firstKey(),
              points.lastKey(),
              points.size(),
              0,
              0));
    }
  }

  @Override
  public List<Instant> points(VolumeId volume, Instant from, int most) {
    synchronized (engine) {
      checkMost(most);
      return require(volume).points().tailMap(from, true).keySet().stream().limit(most).toList();
    }
  }

  @Override
  public List<Instant> pointsBefore(VolumeId volume, Instant to, int most) {
    synchronized (engine) {
      checkMost(most);
      NavigableMap<Instant, Held> points = require(volume).points().headMap(to, true);
      return points.descendingKeySet().stream().limit(most).toList();
    }
  }

  private static void checkMost(int most) {
    if (most < 1 || most > MOST_POINTS) {
      throw new StorageException.InvalidRequest("expected 1 to 10000 points, got " + most);
    }
  }

  @Override
  public Optional<Instant> pointAt(VolumeId volume, Instant moment) {
    synchronized (engine) {
      return Optional.ofNullable(require(volume).points().floorKey(moment));
    }
  }

  private Held at(VolumeId volume, Instant point) {
    Held found = require(volume).points().get(point);
    if (found == null) {
      throw new StorageException.NotFound("volume %s has no such point".formatted(volume));
    }
    return found;
  }

  @Override
  public VolumeInfo clone(OperationId operation, CloneSpec spec, Instant point) {
    synchronized (engine) {
      Held then = at(spec.source(), point);
      held.requireAbsent(spec.id());
      VolumeInfo info =
          new VolumeInfo(
              spec.id(),
              VolumeKind.WRITABLE,
              then.sizeInBytes(),
              spec.source(),
              spec.reserved(),
              clock.instant(),
              spec.attributes());
      return held.put(new Held(info, then.family(), then.content().copy()));
    }
  }

  @Override
  public List<VolumeInfo> revert(OperationId operation, Map<VolumeId, Instant> points) {
    synchronized (engine) {
      if (points.isEmpty() || points.size() > StorageEngine.MAX_GROUP) {
        throw new StorageException.InvalidRequest("expected 1 to 256 volumes");
      }
      points.forEach(this::at);
      Instant moment = moment(points.keySet().stream().map(this::require).toList());
      List<VolumeInfo> infos = new ArrayList<>();
      points.forEach((volume, point) -> infos.add(replace(volume, at(volume, point), moment)));
      return infos;
    }
  }

  /// Brings volumes back to their snapshots. Those that have a journal get points of it.
  List<VolumeInfo> revertToSnapshots(Map<VolumeId, VolumeId> snapshots) {
    snapshots.forEach(held::requireSnapshotOf);
    Instant moment =
        moment(snapshots.keySet().stream().map(journals::get).filter(Objects::nonNull).toList());
    List<VolumeInfo> infos = new ArrayList<>();
    snapshots.forEach(
        (volume, snapshot) -> {
          held.reverted(volume);
          held.ancestry().reverted(volume, snapshot);
          infos.add(replace(volume, held.volumeOf(snapshot), moment));
        });
    return infos;
  }

  private VolumeInfo replace(VolumeId volume, Held then, Instant moment) {
    Held now = held.volumeOf(volume);
    Kept kept = journals.get(volume);
    if (kept != null) {
      kept.tiers.keySet().forEach(tier -> kept.add(tier, moment, copy(now)));
      kept.last = moment.plusMillis(1);
      kept.tiers.keySet().forEach(tier -> kept.add(tier, kept.last, copy(then)));
    }
    now.content().release();
    return held.put(
        now.with(
            then.sizeInBytes(),
            now.info().reserved(),
            now.info().attributes(),
            then.content().copy()));
  }
}
