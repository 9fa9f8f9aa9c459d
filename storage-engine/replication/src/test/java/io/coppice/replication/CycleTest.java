package io.coppice.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.AwaitedIo;
import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.intake.TargetRules;
import io.coppice.replication.replica.ReplicaAttributes;
import io.coppice.replication.source.CycleResult;
import io.coppice.replication.source.CycleSender;
import io.coppice.replication.source.SourceGroup;
import io.coppice.replication.testing.Site;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Cycles between pools that are well.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class CycleTest {

  private static final int BLOCK = 4096;
  private static final int MIB = 1 << 20;

  @AutoClose private final Site a = new Site("a", 256 << 20);
  @AutoClose private final Site b = new Site("b", 256 << 20);
  @AutoClose private final Site c = new Site("c", 256 << 20);
  private final SplittableRandom random = new SplittableRandom(1);

  private byte[] noise(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Replica newest(Site site, SourceGroup group) {
    return site.catalog().of(group.id()).getFirst();
  }

  private static void assertSame(Site source, Site target, SourceGroup group) {
    Replica replica = newest(target, group);
    assertThat(replica.snapshots()).hasSameSizeAs(group.members());
    for (SourceGroup.SourceMember member : group.members()) {
      assertThat(target.read(replica, member.id())).isEqualTo(source.read(member.volume()));
    }
  }

  @Test
  void replicaHoldsTheWholeGroup() {
    VolumeId one = a.create(8 * MIB);
    VolumeId two = a.create(3 * MIB + 512);
    VolumeId empty = a.create(MIB);
    a.write(one, MIB, noise(2 * MIB + 512));
    a.write(two, 3 * MIB, noise(512));
    SourceGroup group = Site.group(one, two, empty);

    CycleResult result = a.replicate(b, group);

    assertSame(a, b, group);
    assertThat(result.dataBytes()).isEqualTo(2 * MIB + BLOCK + 512);
    assertThat(newest(b, group)).isEqualTo(newest(a, group));
    assertThat(newest(b, group).number()).isEqualTo(1);
  }

  @Test
  void nextCycleSendsWhatDiffers() {
    VolumeId volume = a.create(64 * MIB);
    a.write(volume, 0, noise(16 * MIB));
    SourceGroup group = Site.group(volume);
    a.replicate(b, group);
    for (int i = 0; i < 100; i++) {
      a.write(volume, i * 160L * 1024, noise(BLOCK));
    }
    unmap(a, volume, 15 * MIB, MIB);

    CycleResult result = a.replicate(b, group);

    assertSame(a, b, group);
    assertThat(result.dataBytes()).isEqualTo(96 * BLOCK); // four of them were unmapped
    assertThat(result.holeBytes()).isEqualTo(MIB);
    assertThat(result.linkBytes())
        .isLessThan((long) (1.05 * result.dataBytes()) + 512 * result.ranges());
    assertThat(b.catalog().of(group.id())).hasSize(2);
  }

  private static void unmap(Site site, VolumeId volume, long offset, long length) {
    AwaitedIo end = new AwaitedIo();
    site.engine().open(volume).unmap(offset, length, end);
    assertThat(end.await()).isNull();
  }

  @Test
  void replicaIsMadeEvenIfNothingDiffers() {
    VolumeId volume = a.create(MIB);
    SourceGroup group = Site.group(volume);
    a.replicate(b, group);

    CycleResult result = a.replicate(b, group);

    assertThat(result.dataBytes()).isZero();
    assertThat(b.catalog().of(group.id())).hasSize(2);
    assertThat(newest(b, group).number()).isEqualTo(2);
  }

  @Test
  void sourceKeepsTwoReplicas() {
    VolumeId volume = a.create(MIB);
    SourceGroup group = Site.group(volume);
    for (int i = 0; i < 5; i++) {
      a.write(volume, 0, noise(BLOCK));
      a.replicate(b, group);
    }

    assertThat(a.catalog().of(group.id())).hasSize(2);
    assertThat(a.engine().list()).hasSize(3);
    assertThat(b.catalog().of(group.id())).hasSize(5);
  }

  @Test
  void cloneIsSentAsCloneAndDifference() {
    VolumeId golden = a.create(64 * MIB);
    a.write(golden, 0, noise(32 * MIB));
    SourceGroup first = Site.group(golden);
    a.replicate(b, first);
    VolumeId clone = clone(a, golden);
    a.write(clone, 5 * MIB, noise(2 * BLOCK));
    SourceGroup second = Site.group(clone);

    CycleResult result = a.replicate(b, second);

    assertSame(a, b, second);
    assertThat(result.dataBytes()).isEqualTo(2 * BLOCK);
    assertThat(result.linkBytes()).isLessThan(MIB);
  }

  @Test
  void cloneOfWhatIsGoneIsSentAsItsSiblingAndTheDifference() {
    VolumeId template = a.create(64 * MIB);
    a.write(template, 0, noise(32 * MIB));
    VolumeId one = clone(a, template);
    VolumeId two = clone(a, template);
    a.engine().delete(OperationId.random(), template);
    a.write(one, 0, noise(BLOCK));
    a.write(two, MIB, noise(BLOCK));
    a.replicate(b, Site.group(one));
    SourceGroup second = Site.group(two);

    CycleResult result = a.replicate(b, second);

    assertSame(a, b, second);
    assertThat(result.dataBytes()).isEqualTo(2 * BLOCK);
  }

  private static VolumeId clone(Site site, VolumeId source) {
    return site.engine()
        .clone(OperationId.random(), new CloneSpec(source, VolumeId.random(), false, Map.of()))
        .id();
  }

  @Test
  void volumeThatGrewIsAsLargeInItsReplica() {
    VolumeId volume = a.create(MIB);
    a.write(volume, 0, noise(MIB));
    SourceGroup group = Site.group(volume);
    a.replicate(b, group);
    a.engine().resize(OperationId.random(), volume, 3 * MIB);
    a.write(volume, 2 * MIB, noise(BLOCK));

    CycleResult result = a.replicate(b, group);

    assertSame(a, b, group);
    assertThat(result.dataBytes()).isEqualTo(BLOCK);
  }

  @Test
  void volumeThatWentBackToASmallerSnapshotIsAsSmallInItsReplica() {
    VolumeId volume = a.create(MIB);
    a.write(volume, 0, noise(MIB));
    VolumeId small = VolumeId.random();
    a.engine()
        .snapshot(
            OperationId.random(),
            List.of(new SnapshotSpec(volume, small, Map.of())),
            Duration.ofSeconds(1));
    a.engine().resize(OperationId.random(), volume, 3 * MIB);
    SourceGroup group = Site.group(volume);
    a.replicate(b, group);
    byte[] before = a.read(volume);
    a.engine().revert(OperationId.random(), volume, small);

    a.replicate(b, group);

    assertSame(a, b, group);
    Replica older = b.catalog().of(group.id()).get(1);
    assertThat(b.read(older, volume.value())).isEqualTo(before);
  }

  @Test
  void volumeLeavesAndJoinsTheGroup() {
    VolumeId one = a.create(MIB);
    VolumeId two = a.create(MIB);
    VolumeId three = a.create(MIB);
    for (VolumeId volume : List.of(one, two, three)) {
      a.write(volume, 0, noise(BLOCK));
    }
    SourceGroup first = Site.group(one, two);
    a.replicate(b, first);
    SourceGroup then = new SourceGroup(first.id(), Site.group(two, three).members(), false);

    a.replicate(b, then);

    assertSame(a, b, then);
    UUID oldest = b.catalog().of(first.id()).getLast().cycle();
    b.catalog().delete(first.id(), oldest);
    a.replicate(b, then);
    assertThat(carriers(b)).as("that of the volume which left is gone").hasSize(2);
  }

  private static List<VolumeInfo> carriers(Site site) {
    return site.engine().list().stream().filter(ReplicaAttributes::isCarrier).toList();
  }

  @Test
  void replicaPassesOverASecondPool() {
    VolumeId volume = a.create(8 * MIB);
    a.write(volume, 0, noise(MIB));
    SourceGroup group = Site.group(volume);
    SourceGroup relayed = new SourceGroup(group.id(), group.members(), true);
    a.replicate(b, group);
    b.replicate(c, relayed);
    a.write(volume, 4 * MIB, noise(BLOCK));
    a.replicate(b, group);

    CycleResult result = b.replicate(c, relayed);

    assertSame(a, c, group);
    assertThat(result.dataBytes()).isEqualTo(BLOCK);
    assertThat(b.replicate(c, relayed).nothingNew()).isTrue();
    // The first pool goes on to the third one from what that has got over the second.
    a.write(volume, 0, noise(BLOCK));
    assertThat(a.replicate(c, group).dataBytes()).isEqualTo(BLOCK);
    assertSame(a, c, group);
  }

  @Test
  void groupGoesBackWithWhatChanged() {
    VolumeId volume = a.create(8 * MIB);
    a.write(volume, 0, noise(MIB));
    SourceGroup group = Site.group(volume);
    a.replicate(b, group);
    Replica common = newest(b, group);
    a.write(volume, 0, noise(BLOCK)); // lost by the fail-over
    VolumeId other = carriers(b).getFirst().id();
    b.write(other, 2 * MIB, noise(BLOCK));
    a.engine().revert(OperationId.random(), volume, common.snapshots().get(volume.value()));
    SourceGroup back =
        new SourceGroup(
            group.id(),
            List.of(new SourceGroup.SourceMember(volume.value(), other, Map.of())),
            false);

    CycleResult result = b.replicate(a, back);

    assertThat(result.dataBytes()).isEqualTo(BLOCK);
    assertThat(a.read(newest(a, group), volume.value())).isEqualTo(b.read(other));
  }

  @Test
  void sourceLeavesReplicasFromBeforeItsTimeAlone() {
    VolumeId volume = a.create(MIB);
    SourceGroup group = Site.group(volume);
    for (int i = 0; i < 3; i++) {
      a.replicate(b, group);
    }
    assertThat(a.catalog().of(group.id())).hasSize(CycleSender.KEPT);
    SourceGroup later = new SourceGroup(group.id(), group.members(), false, Instant.MAX);

    for (int i = 0; i < 3; i++) {
      a.replicate(b, later);
    }

    assertThat(a.catalog().of(group.id())).hasSize(CycleSender.KEPT + 3);
  }

  @Test
  void oneVolumeGoesToTwoPools() {
    VolumeId volume = a.create(MIB);
    SourceGroup toB = Site.group(volume);
    SourceGroup toC = Site.group(volume);
    for (int i = 0; i < 3; i++) {
      a.write(volume, 2L * i * BLOCK, noise(BLOCK));
      assertThat(a.replicate(b, toB).dataBytes()).isEqualTo((i == 0 ? 1 : 2) * BLOCK);
      assertSame(a, b, toB);
      a.write(volume, (2L * i + 1) * BLOCK, noise(BLOCK));
      assertThat(a.replicate(c, toC).dataBytes()).isEqualTo(2 * BLOCK);
    }

    assertSame(a, c, toC);
  }

  // ---- what is refused

  @Test
  void fullTargetRefusesAndKeepsWhatItHas() {
    try (Site small = new Site("small", 16 << 20)) {
      VolumeId volume = a.create(64 * MIB);
      a.write(volume, 0, noise(MIB));
      SourceGroup group = Site.group(volume);
      a.replicate(small, group);
      byte[] held = small.read(newest(small, group), volume.value());
      a.write(volume, 0, noise(32 * MIB));

      assertThatThrownBy(() -> a.replicate(small, group))
          .isInstanceOfSatisfying(
              ReplicationException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.OUT_OF_SPACE));

      assertThat(small.catalog().of(group.id())).hasSize(1);
      assertThat(small.read(newest(small, group), volume.value())).isEqualTo(held);
    }
  }

  @Test
  void cycleGoesOnWhenTheTargetHasSpaceAgain() {
    try (Site small = new Site("small", 32 << 20)) {
      VolumeId filler = small.create(32 * MIB);
      small.write(filler, 0, noise(16 * MIB));
      VolumeId volume = a.create(16 * MIB);
      SourceGroup group = Site.group(volume);
      a.write(volume, 0, noise(14 * MIB));
      assertThatThrownBy(() -> a.replicate(small, group)).isInstanceOf(ReplicationException.class);
      small.engine().delete(OperationId.random(), filler);

      CycleResult result = a.replicate(small, group);

      assertThat(result.resumed()).isTrue();
      assertThat(result.dataBytes()).isLessThan(14 * MIB);
      assertSame(a, small, group);
    }
  }

  @Test
  void targetSaysWhyItRefusesAGroup() {
    b.rules(
        new TargetRules() {
          @Override
          public void admit(PoolName peer) {}

          @Override
          public void admit(PoolName peer, UUID group) {
            throw new ReplicationException(Reason.STATE, "The group has failed over.");
          }
        });

    assertThatThrownBy(() -> a.replicate(b, Site.group(a.create(MIB))))
        .isInstanceOf(ReplicationException.class)
        .hasMessage("The group has failed over.");
  }

  @Test
  void controlPlanesTalkOverTheLink() {
    assertThat(a.call(b, "greet", "hello")).isEqualTo("greet: hello");
    b.rules(
        new TargetRules() {
          @Override
          public void admit(PoolName peer) {}

          @Override
          public void admit(PoolName peer, UUID group) {}
        });

    assertThatThrownBy(() -> a.call(b, "greet", "hello"))
        .isInstanceOf(ReplicationException.class)
        .hasMessage("Expected a subject that this pool knows, got greet: upgrade the older pool.");
  }

  @Test
  void targetThatLostItsNewestReplicaGetsItAgain() {
    VolumeId volume = a.create(MIB);
    SourceGroup group = Site.group(volume);
    a.write(volume, 0, noise(MIB));
    a.replicate(b, group);
    b.catalog().delete(group.id(), newest(b, group).cycle());

    a.replicate(b, group);

    assertSame(a, b, group);
    b.catalog().delete(group.id(), newest(b, group).cycle());
    carriers(b).forEach(carrier -> b.engine().delete(OperationId.random(), carrier.id()));

    a.replicate(b, group);

    assertSame(a, b, group);
  }

  @Test
  void volumeThatIsGoneIsNamed() {
    VolumeId volume = a.create(MIB);
    SourceGroup group = Site.group(volume);
    a.engine().delete(OperationId.random(), volume);

    assertThatThrownBy(() -> a.replicate(b, group))
        .isInstanceOf(StorageException.NotFound.class)
        .hasMessageContaining(volume.toString());
  }

  @Test
  void lockedReplicaStaysWhole() {
    VolumeId volume = a.create(MIB);
    SourceGroup group = Site.group(volume);
    a.replicate(b, group);
    Replica replica = newest(b, group);
    b.engine()
        .locks()
        .lock(
            OperationId.random(),
            replica.snapshots().get(volume.value()),
            b.engine().locks().now().plusSeconds(3600));

    assertThatThrownBy(() -> b.catalog().delete(group.id(), replica.cycle()))
        .isInstanceOf(StorageException.Locked.class);
    assertThat(b.catalog().of(group.id())).containsExactly(replica);
  }
}
