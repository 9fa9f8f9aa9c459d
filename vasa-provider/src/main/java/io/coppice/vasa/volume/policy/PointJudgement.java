package io.coppice.vasa.volume.policy;

import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.CapabilityId;
import io.coppice.vasa.policy.PointDemand;
import io.coppice.vasa.policy.Violation;
import io.coppice.vasa.time.TimeText;
import io.coppice.vasa.volume.SnapshotSchedule;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A judgement of the recovery points of one volume: what is promised must be as good as what its
/// profile demands, and the youngest point must be there in time.
///
/// Points are those of its protection group, of that of its virtual machine, and the snapshots of
/// its own schedule. A volume that has none yet is judged by its own age: until it is as old as a
/// point may be, no more can be lost.
///
/// @param now by the machine's clock
/// @param seen by the time that has passed
record PointJudgement(Instant now, Instant seen) {

  private static final String NOTHING = "nothing takes recovery points of it";

  /// The demands that are not met. Swap and memory demand nothing: they are of no use after the
  /// machine was stopped, so no group of a machine takes them.
  ///
  /// @param grouped what its groups promise
  List<Violation> violations(
      VirtualVolume volume, Optional<PointPromise> grouped, Optional<SnapshotSchedule> schedule) {
    PointDemand demand = volume.requirements().points();
    if (volume.type() == VolumeType.SWAP || volume.type() == VolumeType.MEMORY) {
      return List.of();
    }
    @Nullable PointPromise promise =
        Stream.concat(grouped.stream(), ofSchedule(schedule).stream())
            .reduce(PointPromise::and)
            .orElse(null);
    List<Violation> violations = new ArrayList<>();
    if (demand.age() != null) {
      age(volume, demand.age(), promise).ifPresent(violations::add);
    }
    if (demand.kept() != null) {
      Duration kept = promise == null ? Duration.ZERO : promise.kept();
      least(Capabilities.POINTS_KEPT, demand.kept(), kept, "kept").ifPresent(violations::add);
    }
    if (demand.locked() != null) {
      Duration locked = promise == null ? Duration.ZERO : promise.locked();
      least(Capabilities.POINTS_LOCKED, demand.locked(), locked, "locked")
          .ifPresent(violations::add);
    }
    return violations;
  }

  private static Optional<PointPromise> ofSchedule(Optional<SnapshotSchedule> schedule) {
    return schedule
        .filter(SnapshotSchedule::enabled)
        .map(
            one ->
                new PointPromise(
                    one.interval(),
                    one.retention() == null || !one.retentionEnabled()
                        ? Capabilities.MAX_RETENTION
                        : one.retention(),
                    Duration.ZERO,
                    one.last()));
  }

  private Optional<Violation> age(
      VirtualVolume volume, Duration most, @Nullable PointPromise promise) {
    if (promise == null) {
      return Optional.of(violation(Capabilities.POINT_AGE, most, Duration.ZERO, NOTHING));
    }
    if (promise.every().compareTo(most) > 0) {
      return Optional.of(
          violation(
              Capabilities.POINT_AGE,
              most,
              promise.every(),
              "recovery points are taken %s apart, and the policy asks for %s at most"
                  .formatted(TimeText.words(promise.every()), TimeText.words(most))));
    }
    Instant youngest = promise.youngest();
    Duration age =
        youngest == null
            ? Duration.between(volume.created(), now)
            : Duration.between(youngest, seen);
    return age.compareTo(VolumePolicies.withGrace(most)) <= 0
        ? Optional.empty()
        : Optional.of(
            violation(
                Capabilities.POINT_AGE,
                most,
                age,
                "%s, and the policy asks for one of %s at most"
                    .formatted(
                        youngest == null
                            ? "it has no recovery point yet"
                            : "its youngest recovery point is %s old"
                                .formatted(TimeText.words(age)),
                        TimeText.words(most))));
  }

  private static Optional<Violation> least(
      CapabilityId id, Duration least, Duration promised, String what) {
    return promised.compareTo(least) >= 0
        ? Optional.empty()
        : Optional.of(
            violation(
                id,
                least,
                promised,
                promised.isZero()
                    ? "no recovery point of it is " + what
                    : "recovery points are %s for %s, and the policy asks for %s at least"
                        .formatted(what, TimeText.words(promised), TimeText.words(least))));
  }

  private static Violation violation(
      CapabilityId id, Duration expected, Duration current, String why) {
    return Violation.of(id, Capabilities.span(expected), Capabilities.span(current)).because(why);
  }
}
