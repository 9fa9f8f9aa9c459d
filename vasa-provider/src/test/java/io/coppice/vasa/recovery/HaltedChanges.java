package io.coppice.vasa.recovery;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.binding.BindContext;
import io.coppice.vasa.binding.BindOutcome;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.recovery.PlaneState.Disk;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.Clones.NewClone;
import io.coppice.vasa.volume.VolumeOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// Draws changes of the control plane, each with what it does to the state when it happens.
final class HaltedChanges {

  /// Name of the container that the volumes are in.
  static final String MAIN = "main";

  private static final int MOST = 14;

  private final Random random;
  private final List<String> policies;
  private int number;

  /// One change.
  ///
  /// @param effect on the state before, what it makes left out
  /// @param makes how many volumes it makes, all of them or none
  record Change(String name, Runnable run, UnaryOperator<PlaneState> effect, int makes) {}

  /// @param policies ids of offered profiles
  HaltedChanges(Random random, List<String> policies) {
    this.random = random;
    this.policies = List.copyOf(policies);
  }

  Change next(ControlPlane plane, PlaneState now) {
    List<VolumeId> all = now.volumes().keySet().stream().sorted().toList();
    List<VolumeId> disks = all.stream().filter(id -> !now.volumes().get(id).snapshot()).toList();
    List<VolumeId> snapshots = all.stream().filter(id -> now.volumes().get(id).snapshot()).toList();
    List<VolumeId> free = all.stream().filter(id -> !now.bindings().containsKey(id)).toList();
    if (disks.size() < 3) {
      return create(plane, now);
    }
    if (all.size() > MOST && !free.isEmpty()) {
      return delete(plane, one(free));
    }
    VolumeId disk = one(disks);
    return switch (random.nextInt(13)) {
      case 0 -> create(plane, now);
      case 1 -> copy(plane, one(all));
      case 2 -> snapshot(plane, disk);
      case 3 -> group(plane, disks.subList(0, 2));
      case 4 -> free.isEmpty() ? create(plane, now) : delete(plane, one(free));
      case 5 -> revert(plane, now, snapshots);
      case 6 -> resize(plane, now, disk);
      case 7 -> metadata(plane, one(all));
      case 8 -> policy(plane, disk);
      case 9 -> bind(plane, one(disks));
      case 10 -> unbind(plane, now);
      case 11 -> unbindAll(plane, now);
      default -> container(plane, now);
    };
  }

