package io.coppice.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.log.Committer;
import io.coppice.engine.log.Log;
import io.coppice.engine.log.LogZones;
import io.coppice.engine.recovery.Recovery;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.OperationTable;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SpaceGate;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.superblock.SuperblockArea;
import io.coppice.engine.superblock.Superblocks;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryDevice;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Checkpoints one by one, on a pool of which the test has the role of the committer.
class CheckpointsTest {

  private static final int ZONE = 256 << 10;
  private static final int ZONES = 40;
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

  private final PoolState state;
  private final Segments segments;
  private final Checkpoints checkpoints;

  CheckpointsTest() {
    MemoryDevice device = new MemoryDevice(new byte[(512 << 10) + ZONES * ZONE]);
    RedirectOnWriteEngine.format(device, new PoolFormat(new UUID(7, 7), ZONE, CLOCK.instant()));
    Superblock head = SuperblockArea.read(device).require();
    Recovery recovery = new Recovery(device, head, 16 << 20, 1);
    var tables = recovery.run();
    state = recovery.state();
    state.metaReads().opened();
    segments = state.segments();
    Log log =
        new Log(device, new Log.Superblock(head.pool(), ZONE), zones(), recovery.end(), CLOCK);
    SpaceGate gate = new SpaceGate(state, log, new Committer(log, 1));
    checkpoints =
        new Checkpoints(device, state, log, gate, new Superblocks(device, head), tables, () -> {});
  }

  private LogZones zones() {
    return new LogZones() {
      @Override
      public int takeZone() {
        return segments.takeZone();
      }

      @Override
      public int newSegment() {
        return segments.newId();
      }

      @Override
      public void opened(int segment, int zone) {
        segments.add(segment, Segment.Kind.LOG, zone);
      }

      @Override
      public void sealed(int segment) {
        segments.seal(segment);
      }
    };
  }

  /// Tries a checkpoint.
  ///
  /// @return whether it counts
  private boolean checkpoint() {
    long before = checkpoints.completed();
    checkpoints.cut(0);
    Await.until("the checkpoint has ended", checkpoints::poll);
    state.epochs().advance();
    return checkpoints.completed() > before;
  }

  private void takeAllFree(Deque<Integer> taken) {
    for (int zone = segments.takeZone(); zone >= 0; zone = segments.takeZone()) {
      taken.add(zone);
    }
  }

  /// Until one opens a zone: the next ones have room in it.
  private void checkpointIntoAFreshZone() {
    int free = segments.freeZones();
    while (segments.freeZones() == free) {
      assertThat(checkpoint()).isTrue();
    }
  }

  @Test
  void oneThatFoundNoZoneIsTriedAgainWhenZonesHaveComeFreeOtherwise() {
    Deque<Integer> taken = new ArrayDeque<>();
    boolean counts = true;
    for (int i = 0; counts && i < 2 * ZONE / 4096; i++) {
      takeAllFree(taken);
      counts = checkpoint();
    }
    assertThat(counts).as("a checkpoint without a zone").isFalse();
    assertThat(checkpoints.isOutOfZones()).isTrue();

    segments.giveBack(taken.remove());
    assertThat(checkpoints.isOutOfZones()).as("with one zone, of the two it needs").isTrue();
    assertThat(checkpoint()).isFalse();

    segments.giveBack(taken.remove());
    assertThat(checkpoints.isOutOfZones()).as("with two zones").isFalse();
    assertThat(checkpoint()).isTrue();
    assertThat(checkpoints.isOutOfZones()).isFalse();
  }

  @Test
  void zonesThatAReaderHoldsAreNeitherWaitedForNorGatheredFromAgain() {
    int ticket = state.epochs().enter();
    while (segments.freeZones() > ZONES / 2) {
      checkpointIntoAFreshZone();
    }
    assertThat(checkpoint()).isTrue(); // what died with the last one is given up
    assertThat(segments.deadSegments()).as("dead zones, held").isGreaterThan(2);
    assertThat(checkpoints.freeable()).as("by the next one").isZero();

    int free = segments.freeZones();
    for (int i = 0; i < 10; i++) {
      assertThat(checkpoint()).isTrue();
    }
    assertThat(free - segments.freeZones())
        .as("zones for ten of a block or two")
        .isLessThanOrEqualTo(2);

    state.epochs().leave(ticket);
    assertThat(checkpoint()).isTrue();
    assertThat(segments.freeZones()).isGreaterThan(ZONES - 8);
  }

  @Test
  void whatWasCopiedAtTheCutIsNotKeptWhenTheCheckpointIsOver() {
    WeakReference<OperationResult> oldest = remembered();
    assertThat(checkpoint()).isTrue();
    OperationResult later = new OperationResult.Done();
    for (int i = 0; i < OperationTable.CAPACITY; i++) {
      state.operations().remember(new OperationId(new UUID(1, i)), later);
    }

    Await.until("a result that is remembered no more is gone", () -> isGone(oldest));
  }

  private WeakReference<OperationResult> remembered() {
    OperationResult result = new OperationResult.Volumes(List.of());
    state.operations().remember(OperationId.random(), result);
    return new WeakReference<>(result);
  }

  private static boolean isGone(WeakReference<?> reference) {
    System.gc();
    return reference.refersTo(null);
  }
}
