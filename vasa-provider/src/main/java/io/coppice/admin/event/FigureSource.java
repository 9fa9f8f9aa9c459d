package io.coppice.admin.event;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.RoleCheck;
import io.coppice.api.Role;
import io.coppice.api.system.LiveFigures;
import io.coppice.api.system.ReadWrite;
import io.coppice.engine.VolumeId;
import io.coppice.engine.status.PoolSpace;
import io.coppice.vasa.diagnosis.LiveRates;
import io.coppice.vasa.diagnosis.LoadRates;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.space.SpaceStatistics;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The figures of objects right now. The database is asked only whether a stream may have them;
/// then they come from memory.
@Component
final class FigureSource {

  private static final double NANOS_PER_MICRO = 1000;

  private final LiveRates live;
  private final SpaceStatistics spaces;
  private final VirtualVolumes volumes;

  FigureSource(LiveRates live, SpaceStatistics spaces, VirtualVolumes volumes) {
    this.live = live;
    this.spaces = spaces;
    this.volumes = volumes;
  }

  /// The feed of one stream.
  ///
  /// @param figures as [FigureSubject#parse] takes it
  /// @throws RequestRejectedException if it is not so, or names what is not there or not for this
  ///   caller
  FigureFeed feed(@Nullable String figures, AdminCaller caller) {
    List<FigureSubject> subjects = FigureSubject.parse(figures);
    subjects.forEach(subject -> require(subject, caller));
    return new FigureFeed(subjects, this, live.interval());
  }

  /// Refuses what GET of the object would refuse.
  private void require(FigureSubject subject, AdminCaller caller) {
    switch (subject) {
      case FigureSubject.OfSystem _ -> {} // everybody may see it
      case FigureSubject.OfMachine(String id) -> {
        RoleCheck.require(Optional.of(caller), Role.OPERATOR);
        if (volumes.ofMachines(Set.of(id)).isEmpty()) {
          throw RequestRejectedException.notFound("virtual machine", id);
        }
      }
      case FigureSubject.OfVolume(VolumeId id) -> {
        if (volumes.require(id).snapshot()) {
          throw RequestRejectedException.notFound("volume that is no snapshot,", id);
        }
      }
    }
  }

  /// The figures of those objects that are still there.
  List<LiveFigures> now(List<FigureSubject> subjects) {
    LiveRates.Sample sample = live.now();
    Map<String, Set<VolumeId>> machines = spaces.ofMachines(machinesIn(subjects));
    return subjects.stream()
        .flatMap(subject -> figures(sample, subject, machines).stream())
        .toList();
  }

  private static Set<String> machinesIn(List<FigureSubject> subjects) {
    Set<String> machines = new HashSet<>();
    for (FigureSubject subject : subjects) {
      if (subject instanceof FigureSubject.OfMachine(String id)) {
        machines.add(id);
      }
    }
    return machines;
  }

  private Optional<LiveFigures> figures(
      LiveRates.Sample sample, FigureSubject subject, Map<String, Set<VolumeId>> machines) {
    return switch (subject) {
      case FigureSubject.OfSystem _ -> {
        PoolSpace space = spaces.pool().space();
        yield Optional.of(
            view(sample, subject, sample.rates().ofAll(), space.used(), space.free()));
      }
      case FigureSubject.OfMachine(String id) ->
          figures(sample, subject, machines.getOrDefault(id, Set.of()));
      case FigureSubject.OfVolume(VolumeId id) -> figures(sample, subject, Set.of(id));
    };
  }

  /// Empty if none of the volumes is there any more.
  private Optional<LiveFigures> figures(
      LiveRates.Sample sample, FigureSubject subject, Set<VolumeId> own) {
    return spaces
        .held(own)
        .map(held -> view(sample, subject, sample.rates().of(own), held.bytes(), null));
  }

  private static LiveFigures view(
      LiveRates.Sample sample,
      FigureSubject subject,
      LoadRates rates,
      @Nullable Long used,
      @Nullable Long free) {
    return new LiveFigures(
        sample.at(),
        subject.text(),
        new ReadWrite(rates.read().iops(), rates.write().iops()),
        new ReadWrite(rates.read().bandwidth(), rates.write().bandwidth()),
        new ReadWrite(
            rates.read().nanos() / NANOS_PER_MICRO, rates.write().nanos() / NANOS_PER_MICRO),
        Math.round(rates.deviceNanos() / NANOS_PER_MICRO),
        Math.round(rates.queueNanos() / NANOS_PER_MICRO),
        Math.round(rates.limitNanos() / NANOS_PER_MICRO),
        used,
        free);
  }
}
