package io.coppice.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.AwaitedIo;
import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.replication.replica.ReplicaAttributes;
import io.coppice.replication.source.SourceGroup;
import io.coppice.replication.testing.MemoryWire;
import io.coppice.replication.testing.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/// A life of a group under cuts: by one seed, volumes change, cycles are cut in every way, and
/// either pool loses its power. After each step every replica at the target is held against a model
/// that knows nothing of replication: the bytes that were written.
final class CutRun {

  private static final int BLOCK = 4096;
  private static final int MOST_BLOCKS = 192;
  private static final int ROUNDS = 4;

  private final SplittableRandom random;
  private final Site source = new Site("source", 96 << 20);
  private final Site target = new Site("target", 96 << 20);
  private final UUID group = new UUID(7, 7);
  private final Map<VolumeId, byte[]> model = new HashMap<>();
  private final Map<UUID, Map<UUID, byte[]>> expected = new HashMap<>(); // by cycle, by member
  private final Map<VolumeId, Kept> snapshots = new HashMap<>(); // of people, by volume
  private int cuts;

  /// A snapshot that somebody took of a volume.
  private record Kept(VolumeId id, byte[] content) {}

  CutRun(long seed) {
    random = new SplittableRandom(seed);
  }

  /// Runs to the end, and returns how many cycles were cut.
  int run() {
    try (source;
        target) {
      int volumes = 1 + random.nextInt(3);
      for (int i = 0; i < volumes; i++) {
        create();
      }
      for (int round = 0; round < ROUNDS; round++) {
        change();
        while (random.nextInt(3) > 0) {
          cut();
          if (random.nextInt(4) == 0) {
            change();
          }
        }
        source.replicate(target, present());
        verify();
        assertThat(target.catalog().of(group).getFirst()).isEqualTo(newestAtSource());
      }
      settle();
    }
    return cuts;
  }

  private Replica newestAtSource() {
    return source.catalog().of(group).getFirst();
  }

  // ---- the volumes

  private void create() {
    int bytes = (1 + random.nextInt(MOST_BLOCKS)) * BLOCK - 512 * random.nextInt(8);
    model.put(source.create(Math.max(bytes, 4096)), new byte[Math.max(bytes, 4096)]);
  }

  private VolumeId any() {
    List<VolumeId> all = new ArrayList<>(model.keySet());
    all.sort(null);
    return all.get(random.nextInt(all.size()));
  }

  private void change() {
    for (int i = random.nextInt(12); i >= 0; i--) {
      switch (random.nextInt(14)) {
        case 0 -> unmap(any());
        case 1 -> grow(any());
        case 2 -> copy(any());
        case 3 -> {
          if (model.size() > 1) {
            VolumeId gone = any();
            source.engine().delete(OperationId.random(), gone);
            model.remove(gone);
          }
        }
        case 4 -> snapshot(any());
        case 5 -> revert(any());
        default -> write(any());
      }
    }
  }

  private void write(VolumeId volume) {
    byte[] content = model.get(volume);
    int sectors = content.length / 512;
    int first = random.nextInt(sectors);
    int count = 1 + random.nextInt(Math.min(sectors - first, random.nextBoolean() ? 8 : 512));
    byte[] bytes = new byte[count * 512];
    random.nextBytes(bytes);
    source.write(volume, first * 512L, bytes);
    System.arraycopy(bytes, 0, content, first * 512, bytes.length);
  }

  private void unmap(VolumeId volume) {
    byte[] content = model.get(volume);
    int from = random.nextInt(content.length / 512) * 512;
    int length = Math.min(content.length - from, random.nextInt(1, 300) * 512);
    AwaitedIo end = new AwaitedIo();
    source.engine().open(volume).unmap(from, length, end);
    assertThat(end.await()).isNull();
    Arrays.fill(content, from, from + length, (byte) 0);
  }

  private void grow(VolumeId volume) {
    byte[] content = model.get(volume);
    int larger = content.length + random.nextInt(1, 64) * 512;
    source.engine().resize(OperationId.random(), volume, larger);
    model.put(volume, Arrays.copyOf(content, larger));
  }

  private void copy(VolumeId volume) {
    if (model.size() < 5) {
      VolumeInfo made =
          source
              .engine()
              .clone(
                  OperationId.random(), new CloneSpec(volume, VolumeId.random(), false, Map.of()));
      model.put(made.id(), model.get(volume).clone());
    }
  }

  private void snapshot(VolumeId volume) {
    Kept kept = new Kept(VolumeId.random(), model.get(volume).clone());
    source
        .engine()
        .snapshot(
            OperationId.random(),
            List.of(new SnapshotSpec(volume, kept.id(), Map.of())),
            Duration.ofSeconds(10));
    snapshots.put(volume, kept);
  }

