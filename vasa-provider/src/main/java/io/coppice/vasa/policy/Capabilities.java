package io.coppice.vasa.policy;

import io.coppice.scsi.limit.Limits;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.CapabilityValue.Between;
import io.coppice.vasa.policy.CapabilityValue.Number;
import io.coppice.vasa.policy.CapabilityValue.OneOf;
import io.coppice.vasa.policy.CapabilityValue.Span;
import io.coppice.vasa.policy.CapabilityValue.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The capability schemas, and the conversion of a storage profile into [Requirements].
///
/// Rules of a profile (SPBM): any one sub-profile suffices. In it every capability must hold. A
/// capability holds by any one of its constraints, all of whose properties must hold. The first
/// sub-profile that can be met is taken.
public final class Capabilities {

  /// Namespace and id of the array's own schema.
  public static final String NAMESPACE = "io.coppice.capability";

  /// Version of both schemas.
  public static final String VERSION = "1.0";

  /// VMware's namespace of capabilities that every array has; also the id of that schema.
  public static final String STANDARD_NAMESPACE = "com.vmware.storageprofile.std";

  /// Thin, or thick with all space set aside.
  public static final CapabilityId SPACE_EFFICIENCY =
      new CapabilityId(STANDARD_NAMESPACE, "spaceEfficiency");

  /// The interval at which the array takes snapshots.
  public static final CapabilityId SNAPSHOT_INTERVAL =
      new CapabilityId(NAMESPACE, "snapshotInterval");

  /// The time for which the array keeps such a snapshot before it deletes it.
  public static final CapabilityId SNAPSHOT_RETENTION =
      new CapabilityId(NAMESPACE, "snapshotRetention");

  /// The most I/Os a second that the volume may do.
  public static final CapabilityId MAX_IOPS = new CapabilityId(NAMESPACE, "maxIops");

  /// The most bytes a second that it may read and write.
  public static final CapabilityId MAX_BANDWIDTH = new CapabilityId(NAMESPACE, "maxBandwidth");

  /// The most that the youngest recovery point of the volume may be old.
  public static final CapabilityId POINT_AGE = new CapabilityId(NAMESPACE, "recoveryPointAge");

  /// The least time for which recovery points are kept.
  public static final CapabilityId POINTS_KEPT = new CapabilityId(NAMESPACE, "recoveryPointsKept");

  /// The least time for which recovery points are locked.
  public static final CapabilityId POINTS_LOCKED =
      new CapabilityId(NAMESPACE, "recoveryPointsLocked");

  /// The state in which a recovery point finds the disk. The array asks no guest to write out its
  /// buffers, so there is one value.
  public static final CapabilityId POINT_CONSISTENCY =
      new CapabilityId(NAMESPACE, "recoveryPointConsistency");

  /// A disk as after a loss of power, with all disks of a group at one moment.
  public static final String CRASH_CONSISTENT = "CrashConsistent";

  public static final Duration MIN_INTERVAL = Duration.ofMinutes(1);
  public static final Duration MAX_INTERVAL = Duration.ofDays(365);
  public static final Duration MIN_RETENTION = Duration.ofMinutes(1);
  public static final Duration MAX_RETENTION = Duration.ofDays(3650);

  private Capabilities() {}

  /// Everything that the array offers, in the form of the one sub-profile that asks for it all.
  public static List<Capability> offered() {
    return List.of(
        Capability.of(
            SPACE_EFFICIENCY,
            new OneOf(
                Stream.of(SpaceEfficiency.values())
                    .map(value -> (CapabilityValue) new Text(value.text()))
                    .toList())),
        Capability.of(SNAPSHOT_INTERVAL, between(MIN_INTERVAL, MAX_INTERVAL)),
        Capability.of(SNAPSHOT_RETENTION, between(MIN_RETENTION, MAX_RETENTION)),
        Capability.of(MAX_IOPS, between(Limits.MIN_IOPS, Limits.MAX_IOPS)),
        Capability.of(MAX_BANDWIDTH, between(Limits.MIN_BANDWIDTH, Limits.MAX_BANDWIDTH)),
        Capability.of(POINT_AGE, between(MIN_INTERVAL, MAX_INTERVAL)),
        Capability.of(POINTS_KEPT, between(MIN_RETENTION, MAX_RETENTION)),
        Capability.of(POINTS_LOCKED, between(MIN_RETENTION, MAX_RETENTION)),
        Capability.of(POINT_CONSISTENCY, new OneOf(List.of(new Text(CRASH_CONSISTENT)))));
  }

  /// The requirements of `profile`.
  ///
  /// @throws VasaException (InvalidProfile) if none of its sub-profiles can be met
  public static Requirements requirementsOf(StorageProfile profile) {
    if (profile.subProfiles().isEmpty() || profile.id().equals(StorageProfile.NO_REQUIREMENTS)) {
      return Requirements.NONE;
    }
    List<String> reasons = new ArrayList<>();
    for (SubProfile sub : profile.subProfiles()) {
      switch (resolve(sub)) {
        case Resolution.Met(Requirements requirements) -> {
          return requirements;
        }
        case Resolution.Unmet(String reason) -> reasons.add(reason);
      }
    }
    throw new VasaException(
        new Fault.InvalidProfile(),
        "profile '%s' cannot be met: %s".formatted(profile.name(), String.join("; ", reasons)));
  }

