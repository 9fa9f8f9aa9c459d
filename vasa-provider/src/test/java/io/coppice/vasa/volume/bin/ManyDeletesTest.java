package io.coppice.vasa.volume.bin;

import static io.coppice.vasa.testing.ControlPlane.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.volume.BinChoice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Very many deletions at once, each twice, beside restores and the rounds of the bin: each volume
/// is in the bin, or back, and in the end none is left over in rows or pool. Those that are back
/// have locked snapshots, which nobody deletes.
///
/// `-Dbin.deletes=10000` for the whole.
class ManyDeletesTest {

  private static final int DELETES = Integer.getInteger("bin.deletes", 40);
  private static final int THREADS = 8;
  private static final int RESTORED = 10; // of which one is restored

  private final ControlPlane plane = open();
  private final StorageContainer container = plane.container("c1");

  private static ControlPlane open() {
    TestClock clock = new TestClock();
    return ControlPlane.withBin(new MemoryEngine(1L << 50, clock), clock, ControlPlane.BIN);
  }

  /// Does something with each, in many threads.
  private static <T> void each(List<T> all, Consumer<T> work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      Queue<T> left = new ConcurrentLinkedQueue<>(all);
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        tasks.add(
            () -> {
              for (T next = left.poll(); next != null; next = left.poll()) {
                work.accept(next);
              }
              return true;
            });
      }
      for (Future<Boolean> task : threads.invokeAll(tasks)) {
        assertThat(task.get()).isTrue();
      }
    }
  }

  /// The second caller is told that it is gone.
  private void delete(VolumeId id) {
    try {
      plane.volumes.delete(id);
    } catch (VasaException e) {
      assertThat(e.fault()).isInstanceOf(Fault.NotFound.class);
    }
  }

  private int inBin() {
    return plane.bin.count(BinChoice.ALL);
  }

  @Test
  void eachDeletionIsInTheBinOnceAndNothingIsLeftOver() throws Exception {
    List<VolumeId> volumes = new ArrayList<>();
    for (int i = 0; i < DELETES; i++) {
      volumes.add(plane.volume(container, MIB));
    }
    List<VolumeId> twice = new ArrayList<>(volumes);
    twice.addAll(volumes);

    each(twice, this::delete);

    assertThat(inBin()).isEqualTo(DELETES);
    assertThat(plane.volumes.ids()).isEmpty();
    Set<VolumeId> back = new HashSet<>();
    for (int i = 0; i < DELETES; i += RESTORED) {
      back.add(volumes.get(i));
    }
    plane.clock.advance(ControlPlane.KEPT.minusSeconds(1));
    each(List.copyOf(back), id -> plane.bin.restore(id, null));
    List<VolumeId> locked = new ArrayList<>();
    for (VolumeId id : back) {
      VolumeId snapshot = plane.snapshot(id);
      plane.locked.lock(snapshot, plane.locked.endOf(ControlPlane.KEPT.multipliedBy(2)));
      locked.add(snapshot);
    }
    plane.clock.advance(ControlPlane.KEPT);
    while (plane.binRounds.purgeDue() > 0) {}

    assertThat(inBin()).isZero();
    Set<VolumeId> left = new HashSet<>(back);
    left.addAll(locked);
    assertThat(plane.engine.list()).extracting(VolumeInfo::id).hasSameElementsAs(left);
    assertThat(new HashSet<>(plane.volumes.ids())).isEqualTo(left);
    assertThat(plane.bin.page(BinChoice.ALL, RowOrder.by("deleted"), 1)).isEmpty();
    assertThat(plane.reconciliation.atStart()).isEmpty();
    plane.target.close();
  }
}
