package io.coppice.vasa.volume.bin;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.MIB;
import static io.coppice.vasa.testing.ControlPlane.made;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.volume.BinChoice;
import io.coppice.vasa.volume.BinnedVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The recycle bin of a pool that needs its space.
class FullPoolBinTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private ControlPlane plane;
  private StorageContainer container;

  @AfterEach
  void stop() {
    plane.target.close();
  }

  private List<VolumeId> inBin() {
    return plane.bin.page(BinChoice.ALL, RowOrder.by("deleted"), 100).stream()
        .map(BinnedVolume::id)
        .toList();
  }

  @Test
  void aFullPoolPurgesTheOldestFirstAndOnlyWhatItNeeds() {
    smallPool(256 * MIB, 0);
    VolumeId second = deleted(70, 70);
    long wanted = plane.engine.space().free() + 50 * MIB;

    VolumeId made = made(plane.volumes.create(thick(wanted - wanted % MIB)));

    assertThat(plane.volumes.ids()).containsExactly(made);
    assertThat(inBin()).containsExactly(second);
  }

  @Test
  void aPoolThatGetsFullPurgesTheOldestBeforeWritesAreRefused() {
    smallPool(128 * MIB, 50);
    VolumeId second = deleted(50, 8);
    assertThat(plane.binRounds.makeRoomWhenLow()).isZero();

    plane.write(plane.volume(container, GIB), 0, (int) (25 * MIB), 3);
    assertThat(plane.binRounds.makeRoomWhenLow()).isOne();

    assertThat(inBin()).containsExactly(second);
    assertThat(plane.binRounds.makeRoomWhenLow()).isZero();
  }

  @Test
  void aRoundThatFoundNothingToPurgeIsFollowedByAPause() {
    smallPool(128 * MIB, 50);
    VolumeId volume = plane.volume(container, GIB);
    plane.write(volume, 0, (int) (70 * MIB), 1);
    VolumeId snapshot = plane.snapshot(volume);
    plane.volumes.delete(snapshot);
    assertThat(plane.binRounds.makeRoomWhenLow()).as("it shares all of its data").isZero();

    plane.volumes.delete(volume);
    assertThat(plane.binRounds.makeRoomWhenLow()).isZero();
    plane.clock.advance(Duration.ofSeconds(10));

    assertThat(plane.binRounds.makeRoomWhenLow()).isEqualTo(2);
    assertThat(inBin()).isEmpty();
  }

  private void smallPool(long size, int freePercent) {
    TestClock clock = new TestClock();
    plane =
        ControlPlane.withBin(
            new MemoryEngine(size, clock), clock, new BinSettings(ControlPlane.KEPT, freePercent));
    container = plane.container("c1");
  }

  /// Deletes two volumes that have been written to, an hour apart.
  ///
  /// @return the second one
  private VolumeId deleted(int mibOfFirst, int mibOfSecond) {
    VolumeId first = plane.volume(container, GIB);
    VolumeId second = plane.volume(container, GIB);
    plane.write(first, 0, (int) (mibOfFirst * MIB), 1);
    plane.write(second, 0, (int) (mibOfSecond * MIB), 2);
    plane.volumes.delete(first);
    plane.clock.advance(HOUR);
    plane.volumes.delete(second);
    return second;
  }

  private NewVolume thick(long size) {
    StorageProfile thick =
        plane
            .profiles
            .create(
                new ProfileDraft(
                    "thick", "", new Requirements(SpaceEfficiency.THICK, null, null), Set.of()),
                "admin")
            .asStorageProfile();
    return new NewVolume(container.id(), VolumeType.DATA, VolumeOrigin.HOST, thick, size, Map.of());
  }
}
