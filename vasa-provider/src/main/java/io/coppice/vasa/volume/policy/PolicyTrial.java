package io.coppice.vasa.volume.policy;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.Compliance;
import io.coppice.vasa.policy.ComplianceStatus;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.Violation;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.SnapshotSchedule;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A trial of an edition of a profile: the judgement of all volumes that have the profile, as it
/// would be right after the edition was applied to them. It looks, and changes nothing.
///
/// The change of a profile sets space, limits and schedules at once, or is refused. So a volume is
/// asked whether it would be refused, and else judged by its snapshots and recovery points, with
/// the schedule that it would have. What happens during the trial may be seen in part.
///
/// For one run.
final class PolicyTrial {

  /// Most volumes that are named.
  static final int MOST_UNKEPT = 1000;

  /// Volumes that are judged at once.
  private static final int PART = 1000;

  private final VolumeStore store;
  private final VolumePolicies policies;
  private final RoomLeft room;
  private final OfferedProfile wanted;
  private final Requirements requirements;
  private final List<PolicyEffect.Unkept> unkept = new ArrayList<>();
  private int using;
  private int compliant;
  private int broken;
  private int already;
  private int older;
  private long setAside;

  /// @param wanted the edition after the present one
  PolicyTrial(VolumeStore store, VolumePolicies policies, RoomLeft room, OfferedProfile wanted) {
    this.store = store;
    this.policies = policies;
    this.room = room;
    this.wanted = wanted;
    this.requirements = Capabilities.requirementsOf(wanted.asStorageProfile());
  }

  PolicyEffect run() {
    VolumeChoice choice = VolumeChoice.having(wanted.id());
    List<VirtualVolume> part = store.rows().page(choice, PART);
    while (!part.isEmpty()) {
      judge(part);
      VirtualVolume last = part.getLast();
      part =
          store.rows().page(choice.from(new VolumeChoice.Place(last.created(), last.id())), PART);
    }
    return new PolicyEffect(using, compliant, broken, already, older, setAside, unkept);
  }

  private void judge(List<VirtualVolume> part) {
    Map<VolumeId, Compliance> now = policies.compliance(part);
    List<VirtualVolume> after = part.stream().map(one -> one.requiring(requirements)).toList();
    VolumePolicies.Scheduled found = policies.scheduled(after);
    VolumePolicies.Scheduled scheduled = found.with(schedules(after, found.schedules()));
    for (VirtualVolume volume : after) {
      String refusal = refusal(volume);
      List<Violation> violations =
          refusal == null ? policies.pointViolations(volume, scheduled) : List.of();
      Compliance before = now.get(volume.id());
      boolean kept = before == null || before.status() == ComplianceStatus.COMPLIANT;
      count(volume, refusal != null || !violations.isEmpty(), kept);
      if ((refusal != null || !violations.isEmpty()) && unkept.size() < MOST_UNKEPT) {
        unkept.add(new PolicyEffect.Unkept(volume, !kept, refusal, violations));
      }
    }
  }

  /// @param fails whether it would not comply
  /// @param kept whether it complies now
  private void count(VirtualVolume volume, boolean fails, boolean kept) {
    using++;
    if (!fails) {
      compliant++;
    } else if (kept) {
      broken++;
    } else {
      already++;
    }
    AppliedProfile applied = volume.profile();
    if (applied != null && applied.generation() < wanted.generation() - 1) {
      older++;
    }
  }

  /// The reason for which the edition could not be applied to a volume; null if it could, and then
  /// its space is counted as taken.
  private @Nullable String refusal(VirtualVolume volume) {
    if (!wanted.isOfferedIn(volume.container())) {
      return "the policy would not be offered in its container";
    }
    if (!requirements.thick() || volume.thick()) {
      return null;
    }
    if (store.engine().journals().find(volume.id()).isPresent()) {
      return "it has continuous points, so its space cannot be set aside";
    }
    long free = room.in(volume.container());
    if (free < volume.sizeInBytes()) {
      return "its %d bytes cannot be set aside: its container would have %d bytes left"
          .formatted(volume.sizeInBytes(), Math.max(0, free));
    }
    long needed = room.needed(volume);
    room.take(volume.container(), needed);
    setAside += needed;
    return null;
  }

  /// The schedules that the volumes would have, as a change of their profile leaves them.
  private Map<VolumeId, SnapshotSchedule> schedules(
      List<VirtualVolume> volumes, Map<VolumeId, SnapshotSchedule> now) {
    Map<VolumeId, SnapshotSchedule> after = new HashMap<>();
    Duration interval = requirements.snapshotInterval();
    if (interval != null) {
      Instant seen = store.seen();
      volumes.forEach(
          one -> after.put(one.id(), schedule(one.id(), interval, now.get(one.id()), seen)));
    }
    return after;
  }

  private SnapshotSchedule schedule(
      VolumeId volume, Duration interval, @Nullable SnapshotSchedule now, Instant seen) {
    Duration retention = requirements.snapshotRetention();
    if (now == null) {
      return new SnapshotSchedule(volume, interval, retention, true, true, seen, seen, null, null);
    }
    return new SnapshotSchedule(
        volume,
        interval,
        retention,
        now.enabled(),
        now.retentionEnabled(),
        now.interval().equals(interval) ? now.since() : seen,
        now.next(),
        now.last(),
        now.lastError());
  }
}
