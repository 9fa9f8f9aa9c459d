package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.ScrubMap.Cell;
import io.coppice.engine.ScrubMap.State;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The map of the pool says of each zone what scrubbing knows of it, and no more.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class ScrubMapTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 1024;
  private static final int ZONES_WRITTEN = BLOCKS * BLOCK / PoolFixture.ZONE;

  // As a test decides when a checkpoint is made, none is due by itself.
  @AutoClose
  private final PoolFixture pool =
      PoolFixture.ofBytes(48 << 20)
          .options(EngineOptions.defaults().withCheckpointBytes(1L << 40))
          .clock(InstantSource.system());

  private final SimulatedBlockDevice device = pool.device();
  private RedirectOnWriteEngine engine;

  @BeforeEach
  void open() {
    engine = pool.format().open();
    scrubWhenAsked();
  }

  private void scrubWhenAsked() {
    engine.scrub().configure(new ScrubSettings(Duration.ZERO, 100));
  }

  // ---- cells

  @Test
  void cellsAreEqualSharesOfTheZonesAndHaveTheWorstOfTheirStates() {
    List<State> zones =
        List.of(
            State.FREE,
            State.VERIFIED,
            State.EARLIER,
            State.WAITING,
            State.VERIFIED,
            State.RUNNING,
            State.DAMAGED);

    ScrubMap map = ScrubMap.of(3, 7, 4096, at -> new Cell(zones.get(at), at), 5);

    assertThat(map.cells())
        .containsExactly(
            new Cell(State.VERIFIED, 1), new Cell(State.WAITING, 5), new Cell(State.DAMAGED, 15));
    assertThat(map.unplaced()).isEqualTo(5);
    assertThat(ScrubMap.of(100, 7, 4096, at -> new Cell(zones.get(at), 0), 0).cells())
        .extracting(Cell::state)
        .isEqualTo(zones);
  }

  @Test
  void mapHasOneTo4096Cells() {
    assertThat(engine.scrub().map(1).cells()).hasSize(1);
    assertThat(engine.scrub().map(ScrubMap.MAX_CELLS).cells()).hasSize(map().zones());
    for (int wanted : List.of(0, -1, ScrubMap.MAX_CELLS + 1)) {
      assertThatThrownBy(() -> engine.scrub().map(wanted))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("expected 1 to 4096 cells of a map, got " + wanted);
    }
  }

  // ---- passes

  @Test
  void zoneWaitsUntilAPassHasReadItAndAgainOnceItIsFilledAnew() {
    write(volume(), 1);
    engine.checkpoint();
    List<State> unread = states();
    assertThat(unread).doesNotContain(State.VERIFIED, State.EARLIER, State.RUNNING);
    assertThat(count(unread, State.WAITING)).isGreaterThanOrEqualTo(ZONES_WRITTEN);

    scrub();
    List<State> read = states();
    assertThat(read).doesNotContain(State.EARLIER, State.RUNNING);
    assertThat(count(read, State.VERIFIED)).isGreaterThanOrEqualTo(ZONES_WRITTEN);

    write(volume(), 2);
    List<State> filled = states();
    assertThat(count(filled, State.VERIFIED)).isEqualTo(count(read, State.VERIFIED));
    assertThat(count(filled, State.WAITING) - count(read, State.WAITING))
        .isGreaterThanOrEqualTo(ZONES_WRITTEN - 1);
  }

  @Test
  void passShowsWhereItIsAndWhatOnlyTheOneBeforeHasRead() {
    write(volume(), 1);
    engine.checkpoint();
    scrub();
    List<State> before = states();
    SimulatedBlockDevice.Held read = device.holdNextRead();
    engine.scrub().start();
    read.awaitArrival();

    List<State> during = states();

    read.release();
    assertThat(during.getFirst()).isEqualTo(State.RUNNING);
    for (int zone = 1; zone < before.size(); zone++) {
      State now = before.get(zone) == State.VERIFIED ? State.EARLIER : before.get(zone);
      assertThat(during.get(zone)).as("zone %d", zone).isEqualTo(now);
    }
    awaitEnd();
    assertThat(states()).isEqualTo(before);
  }

  @Test
  void afterARestartWhatTheLastPassHasComeByCountsAsRead() {
    write(volume(), 1);
    scrub();
    engine = pool.reopen();
    scrubWhenAsked();

    assertThat(count(states(), State.VERIFIED)).isGreaterThanOrEqualTo(ZONES_WRITTEN);
    assertThat(states()).doesNotContain(State.EARLIER, State.RUNNING);
  }

  // ---- damage

  @Test
  void damagedBlockIsShownInItsZoneForEachThatSeesItUntilNobodyDoes() {
    VolumeId id = volume();
    write(id, 1);
    VolumeId snapshot = VolumeId.random();
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(id, snapshot, Map.of())),
        Duration.ofSeconds(10));
    long at = device.structures(mark(1, 300)).getFirst();
    device.flipBit(at + 77, 3);

    scrub();

    int zone = PoolLayout.zoneOf(at, PoolFixture.ZONE);
    assertThat(map().cells().get(zone)).isEqualTo(new Cell(State.DAMAGED, 2));
    assertThat(engine.scrub().map(1).cells()).containsExactly(new Cell(State.DAMAGED, 2));
    assertThat(map().unplaced()).isZero();
    engine.delete(OperationId.random(), snapshot);
    assertThat(map().cells().get(zone)).isEqualTo(new Cell(State.DAMAGED, 1));
    engine.delete(OperationId.random(), id);
    assertThat(map().cells().get(zone).findings()).isZero();
    assertThat(states()).doesNotContain(State.DAMAGED);
  }

  @Test
  void replacedCopyIsAFindingOfItsZoneAndNoDamage() {
    write(volume(), 1);
    engine.checkpoint();
    List<Long> nodes = device.structures(StructureHeader.NODE);
    fillTheZoneOfNodes();
    device.flipBit(nodes.getFirst() + 130, 2);

    scrub();

    int zone = PoolLayout.zoneOf(nodes.getFirst(), PoolFixture.ZONE);
    assertThat(map().cells().get(zone)).isEqualTo(new Cell(State.VERIFIED, 1));
    int twin = PoolLayout.zoneOf(nodes.getLast(), PoolFixture.ZONE);
    assertThat(twin).isNotEqualTo(zone);
    assertThat(states().get(twin)).as("the other copy is read, too").isEqualTo(State.VERIFIED);
  }

  /// Makes checkpoints until nothing more is stored beside the nodes that are there.
  private void fillTheZoneOfNodes() {
    VolumeId id = volume();
    for (int i = 0; i < PoolFixture.ZONE / BLOCK; i++) {
      write(id, 2, 1);
      engine.checkpoint();
    }
  }

  // ---- tools

  private void scrub() {
    engine.scrub().start();
    awaitEnd();
  }

  private void awaitEnd() {
    Await.until("the pass ends", () -> !engine.scrub().status().running());
  }

  private ScrubMap map() {
    return engine.scrub().map(ScrubMap.MAX_CELLS);
  }

  private List<State> states() {
    return map().cells().stream().map(Cell::state).toList();
  }

  private static long count(List<State> states, State wanted) {
    return states.stream().filter(wanted::equals).count();
  }

  private VolumeId volume() {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(id, (long) BLOCKS * BLOCK));
    return id;
  }

  /// Fills a volume with blocks that begin with a mark each.
  private void write(VolumeId id, int round) {
    write(id, round, BLOCKS);
  }

  private void write(VolumeId id, int round, int blocks) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(blocks * BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    for (int block = 0; block < blocks; block++) {
      bytes.putLong(block * BLOCK, mark(round, block));
    }
    Await.io(done -> engine.open(id).write(0, bytes, done));
  }

  private static long mark(int round, int block) {
    return ((long) round << 40) + block + 1;
  }
}
