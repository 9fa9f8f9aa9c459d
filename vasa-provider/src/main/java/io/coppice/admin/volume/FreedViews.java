package io.coppice.admin.volume;

import io.coppice.admin.field.SizeText;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.volume.FreedMember;
import io.coppice.api.volume.FreedSet;
import io.coppice.api.volume.ReclaimPlan;
import io.coppice.api.volume.ReclaimStep;
import io.coppice.engine.FreedSpace;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.LockedSnapshots;
import io.coppice.vasa.volume.space.SpaceStatistics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Forecasts of what deletions give back, as REST shows them. They look and change nothing.
@Component
final class FreedViews {

  /// Most volumes and snapshots of one set.
  static final int MOST_MEMBERS = 1000;

  /// Most candidates for a deletion that are looked at: the oldest.
  static final int MOST_CANDIDATES = 10_000;

  /// Origins of snapshots that nobody outside of the array counts on.
  private static final Set<VolumeOrigin> OWN = Set.of(VolumeOrigin.ADMIN, VolumeOrigin.SCHEDULE);

  private static final RowOrder BY_AGE = RowOrder.by("created");

  private static final Comparator<VirtualVolume> OLDEST =
      Comparator.comparing(VirtualVolume::created)
          .thenComparing(one -> one.id().value().toString());

  private final VirtualVolumes volumes;
  private final SpaceStatistics spaces;
  private final Bindings bindings;
  private final Exports exports;
  private final LockedSnapshots locks;

  FreedViews(
      VirtualVolumes volumes,
      SpaceStatistics spaces,
      Bindings bindings,
      Exports exports,
      LockedSnapshots locks) {
    this.locks = locks;
    this.volumes = volumes;
    this.spaces = spaces;
    this.bindings = bindings;
    this.exports = exports;
  }

  // ---- a set

  /// What the deletion of some volumes and snapshots gives back.
  ///
  /// @param withSnapshots whether the snapshots of these volumes are deleted, too
  FreedSet ofSet(Collection<VolumeId> ids, boolean withSnapshots) {
    Map<VolumeId, VirtualVolume> members = new HashMap<>();
    volumes.find(ids).forEach(one -> members.put(one.id(), one));
    for (VolumeId id : ids) {
      if (!members.containsKey(id)) {
        throw RequestRejectedException.notFound("volume or snapshot", id);
      }
    }
    Set<VolumeId> order = new LinkedHashSet<>(ids);
    if (withSnapshots) {
      snapshotsOf(members.keySet()).forEach(one -> members.putIfAbsent(one.id(), one));
      order.addAll(members.values().stream().sorted(OLDEST).map(VirtualVolume::id).toList());
    }
    if (order.size() > MOST_MEMBERS) {
      throw RequestRejectedException.field(
          "snapshots",
          "expected at most %d volumes and snapshots, got %d or more"
              .formatted(MOST_MEMBERS, order.size()));
    }
    return set(spaces.freedIfDeleted(order), members);
  }

  private List<VirtualVolume> snapshotsOf(Set<VolumeId> parents) {
    return volumes.snapshots(SnapshotChoice.of(parents, null), BY_AGE, MOST_MEMBERS + 1);
  }

  private FreedSet set(FreedSpace freed, Map<VolumeId, VirtualVolume> members) {
    List<FreedMember> items = new ArrayList<>();
    long sum = 0;
    for (FreedSpace.Step step : freed.steps()) {
      VirtualVolume one = Objects.requireNonNull(members.get(step.volume()));
      long alone = spaces.freedIfDeleted(step.volume());
      sum += alone;
      items.add(member(one, alone, step.bytes()));
    }
    return new FreedSet(freed.bytes(), freed.atLeast(), sentence(freed, sum), items);
  }

  private FreedMember member(VirtualVolume one, long alone, long total) {
    long mapped = spaces.find(one.id()).map(VolumeSpace::mapped).orElse(0L);
    return new FreedMember(
        one.id().value(),
        kind(one),
        VmId.nameOf(one),
        one.container(),
        alone,
        total,
        Math.max(0, mapped - alone),
        stays(one));
  }