  /// `requirements` as capabilities, each with one exact value.
  public static List<Capability> asCapabilities(Requirements requirements) {
    List<Capability> capabilities = new ArrayList<>();
    SpaceEfficiency space = requirements.space();
    if (space != null) {
      capabilities.add(Capability.of(SPACE_EFFICIENCY, new Text(space.text())));
    }
    addSpan(capabilities, SNAPSHOT_INTERVAL, requirements.snapshotInterval());
    addSpan(capabilities, SNAPSHOT_RETENTION, requirements.snapshotRetention());
    Limits limits = requirements.limits();
    if (limits.maxIops() != 0) {
      capabilities.add(Capability.of(MAX_IOPS, new Number(limits.maxIops())));
    }
    if (limits.maxBandwidth() != 0) {
      capabilities.add(Capability.of(MAX_BANDWIDTH, new Number(limits.maxBandwidth())));
    }
    PointDemand points = requirements.points();
    addSpan(capabilities, POINT_AGE, points.age());
    addSpan(capabilities, POINTS_KEPT, points.kept());
    addSpan(capabilities, POINTS_LOCKED, points.locked());
    return capabilities;
  }

  private static void addSpan(
      List<Capability> capabilities, CapabilityId id, @Nullable Duration length) {
    if (length != null) {
      capabilities.add(Capability.of(id, span(length)));
    }
  }

  /// A duration in the largest unit that divides it, in whole seconds at least.
  public static Span span(Duration duration) {
    for (SpanUnit unit : List.of(SpanUnit.DAYS, SpanUnit.HOURS, SpanUnit.MINUTES)) {
      long amount = duration.dividedBy(unit.length());
      if (amount > 0 && amount <= Integer.MAX_VALUE && exact(duration, unit, amount)) {
        return new Span(Math.toIntExact(amount), unit);
      }
    }
    return new Span(
        Math.toIntExact(Math.min(duration.toSeconds(), Integer.MAX_VALUE)), SpanUnit.SECONDS);
  }

  private static boolean exact(Duration duration, SpanUnit unit, long amount) {
    return unit.length().multipliedBy(amount).equals(duration);
  }

  private static Between between(Duration min, Duration max) {
    return new Between(span(min), span(max));
  }

  private static Between between(long min, long max) {
    return new Between(new Number(min), new Number(max));
  }

  private sealed interface Resolution {
    record Met(Requirements requirements) implements Resolution {}

    record Unmet(String reason) implements Resolution {}
  }

  private static Resolution resolve(SubProfile sub) {
    Requirements found = Requirements.NONE;
    for (Capability capability : sub.capabilities()) {
      Requirements before = found;
      Optional<Requirements> next =
          capability.constraints().stream()
              .flatMap(constraint -> refine(before, capability.id(), constraint).stream())
              .findFirst();
      if (next.isEmpty()) {
        return new Resolution.Unmet(
            "'%s' asks for %s = %s, which is not offered"
                .formatted(sub.name(), capability.id(), values(capability)));
      }
      found = next.get();
    }
    if (found.snapshotRetention() != null && found.snapshotInterval() == null) {
      return new Resolution.Unmet(
          "'%s' asks for %s without %s"
              .formatted(sub.name(), SNAPSHOT_RETENTION, SNAPSHOT_INTERVAL));
    }
    return new Resolution.Met(found);
  }

  private static String values(Capability capability) {
    return capability.constraints().stream()
        .map(Constraint::properties)
        .map(Map::toString)
        .toList()
        .toString();
  }

  /// `found` with one more capability; empty if the constraint cannot be met together with it.
  private static Optional<Requirements> refine(
      Requirements found, CapabilityId id, Constraint constraint) {
    CapabilityValue value = constraint.properties().get(id.id());
    if (value == null || constraint.properties().size() != 1) {
      return Optional.empty();
    }
    if (id.equals(SPACE_EFFICIENCY)) {
      return space(value)
          .filter(space -> found.space() == null || found.space() == space)
          .map(found::withSpace);
    }
    if (id.equals(SNAPSHOT_INTERVAL)) {
      return length(value, MIN_INTERVAL, MAX_INTERVAL)
          .filter(length -> agrees(found.snapshotInterval(), length))
          .map(found::withSnapshotInterval);
    }
    if (id.equals(SNAPSHOT_RETENTION)) {
      return length(value, MIN_RETENTION, MAX_RETENTION)
          .filter(length -> agrees(found.snapshotRetention(), length))
          .map(found::withSnapshotRetention);
    }
    Limits limits = found.limits();
    if (id.equals(MAX_IOPS)) {
      return number(value, Limits.MIN_IOPS, Limits.MAX_IOPS)
          .filter(number -> agrees(limits.maxIops(), number))
          .map(number -> found.withLimits(new Limits(number, limits.maxBandwidth())));
    }
    if (id.equals(MAX_BANDWIDTH)) {
      return number(value, Limits.MIN_BANDWIDTH, Limits.MAX_BANDWIDTH)
          .filter(number -> agrees(limits.maxBandwidth(), number))
          .map(number -> found.withLimits(new Limits(limits.maxIops(), number)));
    }
    return id.equals(POINT_CONSISTENCY)
        ? Optional.of(found).filter(_ -> allows(value, CRASH_CONSISTENT))
        : refinePoints(found.points(), id, value).map(found::withPoints);
  }

