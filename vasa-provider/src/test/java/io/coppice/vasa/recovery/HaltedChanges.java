package io.coppice.vasa.recovery;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.ControlPlane.MIB;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.vasa.binding.BindContext;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.recovery.PlaneState.Disk;
import io.coppice.vasa.recovery.PlaneState.Place;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.copy.Clones.NewClone;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/// Draws changes of the control plane, each with what it does to the state when it happens.
final class HaltedChanges {

  /// Name of the container that the volumes are in.
  static final String MAIN = "main";

  private static final int MOST = 14;
  private static final long SIZE = 128 * MIB;

  private final Random random;
  private final List<String> policies;
  private final HaltedCopies copies;
  private final HaltedMoves moves;
  private int number;

  /// @param policies ids of offered profiles
  HaltedChanges(Random random, List<String> policies) {
    this.random = random;
    this.policies = List.copyOf(policies);
    this.copies = new HaltedCopies(random);
    this.moves = new HaltedMoves(random);
  }

  HaltedChange next(ControlPlane plane, PlaneState whole) {
    PlaneState now = whole.withoutBinned();
    List<VolumeId> binned =
        whole.volumes().keySet().stream()
            .filter(id -> whole.volumes().get(id).binned())
            .sorted()
            .toList();
    List<VolumeId> all = now.volumes().keySet().stream().sorted().toList();
    List<VolumeId> disks = all.stream().filter(id -> !now.volumes().get(id).snapshot()).toList();
    List<VolumeId> snapshots = all.stream().filter(id -> now.volumes().get(id).snapshot()).toList();
    List<VolumeId> free = all.stream().filter(id -> !now.bindings().containsKey(id)).toList();
    if (disks.size() < 3) {
      return create(plane, now);
    }
    if (whole.volumes().size() > MOST && !binned.isEmpty()) {
      return purge(plane, one(binned));
    }
    if (all.size() > MOST && !free.isEmpty()) {
      return delete(plane, one(free));
    }
    VolumeId disk = one(disks);
    return switch (random.nextInt(26)) {
      case 0 -> create(plane, now);
      case 1 -> copy(plane, now, one(all));
      case 2 -> snapshot(plane, disk);
      case 3 -> group(plane, disks.subList(0, 2));
      case 4 -> free.isEmpty() ? create(plane, now) : delete(plane, one(free));
      case 5 -> revert(plane, now, snapshots);
      case 6 -> resize(plane, now, disk);
      case 7 -> metadata(plane, one(all));
      case 8 -> policy(plane, disk);
      case 9 -> bind(plane, now, disk);
      case 10 -> unbind(plane, now);
      case 11 -> unbindAll(plane, now);
      case 12 -> container(plane, now);
      case 16, 17 -> binned.isEmpty() ? revert(plane, now, snapshots) : restore(plane, one(binned));
      case 18 -> binned.isEmpty() ? snapshot(plane, disk) : purge(plane, one(binned));
      case 13, 14, 15 -> copies.next(plane, now).orElseGet(() -> snapshot(plane, disk));
      default -> now.bindings().isEmpty() ? bind(plane, now, disk) : moves.next(plane, now);
    };
  }

