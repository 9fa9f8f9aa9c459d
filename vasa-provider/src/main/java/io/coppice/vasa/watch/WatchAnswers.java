package io.coppice.vasa.watch;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.KeptPoint;
import io.coppice.vasa.protection.ProtectedGroup;
import io.coppice.vasa.protection.ProtectedGroups;
import io.coppice.vasa.protection.ProtectionPolicies;
import io.coppice.vasa.protection.ProtectionPolicy;
import io.coppice.vasa.protection.WatchRule;
import io.coppice.vasa.volume.SnapshotGrid;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.snapshot.LockLimit;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/// The answers to suspicions. One that is new becomes an event, and a locked recovery point of each
/// group whose policy wants that. What is open is told to alerts.
///
/// A round asks the database only if a volume is, or was, under suspicion. A point that fails is
/// tried again with each round as long as the suspicion lasts. After a crash suspicions are
/// forgotten; the point of a group that was taken before is found by its name and age.
@Service
public final class WatchAnswers {

  /// The beginning of the names of snapshots that the watch takes.
  public static final String NAME = "ransomware-watch";

  private static final String TAKE = "recovery-points.take-suspect";

  private final VolumeWatches watches;
  private final ProtectedGroups groups;
  private final ProtectionPolicies policies;
  private final LockLimit limit;
  private final VolumeStore store;
  private final OwnWork own;
  private final PointsBefore before;
  private final Map<UUID, String> failed = new HashMap<>(); // of rounds: reasons by group
  private volatile Map<VolumeId, Suspicion> open = Map.of();

  public WatchAnswers(
      VolumeWatches watches,
      ProtectedGroups groups,
      ProtectionPolicies policies,
      LockLimit limit,
      VolumeStore store,
      JdbcClient jdbc,
      OwnWork own) {
    this.watches = watches;
    this.groups = groups;
    this.policies = policies;
    this.limit = limit;
    this.store = store;
    this.own = own;
    this.before = new PointsBefore(jdbc);
  }

  /// The suspicions that are open.
  public List<Suspicion> open() {
    return List.copyOf(open.values());
  }

  /// The open suspicion of a volume; empty if there is none.
  public Optional<Suspicion> find(VolumeId volume) {
    return Optional.ofNullable(open.get(volume));
  }

  /// The youngest snapshot of a volume before a moment of the machine's clock.
  public Optional<PointBefore> lastBefore(VolumeId volume, Instant since) {
    return before.find(volume, since);
  }

  /// Answers what is new and ends what is over. One thread at a time.
  public void round() {
    List<Suspect> suspects = watches.suspects();
    Map<VolumeId, Suspicion> known = open;
    if (suspects.isEmpty() && known.isEmpty()) {
      return;
    }
    Map<VolumeId, Suspicion> now = new HashMap<>();
    for (Suspect suspect : suspects) {
      Suspicion former = known.get(suspect.volume());
      if (former != null && former.suspect().since().equals(suspect.since())) {
        now.put(suspect.volume(), former.at(suspect));
      } else {
        store
            .rows()
            .find(suspect.volume())
            .map(volume -> begun(suspect, volume))
            .ifPresent(begun -> now.put(suspect.volume(), begun));
      }
    }
    known.forEach((volume, former) -> endIfOver(former, now.get(volume)));
    open = Map.copyOf(now);
    now.replaceAll((_, suspicion) -> withPoints(suspicion));
    open = Map.copyOf(now);
    if (now.isEmpty()) {
      failed.clear();
    }
  }

  private Suspicion begun(Suspect suspect, VirtualVolume volume) {
    boolean alert =
        groups.protecting(volume.id(), machineOf(volume)).stream()
            .allMatch(group -> watchOf(group).alert());
    Suspicion begun =
        new Suspicion(
            suspect,
            volume,
            before.find(volume.id(), suspect.since()).orElse(null),
            alert,
            Set.of(),
            List.of());
    store
        .changes()
        .append(
            VolumeChanges.of(volume, ChangeKind.UPDATE, "Suspected", WatchText.parameters(begun)));
    return begun;
  }

  private void endIfOver(Suspicion former, @Nullable Suspicion now) {
    if (now == null || !now.suspect().since().equals(former.suspect().since())) {
      store
          .changes()
          .append(
              VolumeChanges.of(
                  former.volume(),
                  ChangeKind.UPDATE,
                  "Unsuspected",
                  Map.of("since", former.suspect().since().toString())));
    }
  }

  private static @Nullable String machineOf(VirtualVolume volume) {
    return volume.metadata().get(SnapshotGrid.MACHINE_KEY);
  }

  private WatchRule watchOf(ProtectedGroup group) {
    return policies.find(group.policy()).map(ProtectionPolicy::watch).orElse(WatchRule.USUAL);
  }

  /// Takes the points that are still to be taken.
  private Suspicion withPoints(Suspicion suspicion) {
    List<UUID> taken = new ArrayList<>(suspicion.taken());
    List<UUID> settled = new ArrayList<>(suspicion.groups());
    VirtualVolume volume = suspicion.volume();
    for (ProtectedGroup group : groups.protecting(volume.id(), machineOf(volume))) {
      Duration lock = watchOf(group).lock();
      if (!lock.isZero() && !settled.contains(group.id())) {
        take(group, lock)
            .ifPresent(
                point -> {
                  settled.add(group.id());
                  taken.add(point.point().id());
                });
      }
    }
    return new Suspicion(
        suspicion.suspect(),
        volume,
        suspicion.lastBefore(),
        suspicion.alert(),
        Set.copyOf(settled),
        taken);
  }

  private Optional<KeptPoint> take(ProtectedGroup group, Duration wanted) {
    Duration longest = limit.longest();
    Duration lock = wanted.compareTo(longest) < 0 ? wanted : longest;
    try {
      KeptPoint point = groups.takeLocked(group.id(), NAME, lock, watches.settings().pause());
      own.done(TAKE, "%s: %s (%s)".formatted(group.name(), point.name(), point.point().id()));
      failed.remove(group.id());
      return Optional.of(point);
    } catch (VasaException e) {
      String reason = String.format(Locale.ROOT, "%s", e.getMessage());
      if (!reason.equals(failed.put(group.id(), reason))) { // a lasting failure is told once
        own.failed(TAKE, group.name(), reason);
      }
      return Optional.empty();
    }
  }
}