  /// Why a deletion by an administrator would be refused as things are.
  private @Nullable String stays(VirtualVolume one) {
    Optional<Instant> locked = locks.lockedUntil(one.id());
    if (locked.isPresent()) {
      return "It is locked until %s.".formatted(locked.get());
    }
    if (exports.isExported(one.id())) {
      return "It is exported: end the export first.";
    }
    if (!bindings.of(one.id()).isEmpty()) {
      return "A host has it bound.";
    }
    return OWN.contains(one.origin()) ? null : "It belongs to vCenter, which deletes it.";
  }

  private static String sentence(FreedSpace freed, long sumOfSingles) {
    int number = freed.steps().size();
    String given = (freed.atLeast() ? "at least " : "") + SizeText.of(freed.bytes());
    String sentence =
        "Deleting %s gives back %s".formatted(number == 1 ? "it" : "these " + number, given);
    long together = freed.bytes() - sumOfSingles;
    if (freed.bytes() == 0 && !freed.atLeast()) {
      sentence =
          number == 1
              ? "Deleting it gives back nothing: it holds no data of its own"
              : "Deleting these %d gives back nothing: they hold no data of their own"
                  .formatted(number);
    } else if (together > 0) {
      sentence += ", %s of it only because they go together".formatted(SizeText.of(together));
    }
    return sentence + (freed.atLeast() ? "; deleted data is still being reclaimed." : ".");
  }

  private static String kind(VirtualVolume one) {
    if (one.snapshot()) {
      return "snapshot";
    }
    return one.origin() == VolumeOrigin.ADMIN ? "volume" : "vvol";
  }

  // ---- the oldest

  /// What must be deleted to get back so many bytes, the oldest first: snapshots that
  /// administrators and schedules took.
  ///
  /// @param withVolumes whether plain volumes may go, too
  ReclaimPlan oldestFor(long bytes, boolean withVolumes) {
    Map<VolumeId, VirtualVolume> candidates =
        candidates(withVolumes).stream().collect(Collectors.toMap(VirtualVolume::id, one -> one));
    List<VolumeId> order =
        candidates.values().stream().sorted(OLDEST).map(VirtualVolume::id).toList();
    FreedSpace freed = spaces.freedInOrder(order, bytes);
    List<ReclaimStep> items =
        freed.steps().stream()
            .map(step -> step(Objects.requireNonNull(candidates.get(step.volume())), step.bytes()))
            .toList();
    return new ReclaimPlan(
        freed.bytes() >= bytes,
        freed.bytes(),
        freed.atLeast(),
        planSentence(freed, bytes, order.size(), withVolumes),
        order.size(),
        items);
  }

  private List<VirtualVolume> candidates(boolean withVolumes) {
    SnapshotChoice own = new SnapshotChoice(null, OWN, null, null, List.of(), null);
    List<VirtualVolume> found = new ArrayList<>(volumes.snapshots(own, BY_AGE, MOST_CANDIDATES));
    if (withVolumes) {
      found.addAll(volumes.page(VolumeChoice.plain(null, null), BY_AGE, MOST_CANDIDATES));
    }
    return found.stream().filter(this::isUnused).sorted(OLDEST).limit(MOST_CANDIDATES).toList();
  }

  private boolean isUnused(VirtualVolume one) {
    return bindings.of(one.id()).isEmpty() && !exports.isExported(one.id());
  }

  private static ReclaimStep step(VirtualVolume one, long total) {
    VolumeId parent = one.snapshot() ? one.parent() : null;
    return new ReclaimStep(
        one.id().value(),
        kind(one),
        VmId.nameOf(one),
        parent == null ? null : parent.value(),
        one.container(),
        one.created(),
        total);
  }

  private static String planSentence(
      FreedSpace freed, long bytes, int candidates, boolean withVolumes) {
    String what = withVolumes ? "snapshots and plain volumes" : "snapshots";
    if (candidates == 0) {
      return "There are no %s that may go: those of vCenter and those in use stay.".formatted(what);
    }
    String given = (freed.atLeast() ? "at least " : "") + SizeText.of(freed.bytes());
    String more = freed.atLeast() ? "; deleted data is still being reclaimed." : ".";
    if (freed.bytes() >= bytes) {
      int number = freed.steps().size();
      return "Deleting the %s of %d %s gives back %s%s"
          .formatted(number == 1 ? "oldest" : number + " oldest", candidates, what, given, more);
    }
    return "Deleting all %s that may go, %d in number, gives back %s of %s%s"
        .formatted(what, candidates, given, SizeText.of(bytes), more);
  }
}