  private <T> T one(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private HaltedChange create(ControlPlane plane, PlaneState now) {
    UUID container =
        now.containers().entrySet().stream()
            .filter(each -> each.getValue().equals(MAIN))
            .findFirst()
            .orElseThrow()
            .getKey();
    return new HaltedChange(
        "create",
        () -> plane.volume(plane.containers.require(container), SIZE, Map.of("tag", "new")),
        before -> before,
        1);
  }

  private HaltedChange copy(ControlPlane plane, PlaneState now, VolumeId source) {
    String tag = "clone" + number++;
    long size = now.volumes().get(source).size() + (random.nextBoolean() ? SIZE / 2 : 0);
    NewClone wanted = new NewClone(source, null, VolumeOrigin.HOST, null, size, Map.of("tag", tag));
    boolean linked = random.nextBoolean();
    return new HaltedChange(
        "clone",
        () -> {
          if (linked) {
            plane.clones.fastClone(wanted);
          } else {
            plane.clones.clone(wanted);
          }
        },
        before -> before,
        1,
        List.of(),
        (after, _, _) -> requireSize(after, tag, size));
  }

  private static void requireSize(ControlPlane plane, String tag, long size) {
    for (Disk disk : PlaneState.of(plane).volumes().values()) {
      if (disk.tag().equals(tag) && disk.size() != size) {
        throw new AssertionError("expected %s of %d bytes, got %s".formatted(tag, size, disk));
      }
    }
  }

  private static HaltedChange snapshot(ControlPlane plane, VolumeId disk) {
    return new HaltedChange("snapshot", () -> plane.snapshot(disk), before -> before, 1);
  }

  private static HaltedChange group(ControlPlane plane, List<VolumeId> disks) {
    return new HaltedChange(
        "group", () -> plane.snapshots.takeGroup(disks, Map.of()), before -> before, disks.size());
  }

  private static HaltedChange delete(ControlPlane plane, VolumeId id) {
    return new HaltedChange(
        "delete", () -> plane.volumes.delete(id), before -> binned(before, id, true), 0);
  }

  private static PlaneState binned(PlaneState before, VolumeId id, boolean value) {
    return before.with(id, before.volumes().get(id).withBinned(value));
  }

  private static HaltedChange purge(ControlPlane plane, VolumeId id) {
    return new HaltedChange("purge", () -> plane.bin.purge(id), before -> before.without(id), 0);
  }

  /// Of a safety copy, the undoing of a revert is another revert: [#revert] has those.
  private HaltedChange restore(ControlPlane plane, VolumeId id) {
    return plane.bin.require(id).binning().isSafetyCopy()
        ? purge(plane, id)
        : new HaltedChange(
            "restore", () -> plane.bin.restore(id, null), before -> binned(before, id, false), 0);
  }

  private HaltedChange revert(ControlPlane plane, PlaneState now, List<VolumeId> snapshots) {
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
    return new HaltedChange(
        "revert",
        () -> plane.reverts.revert(disk, snapshot),
        before ->
            before.with(
                disk, before.volumes().get(disk).withSize(old.size()).withContent(old.content())),
        1);
  }

  private static HaltedChange resize(ControlPlane plane, PlaneState now, VolumeId disk) {
    long size = now.volumes().get(disk).size() + SIZE / 2;
    return new HaltedChange(
        "resize",
        () -> plane.volumes.resize(disk, size),
        before -> before.with(disk, before.volumes().get(disk).withSize(size)),
        0);
  }

  private HaltedChange metadata(ControlPlane plane, VolumeId id) {
    String tag = "tag" + number++;
    return new HaltedChange(
        "metadata",
        () -> plane.volumes.updateMetadata(id, Map.of("tag", tag), Set.of("absent")),
        before -> before.with(id, before.volumes().get(id).withTag(tag)),
        0);
  }

  private HaltedChange policy(ControlPlane plane, VolumeId disk) {
    String id = one(policies);
    OfferedProfile profile = plane.profiles.require(id);
    return new HaltedChange(
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

  private HaltedChange bind(ControlPlane plane, PlaneState now, VolumeId disk) {
    ProtocolEndpoint endpoint =
        one(
            plane.luns.endpoints().stream()
                .filter(each -> !now.retired().contains(each.lun()))
                .toList());
    Place place = now.bindings().getOrDefault(disk, new Place(endpoint.lun(), 0, 0));
    return new HaltedChange(
        "bind",
        () -> {
          plane.declareHost();
          HaltedMoves.requireBound(
              plane.bindings.bind(HOST, Set.of(endpoint.naa()), List.of(disk)));
        },
        before -> before.bound(disk, place.plus(1)),
        0);
  }

  private HaltedChange unbind(ControlPlane plane, PlaneState now) {
    if (now.bindings().isEmpty()) {
      return create(plane, now);
    }
    VolumeId id = one(now.bindings().keySet().stream().sorted().toList());
    return new HaltedChange(
        "unbind",
        () ->
            plane.bindings.unbind(
                HOST,
                BindContext.NORMAL,
                new Bindings.Handle(id, Optional.empty(), Optional.empty())),
        before -> before.bound(id, now.bindings().get(id).plus(-1)),
        0);
  }

  private HaltedChange unbindAll(ControlPlane plane, PlaneState now) {
    if (now.bindings().isEmpty()) {
      return create(plane, now);
    }
    if (random.nextBoolean()) {
      return new HaltedChange(
          "unbindAll", () -> plane.bindings.unbindAll(HOST), PlaneState::withoutBindings, 0);
    }
    VolumeId id = one(now.bindings().keySet().stream().sorted().toList());
    return new HaltedChange(
        "unbindFromAllHosts",
        () -> plane.bindings.unbindFromAllHosts(id, _ -> true),
        before -> before.bound(id, null),
        0);
  }

  /// Containers beside the one with the volumes: a rename, or one that comes or goes.
  private HaltedChange container(ControlPlane plane, PlaneState now) {
    List<UUID> empty =
        now.containers().keySet().stream()
            .filter(id -> !MAIN.equals(now.containers().get(id)))
            .sorted()
            .toList();
    String name = "c" + number++;
    if (empty.isEmpty()) {
      return new HaltedChange(
          "container",
          () -> plane.containers.create(name, GIB),
          before -> before.withContainer(name),
          0);
    }
    UUID id = one(empty);
    Map<UUID, String> renamed = new HashMap<>(now.containers());
    if (random.nextBoolean()) {
      renamed.put(id, name);
      return new HaltedChange(
          "container",
          () -> plane.containers.update(id, name, GIB),
          before -> before.withContainers(renamed),
          0);
    }
    renamed.remove(id);
    return new HaltedChange(
        "container",
        () -> plane.containers.delete(id),
        before -> before.withContainers(renamed),
        0);
  }
}
