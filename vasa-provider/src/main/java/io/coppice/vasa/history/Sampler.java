package io.coppice.vasa.history;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.status.PoolSpace;
import io.coppice.scsi.unit.Traffic;
import io.coppice.vasa.history.file.HistoryStep;
import io.coppice.vasa.history.file.Record;
import io.coppice.vasa.history.file.Row;
import io.coppice.vasa.history.file.Scale;
import io.coppice.vasa.volume.space.ContainerSpace;
import io.coppice.vasa.volume.space.MeasuredVolume;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The making of rows from counters. A row has what the counters grew by since the look before,
/// over the time that really passed. The machine's clock only names its slot.
///
/// | What happens | The row |
/// |---|---|
/// | the first look after a start | none |
/// | a look comes up to a minute late | one, with the rates of that time; the slots before are gaps |
/// | it comes later, as after a suspended machine | none, and what was counted meanwhile is left out |
/// | the counters of a volume or an initiator begin anew | counts what they show |
/// | a volume is out of reach before the look | its last traffic counts for the pool alone |
///
/// Owned by one thread.
final class Sampler {

  /// The time after which a look counts as the first one again.
  static final Duration LATEST = Duration.ofMinutes(1);

  private static final long SLOT_MILLIS = HistoryStep.TEN_SECONDS.seconds() * 1000L;
  private static final long LOOKS_PER_MINUTE = 6;
  private static final long SECONDS_PER_DAY = 86_400;
  private static final double KIB = 1024;

  private final Sources sources;
  private final KnownVolumes known;

  private Map<VolumeId, Totals> before = Map.of();
  private Map<String, Totals> initiatorsBefore = Map.of();
  private @Nullable Totals allBefore;
  private long nanosBefore;
  private long measured;
  private final Map<VolumeId, Place> places = new HashMap<>();

  Sampler(Sources sources, KnownVolumes known) {
    this.sources = sources;
    this.known = known;
  }

  /// The place and the space of a volume when it was last measured.
  private record Place(UUID container, @Nullable String machine, Stored stored) {}

  /// Space as it is recorded, in codes of [Scale]. What changes within a code is no change.
  private record Stored(short mapped, short unique) {

    static final Stored NOTHING = new Stored((short) 0, (short) 0);

    static Stored of(VolumeSpace space) {
      return new Stored(Scale.encode(space.mapped() / KIB), Scale.encode(space.unique() / KIB));
    }
  }

  /// The row of a slot of 10 s.
  record Sample(long slot, Row row) {}

  /// Looks at the counters.
  ///
  /// @param now the machine's clock
  /// @param nanos a clock that goes evenly
  Optional<Sample> look(Instant now, long nanos) {
    Map<VolumeId, Totals> totals = totals(sources.traffic().byVolume());
    Map<String, Totals> initiators = totals(sources.traffic().byInitiator());
    Totals all = Totals.of(sources.traffic().inAll());
    long passed = nanos - nanosBefore;
    Optional<Sample> sample = Optional.empty();
    if (allBefore == null || passed > LATEST.toNanos()) {
      measure(new TreeMap<>(), now, nanos);
    } else if (passed > 0) {
      Look look = new Look(now, nanos, passed);
      TreeMap<Long, short[]> records = new TreeMap<>();
      addInitiators(records, look, initiators);
      sample = Optional.of(sample(records, look, totals, all.since(allBefore)));
    }
    before = totals;
    initiatorsBefore = initiators;
    allBefore = all;
    nanosBefore = nanos;
    return sample;
  }

  private static <K> Map<K, Totals> totals(Map<K, Traffic> traffic) {
    Map<K, Totals> totals = new HashMap<>();
    traffic.forEach((key, one) -> totals.put(key, Totals.of(one)));
    return totals;
  }

  /// A look that has one before it.
  private record Look(Instant now, long nanos, long passed) {

    /// The slot that has just ended. A timer may come somewhat early or late.
    long slot() {
      return Math.floorDiv(now.toEpochMilli() + SLOT_MILLIS / 2, SLOT_MILLIS) - 1;
    }
  }