  private <T> T one(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private Change create(ControlPlane plane, PlaneState now) {
    UUID container =
        now.containers().entrySet().stream()
            .filter(each -> each.getValue().equals(MAIN))
            .findFirst()
            .orElseThrow()
            .getKey();
    return new Change(
        "create",
        () -> plane.volume(plane.containers.require(container), GIB, Map.of("tag", "new")),
        before -> before,
        1);
  }

  private Change copy(ControlPlane plane, VolumeId source) {
    NewClone wanted = new NewClone(source, null, VolumeOrigin.HOST, null, Map.of("tag", "clone"));
    boolean linked = random.nextBoolean();
    return new Change(
        "clone",
        () -> {
          if (linked) {
            plane.clones.fastClone(wanted);
          } else {
            plane.clones.clone(wanted);
          }
        },
        before -> before,
        1);
  }

  private static Change snapshot(ControlPlane plane, VolumeId disk) {
    return new Change("snapshot", () -> plane.snapshot(disk), before -> before, 1);
  }

  private static Change group(ControlPlane plane, List<VolumeId> disks) {
    return new Change(
        "group", () -> plane.snapshots.takeGroup(disks, Map.of()), before -> before, disks.size());
  }

  private static Change delete(ControlPlane plane, VolumeId id) {
    return new Change("delete", () -> plane.volumes.delete(id), before -> before.without(id), 0);
  }

  private Change revert(ControlPlane plane, PlaneState now, List<VolumeId> snapshots) {
    List<VolumeId> fit = new ArrayList<>();
    for (VolumeId snapshot : snapshots) {
      Disk parent = now.volumes().get(now.volumes().get(snapshot).parent());
      if (parent != null
          && !parent.snapshot()
          && !now.bindings().containsKey(now.volumes().get(snapshot).parent())) {
        fit.add(snapshot);
      }
    }
    if (fit.isEmpty()) {
      return create(plane, now);
    }
    VolumeId snapshot = one(fit);
    Disk old = now.volumes().get(snapshot);
    VolumeId disk = old.parent();
    return new Change(
        "revert",
        () -> plane.snapshots.revert(disk, snapshot),
        before ->
            before.with(
                disk, before.volumes().get(disk).withSize(old.size()).withContent(old.content())),
        0);
  }

  private static Change resize(ControlPlane plane, PlaneState now, VolumeId disk) {
    long size = now.volumes().get(disk).size() + GIB;
    return new Change(
        "resize",
        () -> plane.volumes.resize(disk, size),
        before -> before.with(disk, before.volumes().get(disk).withSize(size)),
        0);
  }

  private Change metadata(ControlPlane plane, VolumeId id) {
    String tag = "tag" + number++;
    return new Change(
        "metadata",
        () -> plane.volumes.updateMetadata(id, Map.of("tag", tag), Set.of("absent")),
        before -> before.with(id, before.volumes().get(id).withTag(tag)),
        0);
  }

  private Change policy(ControlPlane plane, VolumeId disk) {
    String id = one(policies);
    OfferedProfile profile = plane.profiles.require(id);
    return new Change(
        "policy",
        () -> plane.policies.apply(disk, profile.asStorageProfile()),
        before ->
            before.with(
                disk,
                before
                    .volumes()
                    .get(disk)
                    .withPolicy(id, thick(profile, before.volumes().get(disk).thick()))),
        0);
  }

  private static boolean thick(OfferedProfile profile, boolean now) {
    return switch (profile.requirements().space()) {
      case THICK -> true;
      case THIN -> false;
      case null -> now;
    };
  }

  private static Change bind(ControlPlane plane, VolumeId disk) {
    return new Change(
        "bind",
        () -> {
          List<BindOutcome> outcomes =
              plane.bindings.bind(HOST, plane.declareHost(), List.of(disk));
          if (!(outcomes.getFirst() instanceof BindOutcome.Bound)) {
            throw new AssertionError("expected a binding, got " + outcomes);
          }
        },
        before -> before.bound(disk, before.bindings().getOrDefault(disk, 0) + 1),
        0);
  }

  private Change unbind(ControlPlane plane, PlaneState now) {
    if (now.bindings().isEmpty()) {
      return create(plane, now);
    }
    VolumeId id = one(now.bindings().keySet().stream().sorted().toList());
    return new Change(
        "unbind",
        () ->
            plane.bindings.unbind(
                HOST,
                BindContext.NORMAL,
                List.of(new Bindings.Handle(id, Optional.empty(), Optional.empty()))),
        before -> before.bound(id, before.bindings().getOrDefault(id, 0) - 1),
        0);
  }

  private Change unbindAll(ControlPlane plane, PlaneState now) {
    if (now.bindings().isEmpty()) {
      return create(plane, now);
    }
    if (random.nextBoolean()) {
      return new Change(
          "unbindAll",
          () -> plane.bindings.unbindAll(HOST),
          before -> new PlaneState(before.volumes(), Map.of(), before.containers()),
          0);
    }
    VolumeId id = one(now.bindings().keySet().stream().sorted().toList());
    return new Change(
        "unbindFromAllHosts",
        () -> plane.bindings.unbindFromAllHosts(List.of(id)),
        before -> before.bound(id, 0),
        0);
  }

  /// Containers beside the one with the volumes: a rename, or one that comes or goes.
  private Change container(ControlPlane plane, PlaneState now) {
    List<UUID> empty =
        now.containers().keySet().stream()
            .filter(id -> !MAIN.equals(now.containers().get(id)))
            .sorted()
            .toList();
    String name = "c" + number++;
    if (empty.isEmpty()) {
      return new Change(
          "container",
          () -> plane.containers.create(name, GIB),
          before -> before.withContainer(name),
          0);
    }
    UUID id = one(empty);
    Map<UUID, String> renamed = new HashMap<>(now.containers());
    if (random.nextBoolean()) {
      renamed.put(id, name);
      return new Change(
          "container",
          () -> plane.containers.update(id, name, GIB),
          before -> new PlaneState(before.volumes(), before.bindings(), renamed),
          0);
    }
    renamed.remove(id);
    return new Change(
        "container",
        () -> plane.containers.delete(id),
        before -> new PlaneState(before.volumes(), before.bindings(), renamed),
        0);
  }
}