  private void revert(VolumeId volume) {
    Kept kept = snapshots.get(volume);
    if (kept != null) {
      source.engine().revert(OperationId.random(), volume, kept.id());
      model.put(volume, kept.content().clone());
    }
  }

  private SourceGroup present() {
    List<SourceGroup.SourceMember> members = new ArrayList<>();
    model.keySet().stream()
        .sorted()
        .forEach(
            volume ->
                members.add(
                    new SourceGroup.SourceMember(volume.value(), volume, Map.of("n", "1"))));
    return new SourceGroup(group, members, false);
  }

  // ---- the cuts

  private void cut() {
    MemoryWire wire = new MemoryWire();
    MemoryWire.Fault[] faults = MemoryWire.Fault.values();
    MemoryWire.Fault fault = faults[random.nextInt(faults.length)];
    boolean towardsTarget = random.nextInt(4) > 0;
    long bytes = random.nextInt(2) == 0 ? random.nextInt(2_000) : random.nextInt(1_500_000);
    long after = towardsTarget ? bytes : bytes / 200;
    boolean isTarget = random.nextBoolean();
    if (fault == MemoryWire.Fault.POWER) {
      wire.failPower(
          towardsTarget, after, isTarget ? target.engine()::abandon : source.engine()::abandon);
    } else {
      wire.fail(towardsTarget, after, fault);
    }
    try {
      source.replicate(target, present(), wire);
    } catch (ReplicationException e) {
      assertThat(e.reason())
          .isIn(
              ReplicationException.Reason.UNREACHABLE,
              ReplicationException.Reason.DAMAGED,
              ReplicationException.Reason.POOL_FAILED);
      cuts++;
    } catch (StorageException.DeviceFailed e) {
      cuts++; // the source's power
    }
    if (fault == MemoryWire.Fault.POWER || random.nextInt(4) == 0) {
      target.crash(random);
      source.crash(random);
    }
    verify();
    if (random.nextInt(5) == 0) {
      forsake();
    }
  }

  /// Deletes what a cycle that has not ended was to bring: the next one is another cycle.
  private void forsake() {
    for (Replica replica : source.catalog().of(group)) {
      if (target.catalog().find(group, replica.cycle()).isEmpty()) {
        source.catalog().delete(group, replica.cycle());
      }
    }
  }

  /// Notes what a cycle that has just begun must bring: nothing was written since.
  private void note() {
    for (Replica replica : source.catalog().of(group)) {
      expected.computeIfAbsent(
          replica.cycle(),
          _ -> {
            Map<UUID, byte[]> content = new HashMap<>();
            replica
                .snapshots()
                .keySet()
                .forEach(member -> content.put(member, model.get(new VolumeId(member)).clone()));
            return content;
          });
    }
  }

  private void verify() {
    note();
    for (Replica replica : target.catalog().of(group)) {
      Map<UUID, byte[]> content = expected.get(replica.cycle());
      assertThat(content).as("the source took replica %s", replica).isNotNull();
      assertThat(replica.snapshots().keySet()).isEqualTo(content.keySet());
      content.forEach(
          (member, bytes) -> {
            if (!Arrays.equals(bytes, target.read(replica, member))) {
              throw new AssertionError(
                  "member %s of replica %d differs".formatted(member, replica.number()));
            }
          });
    }
  }

  /// Both pools have no more than the replicas, the volumes, and a carrier for each member.
  private void settle() {
    Set<VolumeId> known = new HashSet<>();
    Set<VolumeId> carriers = new HashSet<>();
    for (Replica replica : target.catalog().of(group)) {
      known.addAll(replica.snapshots().values());
      replica
          .snapshots()
          .values()
          .forEach(id -> carriers.add(target.engine().find(id).orElseThrow().origin()));
    }
    known.addAll(carriers);
    assertThat(target.engine().list()).extracting(VolumeInfo::id).allMatch(known::contains);
    assertThat(source.catalog().of(group)).hasSizeLessThanOrEqualTo(2);
    Set<VolumeId> kept = new HashSet<>(model.keySet());
    assertThat(source.engine().list())
        .filteredOn(
            info -> info.kind() == VolumeKind.SNAPSHOT && !ReplicaAttributes.isReplica(info))
        .allMatch(info -> kept.add(info.id()));
    source.catalog().of(group).forEach(replica -> kept.addAll(replica.snapshots().values()));
    assertThat(source.engine().list()).extracting(VolumeInfo::id).allMatch(kept::contains);
    assertThat(source.engine().list())
        .noneMatch(info -> info.kind() == VolumeKind.WRITABLE && ReplicaAttributes.isCarrier(info));
    for (Map.Entry<VolumeId, byte[]> volume : model.entrySet()) {
      assertThat(source.read(volume.getKey())).isEqualTo(volume.getValue());
    }
  }
}
