package io.coppice.vasa.statistics;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.status.PoolSpace;
import io.coppice.scsi.unit.PhaseCounts;
import io.coppice.scsi.unit.Traffic;
import io.coppice.scsi.unit.TrafficCounts;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/// Counters of the array, of plain exports and of virtual volumes. Safe for any thread.
///
/// I/O of a volume is counted while somebody reaches it. The count ends with its last binding or
/// its export, and a later one begins at 0. The array's count goes on from the provider's start.
@Service
public final class Statistics {

  private final StorageEngine engine;
  private final TrafficCounts traffic;
  private final StatisticsSettings settings;
  private final InstantSource clock;

  public Statistics(
      StorageEngine engine,
      TrafficCounts traffic,
      StatisticsSettings settings,
      InstantSource clock) {
    this.engine = engine;
    this.traffic = traffic;
    this.settings = settings;
    this.clock = clock;
  }

  /// The counters that are offered, for each type of entity.
  ///
  /// @param entitiesPerCall most entities of one call
  public List<CounterChoice> offered(int entitiesPerCall) {
    List<Integer> all = Arrays.stream(Counter.values()).map(Counter::id).toList();
    int seconds = (int) settings.period().toSeconds();
    return Arrays.stream(CountedEntity.values())
        .map(type -> new CounterChoice(type.wireName(), all, entitiesPerCall, seconds))
        .toList();
  }

  /// Takes a client's choice out of [#offered].
  ///
  /// @throws VasaException (InvalidStatisticsContext) if a type has no counter, a type or counter
  ///   is not offered or comes twice, or it has more entities per call, or a shorter time between
  ///   two calls
  public StatisticsContext choose(List<CounterChoice> wanted, int entitiesPerCall) {
    Map<CountedEntity, List<Counter>> counters = new EnumMap<>(CountedEntity.class);
    for (CounterChoice choice : wanted) {
      CountedEntity type =
          CountedEntity.ofWireName(choice.entityType())
              .orElseThrow(
                  () -> notOffered("counters of StorageArray and others", choice.entityType()));
      checkTerms(choice, entitiesPerCall);
      if (counters.put(type, counters(choice)) != null) {
        throw notOffered("each type once", choice.entityType() + " twice");
      }
    }
    return new StatisticsContext(counters);
  }

  private void checkTerms(CounterChoice choice, int entitiesPerCall) {
    int shortest = (int) settings.period().toSeconds();
    if (choice.pollingSeconds() < shortest) {
      throw notOffered(
          "a pollingInterval of at least %d s".formatted(shortest), choice.pollingSeconds() + " s");
    }
    if (choice.entitiesPerCall() < 1 || choice.entitiesPerCall() > entitiesPerCall) {
      throw notOffered(
          "a maxRetrievalSize of 1 to " + entitiesPerCall, "" + choice.entitiesPerCall());
    }
  }

  private static List<Counter> counters(CounterChoice choice) {
    List<Counter> counters = new ArrayList<>();
    for (int id : choice.counters()) {
      Counter counter =
          Counter.ofId(id).orElseThrow(() -> notOffered("a counter of the manifest", "" + id));
      if (counters.contains(counter)) {
        throw notOffered("each counter once", id + " twice");
      }
      counters.add(counter);
    }
    if (counters.isEmpty()) {
      throw notOffered("at least one counter of " + choice.entityType(), "none");
    }
    return List.copyOf(counters);
  }

  /// The counters of a type that a session has chosen.
  ///
  /// @throws VasaException (InvalidStatisticsContext) if it has chosen none
  public List<Counter> chosen(StatisticsContext context, CountedEntity type) {
    List<Counter> counters = context.counters().get(type);
    if (counters == null) {
      throw notOffered("counters of %s chosen before".formatted(type.wireName()), "none");
    }
    return counters;
  }

  private static VasaException notOffered(String expected, String got) {
    return new VasaException(
        new Fault.InvalidStatisticsContext(), "expected %s, got %s".formatted(expected, got));
  }

  /// The sample of the whole array now.
  public Sample ofArray() {
    PoolSpace space = engine.space();
    return new Sample(traffic.inAll(), space.capacity() - space.free(), clock.instant());
  }

  /// The reads of all volumes since the start, by how long their phases took.
  public PhaseCounts readPhases() {
    return traffic.readPhases();
  }

  /// The writes of all volumes since the start, by how long their phases took.
  public PhaseCounts writePhases() {
    return traffic.writePhases();
  }

  /// The traffic of one volume that somebody reaches.
  public record Reached(VolumeId volume, Traffic traffic, Instant at) {}

  /// The traffic of every volume that somebody reaches, in no order.
  public List<Reached> reached() {
    Map<VolumeId, Traffic> counts = traffic.byVolume();
    Instant now = clock.instant();
    return counts.entrySet().stream()
        .map(one -> new Reached(one.getKey(), one.getValue(), now))
        .toList();
  }

  /// The traffic by initiator, as [TrafficCounts#byInitiator] tells it.
  public Map<String, Traffic> ofInitiators() {
    return traffic.byInitiator();
  }

  /// The samples of those `volumes` that are in the pool, in order.
  public Map<VolumeId, Sample> ofVolumes(Collection<VolumeId> volumes) {
    Map<VolumeId, Traffic> counts = traffic.byVolume();
    Map<VolumeId, Sample> samples = new LinkedHashMap<>();
    for (VolumeId volume : volumes) {
      storedOf(volume)
          .ifPresent(
              stored ->
                  samples.put(
                      volume,
                      new Sample(
                          counts.getOrDefault(volume, Traffic.NONE), stored, clock.instant())));
    }
    return samples;
  }

  private Optional<Long> storedOf(VolumeId volume) {
    try {
      VolumeSpace space = engine.spaceOf(volume);
      return Optional.of(space.mapped() + space.reserved());
    } catch (StorageException.NotFound e) {
      return Optional.empty();
    }
  }

  /// `statisticsString`.
  public String text(List<Counter> counters, Sample sample) {
    return counters.stream()
        .map(
            counter ->
                switch (settings.form()) {
                  case VALUES -> "" + counter.of(sample);
                  case PAIRS -> counter.id() + ":" + counter.of(sample);
                })
        .collect(Collectors.joining(settings.separator()));
  }
}
