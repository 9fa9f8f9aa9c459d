package io.coppice.vasa.volume.policy;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.CapabilityId;
import io.coppice.vasa.policy.CapabilityValue;
import io.coppice.vasa.policy.CapabilityValue.Text;
import io.coppice.vasa.policy.Compliance;
import io.coppice.vasa.policy.ComplianceStatus;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.PointDemand;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.policy.Violation;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.SnapshotSchedule;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.ScheduleRepository;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// The policies of virtual volumes: changes of profile, and the judgement of compliance.
///
/// The judgement looks at what there is, not at what was ordered. The pool reports which space is
/// set aside and which limits are enforced. The rows of the schedule show whether snapshots were
/// taken and deleted in time: by the time that has passed ([SeenTime]), whatever the machine's
/// clock says.
@Service
public final class VolumePolicies {

  private static final Duration ZERO = Duration.ZERO;

  /// The delay after which a snapshot or a deletion counts as missed: this or a tenth of the length
  /// asked for, whichever is longer.
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final VolumeStore store;
  private final StorageEngine engine;
  private final Profiles profiles;
  private final Containers containers;
  private final SpaceStatistics spaces;
  private final PromisedPoints promises;

  public VolumePolicies(
      VolumeStore store,
      Profiles profiles,
      Containers containers,
      SpaceStatistics spaces,
      PromisedPoints promises) {
    this.store = store;
    this.engine = store.engine();
    this.profiles = profiles;
    this.containers = containers;
    this.spaces = spaces;
    this.promises = promises;
  }

  /// Gives a volume another profile, bound or not (VASA 2.0 updateStorageProfileForVirtualVolume).
  ///
  /// Makes two engine calls: first the reservation, which may be refused, then the attributes,
  /// which name the profile. A crash between them leaves a reservation that the recorded profile
  /// does not ask for; recovery takes it back.
  ///
  /// @throws VasaException (NotFound) if the volume is unknown; (InvalidProfile) if the profile
  ///   cannot be met; (OutOfResource) if its space cannot be set aside
  public VasaTask apply(VolumeId id, StorageProfile profile) {
    requireReady(id); // before what may be wrong with the profile
    Requirements requirements = Capabilities.requirementsOf(profile);
    try (var _ = store.locks().hold(id)) {
      VirtualVolume volume = store.requireReady(id);
      profiles.forNewVolume(volume.container(), volume.type().text(), profile);
      if (reservation(volume, requirements) && !volume.thick()) {
        StorageContainer container = containers.require(volume.container());
        try (var _ = spaces.roomFor(container, volume.sizeInBytes(), true)) {
          return change(volume, profile, requirements);
        }
      }
      return change(volume, profile, requirements);
    }
  }

  /// Checks what can be known of a profile before [#apply]: all but the space.
  ///
  /// @throws VasaException (InvalidProfile) if the volume cannot be given the profile
  public void requireApplicable(VirtualVolume volume, StorageProfile profile) {
    Capabilities.requirementsOf(profile);
    profiles.forNewVolume(volume.container(), volume.type().text(), profile);
  }

  /// @throws VasaException (NotFound) if no volume that a profile applies to has this id
  public void requireReady(VolumeId id) {
    store.requireReady(id);
  }

