package io.coppice.vasa.protection.continuous;

import static io.coppice.vasa.testing.ControlPlane.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.Journals;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.volume.bin.BinSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// Continuous points in a pool that is nearly full, over a real pool.
class TimelineRoomTest {

  private static final int FREE_PERCENT = 40;
  private static final int PIECE = (int) MIB;

  private final TestClock clock = new TestClock();

  @AutoClose
  private final PoolFixture pool =
      PoolFixture.ofBytes(160L << 20).zones(1 << 20).clock(clock).nanos(clock::nanos);

  private final RedirectOnWriteEngine engine = pool.format().open();
  private final ControlPlane plane =
      ControlPlane.withBin(engine, clock, new BinSettings(ControlPlane.KEPT, FREE_PERCENT));
  private final StorageContainer container = plane.containers.create("c1", 1000 * MIB);
  private final Journals journals = engine.journals();
  private final TimelineRoom room = new TimelineRoom(plane.store, plane.binRounds, plane.ownWork);

  private VolumeId journaled() {
    VolumeId volume = plane.volume(container, 2 * MIB);
    JournalTier seconds = new JournalTier(Duration.ofSeconds(5), Duration.ofDays(1));
    journals.keep(OperationId.random(), volume, List.of(seconds));
    return volume;
  }

  private void write(VolumeId volume, int seed) {
    plane.write(volume, 0, PIECE, seed);
    clock.advance(Duration.ofSeconds(5));
    journals.cutDue();
  }

  private List<Instant> points(VolumeId volume) {
    return journals.points(volume, Instant.EPOCH, 1000);
  }

  @Test
  void theOldestPointsGoUntilThePoolHasItsFreeSpaceAgain() {
    VolumeId volume = journaled();
    int written = 0;
    while (plane.binRounds.missing() <= 0) {
      room.makeRoomWhenLow();
      write(volume, ++written);
    }
    List<Instant> before = points(volume);
    assertThat(before).as("none went while there was space").hasSize(written + 1);

    int steps = 0;
    while (plane.binRounds.missing() > 0) {
      assertThat(++steps).isLessThan(50);
      room.makeRoomWhenLow();
      room.makeRoomWhenLow(); // within the pause: nothing
      clock.advance(Duration.ofSeconds(10));
      engine.awaitReclaim();
    }
    List<Instant> left = points(volume);

    assertThat(left).hasSizeBetween(2, before.size() - 1);
    assertThat(before.subList(before.size() - left.size(), before.size())).isEqualTo(left);
    plane.write(volume, 0, PIECE, 99);
  }

  @Test
  void theRecycleBinGivesFirst() {
    VolumeId deleted = plane.volume(container, 40 * MIB);
    plane.write(deleted, 0, 20 * PIECE, 1);
    VolumeId volume = journaled();
    plane.volumes.delete(deleted);
    int written = 0;
    while (plane.binRounds.missing() <= 0) {
      write(volume, ++written);
    }
    int points = points(volume).size();

    room.makeRoomWhenLow();

    assertThat(plane.store.bin().due(plane.store.seen().plus(Duration.ofDays(99)), 10)).isEmpty();
    assertThat(points(volume)).hasSize(points);
  }

  @Test
  void thePointsOfNowStayInAPoolThatIsFullOfOtherThings() {
    VolumeId other = plane.volume(container, 100 * MIB);
    VolumeId volume = journaled();
    write(volume, 1);
    write(volume, 2);
    int piece = 0;
    while (plane.binRounds.missing() <= 4 * MIB) {
      plane.write(other, (long) piece++ * PIECE, PIECE, piece);
    }
    for (int i = 0; i < 20; i++) {
      room.makeRoomWhenLow();
      clock.advance(Duration.ofSeconds(10));
    }

    assertThat(plane.binRounds.missing()).isPositive();
    assertThat(points(volume)).hasSize(1);
    plane.write(volume, 0, PIECE, 3);
  }
}