  private Sample sample(
      TreeMap<Long, short[]> records, Look look, Map<VolumeId, Totals> totals, Totals all) {
    if (isMeasureDue(look) || !places.keySet().containsAll(totals.keySet())) {
      measure(records, look.now(), look.nanos());
      sources
          .containers()
          .get()
          .forEach((id, space) -> records.put(Keys.containerSpace(id), exact(space)));
    }
    addTraffic(records, look, totals);
    if (!all.isIdle()) {
      records.put(Keys.poolTraffic(), all.record(look.passed()));
    }
    PoolSpace space = sources.space().get();
    records.put(Keys.poolSpace(), Record.exact(space.capacity(), space.used(), space.free()));
    return new Sample(look.slot(), Row.of((int) Math.max(1, look.passed() / 1_000_000), records));
  }

  private boolean isMeasureDue(Look look) {
    return Math.floorMod(look.slot(), LOOKS_PER_MINUTE) == LOOKS_PER_MINUTE - 1
        || look.nanos() - measured >= LATEST.toNanos();
  }

  private static short[] exact(ContainerSpace space) {
    return Record.exact(space.limit(), space.used(), space.provisioned());
  }

  private void addTraffic(TreeMap<Long, short[]> records, Look look, Map<VolumeId, Totals> totals) {
    Map<UUID, Totals> containers = new HashMap<>();
    totals.forEach(
        (volume, now) -> {
          Totals grown = now.since(before.getOrDefault(volume, Totals.NONE));
          Place place = places.get(volume);
          if (!grown.isIdle() && place != null) {
            records.put(Keys.volumeTraffic(volume), grown.record(look.passed()));
            note(volume, place, look.now());
            containers.merge(place.container(), grown, Totals::plus);
          }
        });
    containers.forEach(
        (container, grown) ->
            records.put(Keys.containerTraffic(container), grown.record(look.passed())));
  }

  /// An initiator that is idle has no record.
  private void addInitiators(
      TreeMap<Long, short[]> records, Look look, Map<String, Totals> initiators) {
    initiators.forEach(
        (name, now) -> {
          Totals grown = now.since(initiatorsBefore.getOrDefault(name, Totals.NONE));
          if (!grown.isIdle()) {
            records.put(Keys.initiatorTraffic(name), grown.record(look.passed()));
          }
        });
  }

  private void note(VolumeId volume, Place place, Instant now) {
    known.note(
        new KnownVolume(
            volume,
            place.container(),
            place.machine(),
            Math.floorDiv(now.getEpochSecond(), SECONDS_PER_DAY)));
  }

  /// Measures all volumes and records those whose space has changed since the measure before. There
  /// is none before the first one, which only shows where they stand.
  private void measure(TreeMap<Long, short[]> records, Instant now, long nanos) {
    boolean first = allBefore == null;
    Set<VolumeId> there = new HashSet<>();
    for (MeasuredVolume volume : sources.volumes().get()) {
      VolumeSpace space = volume.space();
      if (space == null) {
        return; // the pool has stopped: nothing is known, and nothing is gone
      }
      if (!volume.snapshot()) {
        there.add(volume.id());
        Place old = places.get(volume.id());
        Place place = new Place(volume.container(), volume.machine(), Stored.of(space));
        places.put(volume.id(), place);
        if (!first) {
          addChange(records, volume.id(), old == null ? Stored.NOTHING : old.stored(), place, now);
        }
      }
    }
    for (VolumeId gone : Set.copyOf(places.keySet())) {
      if (!there.contains(gone)) {
        Place old = places.remove(gone);
        if (old != null) {
          Place ended = new Place(old.container(), old.machine(), Stored.NOTHING);
          addChange(records, gone, old.stored(), ended, now);
        }
      }
    }
    measured = nanos;
  }

  private void addChange(
      TreeMap<Long, short[]> records, VolumeId volume, Stored old, Place place, Instant now) {
    Stored stored = place.stored();
    if (!stored.equals(old)) {
      records.put(
          Keys.volumeSpace(volume),
          Record.change(stored.mapped(), stored.unique(), old.mapped(), old.unique()));
      note(volume, place, now);
    }
  }
}