  private VasaTask change(VirtualVolume volume, StorageProfile given, Requirements requirements) {
    AppliedProfile profile = AppliedProfile.of(given);
    VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.POLICY, volume.id());
    Optional<VolumeInfo> before = engine.find(volume.id());
    return store
        .log()
        .runAsTask(
            operation,
            "updateStorageProfileForVirtualVolume",
            new TaskResult.None(),
            OperationLog.Steps.of(
                () -> applyInPool(operation, volume, profile, requirements),
                info -> {
                  store.rows().setPolicy(volume.id(), profile, requirements);
                  store.refresh(info);
                  noteChange(volume, given, before, info);
                }));
  }

  private void noteChange(
      VirtualVolume volume, StorageProfile profile, Optional<VolumeInfo> before, VolumeInfo now) {
    boolean same =
        before.isPresent()
            && before.get().reserved() == now.reserved()
            && before.get().attributes().equals(now.attributes());
    if (!same) {
      store
          .changes()
          .append(
              VolumeChanges.of(
                  volume,
                  ChangeKind.UPDATE,
                  "Policy",
                  Map.of("policy", "%s (%s)".formatted(profile.name(), profile.id()))));
    }
  }

  private static boolean reservation(VirtualVolume volume, Requirements requirements) {
    if (volume.snapshot()) {
      return false;
    }
    return requirements.space() == null ? volume.thick() : requirements.thick();
  }

  private VolumeInfo applyInPool(
      VolumeOperation operation,
      VirtualVolume volume,
      AppliedProfile profile,
      Requirements requirements) {
    boolean thick = reservation(volume, requirements);
    boolean changes = thick != volume.thick();
    if (changes) {
      store.log().havingRoom(() -> engine.reserve(operation.id(), volume.id(), thick));
      store.log().reached(operation, Step.RESERVED);
    }
    Map<String, String> put = new HashMap<>(PoolAttributes.policy(profile, requirements));
    if (!volume.snapshot()) {
      put.putAll(PoolAttributes.enforced(requirements));
    }
    Set<String> remove = new HashSet<>(PoolAttributes.POLICY_KEYS);
    remove.removeAll(put.keySet());
    try {
      return engine.setAttributes(operation.derived("attributes"), volume.id(), put, remove);
    } catch (StorageException.DeviceFailed e) {
      throw e; // whether it happened is known after the next open
    } catch (StorageException e) {
      if (changes) {
        engine.reserve(operation.derived("restore"), volume.id(), volume.thick());
      }
      throw e;
    }
  }

  /// A volume to be judged, and the profile to judge it against.
  ///
  /// @param profile the profile asked about; null for the volume's own
  /// @param generation its edition; null for any
  public record Question(VolumeId volume, @Nullable String profile, @Nullable Long generation) {}

  /// The compliance of one volume, judged as in [#compliance(List)].
  public Optional<Compliance> compliance(
      VolumeId id, @Nullable String profile, @Nullable Long generation) {
    return compliance(List.of(new Question(id, profile, generation))).stream().findFirst();
  }

  /// Judges volumes against the profiles they have, in the order of the questions. Leaves out
  /// volumes without a profile if the question names none. A few statements, whatever their number.
  ///
  /// @throws VasaException (NotFound) if a volume is unknown or only prepared
  public List<Compliance> compliance(List<Question> questions) {
    Map<VolumeId, VirtualVolume> volumes = new HashMap<>();
    Set<VolumeId> asked = questions.stream().map(Question::volume).collect(Collectors.toSet());
    store.rows().find(asked).forEach(volume -> volumes.put(volume.id(), volume));
    questions.forEach(question -> store.checkReady(question.volume(), volumes));
    Map<VolumeId, Compliance> own = compliance(volumes.values());
    return questions.stream()
        .flatMap(
            question ->
                answer(question, Objects.requireNonNull(volumes.get(question.volume())), own)
                    .stream())
        .toList();
  }

  private Optional<Compliance> answer(
      Question question, VirtualVolume volume, Map<VolumeId, Compliance> own) {
    AppliedProfile applied = volume.profile();
    String profile = question.profile();
    Long generation = question.generation();
    if (applied == null && profile == null) {
      return Optional.empty();
    }
    if (applied == null
        || (profile != null && !profile.equals(applied.id()))
        || (generation != null && generation != applied.generation())) {
      String asked =
          profile == null ? String.valueOf(applied == null ? "" : applied.id()) : profile;
      return Optional.of(
          new Compliance(
              volume.id(), asked, ComplianceStatus.UNKNOWN, true, store.now(), List.of()));
    }
    return Optional.ofNullable(own.get(volume.id()));
  }

  /// Judges volumes in the pool against the profiles they have; those without one are left out. A
  /// few statements, whatever their number.
  public Map<VolumeId, Compliance> compliance(Collection<VirtualVolume> volumes) {
    List<VirtualVolume> applied =
        volumes.stream()
            .filter(one -> one.profile() != null && one.state() == VvolState.READY)
            .toList();
    Map<VolumeId, Compliance> found = new HashMap<>();
    if (!applied.isEmpty()) {
      Scheduled scheduled = scheduled(applied);
      for (VirtualVolume volume : applied) {
        found.put(volume.id(), judged(volume, Objects.requireNonNull(volume.profile()), scheduled));
      }
    }
    return found;
  }

  /// The effect of an edition of a profile on all volumes that have the profile, if it were applied
  /// to them now. Reads each of them, in parts; nothing changes.
  ///
  /// @param wanted the next edition
  /// @throws VasaException (InvalidProfile) if it cannot be met
  public PolicyEffect effectOf(OfferedProfile wanted) {
    return new PolicyTrial(store, this, new RoomLeft(spaces, containers), wanted).run();
  }

  /// Gives the present edition of a profile to the volumes of administrators that have an older
  /// one, the oldest first. What is refused is told, and keeps its edition.
  ///
  /// @param most volumes that are tried
  /// @throws VasaException if the pool or the database fails: those before keep what they got
  public PolicyRollout rollOut(OfferedProfile profile, int most) {
    return new RollingPolicy(store, this, profile, most).run();
  }

  /// What there is of the schedules of some volumes, and what is promised of their points.
  Scheduled scheduled(List<VirtualVolume> volumes) {
    return Scheduled.of(
        store.schedules(), volumes.stream().map(VirtualVolume::id).toList(), promised(volumes));
  }

  /// The promises for those that demand recovery points. Without any, nothing is asked.
  private Map<VolumeId, PointPromise> promised(List<VirtualVolume> volumes) {
    List<VolumeId> demanding =
        volumes.stream()
            .filter(one -> !one.snapshot() && !one.requirements().points().equals(PointDemand.NONE))
            .map(VirtualVolume::id)
            .toList();
    return demanding.isEmpty() ? Map.of() : promises.of(demanding);
  }

  /// The contents of the schedule rows of some volumes, and what is promised of their points.
  record Scheduled(
      Map<VolumeId, SnapshotSchedule> schedules,
      Map<VolumeId, Instant> oldest,
      Map<VolumeId, PointPromise> promised) {

    static Scheduled of(
        ScheduleRepository rows,
        Collection<VolumeId> volumes,
        Map<VolumeId, PointPromise> promised) {
      Map<VolumeId, SnapshotSchedule> schedules = rows.find(volumes);
      return new Scheduled(
          schedules, schedules.isEmpty() ? Map.of() : rows.oldest(volumes), promised);
    }

    /// The same with other schedules.
    Scheduled with(Map<VolumeId, SnapshotSchedule> others) {
      return new Scheduled(others, oldest, promised);
    }
  }

  private Compliance judged(VirtualVolume volume, AppliedProfile applied, Scheduled scheduled) {
    List<Violation> violations = violations(volume, scheduled);
    return new Compliance(
        volume.id(),
        applied.id(),
        violations.isEmpty() ? ComplianceStatus.COMPLIANT : ComplianceStatus.NON_COMPLIANT,
        false,
        store.now(),
        violations);
  }

  /// The requirements that a volume does not meet. A snapshot requires nothing.
  private List<Violation> violations(VirtualVolume volume, Scheduled scheduled) {
    List<Violation> violations = new ArrayList<>();
    if (!volume.snapshot()) {
      spaceViolation(volume).ifPresent(violations::add);
      violations.addAll(limitViolations(volume));
      violations.addAll(pointViolations(volume, scheduled));
    }
    return violations;
  }

  /// The requirements of snapshots and recovery points that a volume does not meet. All others are
  /// met as soon as a profile is applied.
  List<Violation> pointViolations(VirtualVolume volume, Scheduled scheduled) {
    List<Violation> violations = new ArrayList<>();
    Optional<SnapshotSchedule> schedule =
        Optional.ofNullable(scheduled.schedules().get(volume.id()));
    intervalViolation(volume, schedule).ifPresent(violations::add);
    retentionViolation(volume, schedule, Optional.ofNullable(scheduled.oldest().get(volume.id())))
        .ifPresent(violations::add);
    violations.addAll(
        new PointJudgement(store.now(), store.seen())
            .violations(
                volume, Optional.ofNullable(scheduled.promised().get(volume.id())), schedule));
    return violations;
  }

  private Optional<Violation> spaceViolation(VirtualVolume volume) {
    SpaceEfficiency expected = volume.requirements().space();
    Optional<VolumeInfo> info = engine.find(volume.id());
    if (expected == null || info.isEmpty()) {
      return Optional.empty();
    }
    SpaceEfficiency current = info.get().reserved() ? SpaceEfficiency.THICK : SpaceEfficiency.THIN;
    return current == expected
        ? Optional.empty()
        : Optional.of(
            Violation.of(
                Capabilities.SPACE_EFFICIENCY,
                new Text(expected.text()),
                new Text(current.text())));
  }

  /// Judges the limits in the pool, which the target enforces. A volume whose policy asks for no
  /// limit may have one all the same.
  private List<Violation> limitViolations(VirtualVolume volume) {
    Limits expected = volume.requirements().limits();
    Optional<VolumeInfo> info = engine.find(volume.id());
    if (info.isEmpty()) {
      return List.of();
    }
    Limits current = LimitAttributes.of(info.get().attributes()).limits();
    List<Violation> violations = new ArrayList<>();
    if (expected.maxIops() != 0 && expected.maxIops() != current.maxIops()) {
      violations.add(limit(Capabilities.MAX_IOPS, expected.maxIops(), current.maxIops()));
    }
    if (expected.maxBandwidth() != 0 && expected.maxBandwidth() != current.maxBandwidth()) {
      violations.add(
          limit(Capabilities.MAX_BANDWIDTH, expected.maxBandwidth(), current.maxBandwidth()));
    }
    return violations;
  }

  private static Violation limit(CapabilityId id, long expected, long current) {
    return Violation.of(
        id, new CapabilityValue.Number(expected), new CapabilityValue.Number(current));
  }

  private Optional<Violation> intervalViolation(
      VirtualVolume volume, Optional<SnapshotSchedule> schedule) {
    Duration expected = volume.requirements().snapshotInterval();
    if (expected == null) {
      return Optional.empty();
    }
    if (schedule.isEmpty() || !schedule.get().enabled()) {
      return Optional.of(span(Capabilities.SNAPSHOT_INTERVAL, expected, ZERO));
    }
    Instant last = schedule.get().last();
    Duration elapsed = Duration.between(last == null ? schedule.get().since() : last, store.seen());
    return elapsed.compareTo(withGrace(expected)) > 0
        ? Optional.of(span(Capabilities.SNAPSHOT_INTERVAL, expected, elapsed))
        : Optional.empty();
  }

  private static Violation span(CapabilityId id, Duration expected, Duration current) {
    return Violation.of(id, Capabilities.span(expected), Capabilities.span(current));
  }

  private Optional<Violation> retentionViolation(
      VirtualVolume volume, Optional<SnapshotSchedule> schedule, Optional<Instant> oldest) {
    Duration expected = volume.requirements().snapshotRetention();
    if (expected == null) {
      return Optional.empty();
    }
    if (schedule.isEmpty() || !schedule.get().retentionEnabled()) {
      return Optional.of(span(Capabilities.SNAPSHOT_RETENTION, expected, ZERO));
    }
    return oldest
        .map(taken -> Duration.between(taken, store.seen()))
        .filter(age -> age.compareTo(withGrace(expected)) > 0)
        .map(age -> span(Capabilities.SNAPSHOT_RETENTION, expected, age));
  }

  static Duration withGrace(Duration expected) {
    Duration tenth = expected.dividedBy(10);
    return expected.plus(tenth.compareTo(GRACE) > 0 ? tenth : GRACE);
  }
}