  private static Optional<PointDemand> refinePoints(
      PointDemand found, CapabilityId id, CapabilityValue value) {
    if (id.equals(POINT_AGE)) {
      return length(value, MIN_INTERVAL, MAX_INTERVAL)
          .filter(length -> agrees(found.age(), length))
          .map(found::withAge);
    }
    if (id.equals(POINTS_KEPT)) {
      return shortest(value, MIN_RETENTION, MAX_RETENTION)
          .filter(length -> agrees(found.kept(), length))
          .map(found::withKept);
    }
    if (id.equals(POINTS_LOCKED)) {
      return shortest(value, MIN_RETENTION, MAX_RETENTION)
          .filter(length -> agrees(found.locked(), length))
          .map(found::withLocked);
    }
    return Optional.empty();
  }

  private static boolean allows(CapabilityValue value, String wanted) {
    return switch (value) {
      case Text(String text) -> text.equalsIgnoreCase(wanted);
      case OneOf(List<CapabilityValue> values) ->
          values.stream().anyMatch(one -> allows(one, wanted));
      case Number _, CapabilityValue.Real _, CapabilityValue.Flag _, Span _, Between _ -> false;
    };
  }

  private static boolean agrees(long earlier, long now) {
    return earlier == 0 || earlier == now;
  }

  private static boolean agrees(@Nullable Duration earlier, Duration now) {
    return earlier == null || earlier.equals(now);
  }

  private static Optional<SpaceEfficiency> space(CapabilityValue value) {
    return switch (value) {
      case Text(String text) ->
          Stream.of(SpaceEfficiency.values())
              .filter(space -> space.text().equalsIgnoreCase(text))
              .findFirst();
      case OneOf(List<CapabilityValue> values) ->
          values.stream().flatMap(one -> space(one).stream()).findFirst();
      case Number _, CapabilityValue.Real _, CapabilityValue.Flag _ -> Optional.empty();
      case Span _, Between _ -> Optional.empty();
    };
  }

  /// A length of time within the limits that `value` allows; of a range the longest.
  private static Optional<Duration> length(CapabilityValue value, Duration min, Duration max) {
    return switch (value) {
      case Span(int amount, SpanUnit unit) ->
          Optional.of(unit.length().multipliedBy(amount)).filter(d -> inside(d, min, max));
      case OneOf(List<CapabilityValue> values) ->
          values.stream().flatMap(one -> length(one, min, max).stream()).findFirst();
      case Between(Span from, Span to) -> {
        Duration lowest = from.unit().length().multipliedBy(from.amount());
        Duration highest = to.unit().length().multipliedBy(to.amount());
        Duration chosen = highest.compareTo(max) > 0 ? max : highest;
        yield Optional.of(chosen)
            .filter(length -> inside(length, min, max) && length.compareTo(lowest) >= 0);
      }
      case Between _, Text _ -> Optional.empty();
      case Number _, CapabilityValue.Real _, CapabilityValue.Flag _ -> Optional.empty();
    };
  }

  /// As [#length], of a range the shortest: what is demanded is the least.
  private static Optional<Duration> shortest(CapabilityValue value, Duration min, Duration max) {
    if (value instanceof Between(Span from, Span to)) {
      Duration lowest = from.unit().length().multipliedBy(from.amount());
      Duration highest = to.unit().length().multipliedBy(to.amount());
      return Optional.of(lowest.compareTo(min) < 0 ? min : lowest)
          .filter(length -> inside(length, min, max) && length.compareTo(highest) <= 0);
    }
    return length(value, min, max);
  }

  /// A number within the limits that `value` allows; of a range the largest.
  private static Optional<Long> number(CapabilityValue value, long min, long max) {
    return switch (value) {
      case Number(long number) -> Optional.of(number).filter(n -> n >= min && n <= max);
      case OneOf(List<CapabilityValue> values) ->
          values.stream().flatMap(one -> number(one, min, max).stream()).findFirst();
      case Between(Number(long lowest), Number(long highest)) ->
          Optional.of(Math.min(highest, max)).filter(n -> n >= min && n >= lowest);
      case Between _, Text _, Span _ -> Optional.empty();
      case CapabilityValue.Real _, CapabilityValue.Flag _ -> Optional.empty();
    };
  }

  private static boolean inside(Duration length, Duration min, Duration max) {
    return length.compareTo(min) >= 0 && length.compareTo(max) <= 0;
  }
}
