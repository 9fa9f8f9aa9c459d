package io.coppice.engine.recovery;

import io.coppice.engine.format.LogRecord;
import io.coppice.engine.log.LogReplay;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.state.BlockChanges;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Batches of the log that are replayed together. The nodes that their records will touch are read
/// beforehand, many at a time, so that replay does not wait for the device for each of them.
///
/// Reading ahead changes neither what is applied nor its order. Nodes that it did not foresee, or
/// could not read, are read when their record is applied, and judged then. A portion ends with a
/// change of the set of volumes, because later records may touch the new ones. It also ends before
/// its nodes take more than an eighth of the memory for maps, inner nodes not counted.
final class ReplayPortion implements AutoCloseable {

  private static final int MOST_RECORDS = 1 << 16;
  private static final int LEAF_BYTES = 8 << 10;

  private final PoolState state;
  private final int mostLeaves;
  private final int threadCount;
  private final Consumer<LogReplay.Content> apply;
  private final List<LogReplay.Content> batches = new ArrayList<>();
  private final Set<Touched> touched = new LinkedHashSet<>();
  private @Nullable ExecutorService threads;
  private int records;

  /// A leaf that a record will look at or change.
  private record Touched(int volume, long leaf) {}

  /// @param mapMemory bytes that nodes of maps may take
  /// @param threadCount nodes that are read at a time
  /// @param apply replays one batch
  ReplayPortion(
      PoolState state, long mapMemory, int threadCount, Consumer<LogReplay.Content> apply) {
    this.state = state;
    this.threadCount = threadCount;
    this.apply = apply;
    mostLeaves = Math.clamp(mapMemory / 8 / LEAF_BYTES, 1, MOST_RECORDS);
  }

  /// Takes the next batch; applies it and those before it if the portion ends with it.
  void add(LogReplay.Content batch) {
    boolean changes = false;
    for (LogRecord record : batch.records()) {
      touch(record);
      changes |= record instanceof LogRecord.ChangePiece;
    }
    batches.add(batch);
    records += batch.records().size();
    if (changes || touched.size() >= mostLeaves || records >= MOST_RECORDS) {
      replay();
    }
  }

  /// Applies the batches taken, in order.
  void replay() {
    while (state.nodes().evict()) {}
    readAhead();
    touched.clear();
    batches.forEach(apply);
    batches.clear();
    records = 0;
  }

  private void touch(LogRecord record) {
    switch (record) {
      case LogRecord.Write write ->
          touch(write.volume(), write.firstBlock(), write.crcs().length - 1L);
      case LogRecord.Fill fill -> touch(fill.volume(), fill.firstBlock(), fill.blocks() - 1L);
      case LogRecord.Copy copy -> {
        touch(copy.source(), copy.sourceBlock(), copy.blocks() - 1L);
        touch(copy.volume(), copy.firstBlock(), copy.blocks() - 1L);
      }
      case LogRecord.Unmap unmap -> { // what lies between its ends is cut off, unseen
        touch(unmap.volume(), unmap.firstBlock(), 0);
        touch(unmap.volume(), unmap.firstBlock() + unmap.blocks() - 1, 0);
      }
      case LogRecord.Relocate _, LogRecord.Moved _, LogRecord.ChangePiece _ -> {}
    }
  }

  // An impossible record is refused when it is applied, not here.
  private void touch(int volume, long first, long more) {
    if (first < 0 || more < 0 || more > BlockChanges.MAX_SLICE || first >= Geometry.BLOCKS - more) {
      return;
    }
    for (long leaf = first / Geometry.FANOUT; leaf <= (first + more) / Geometry.FANOUT; leaf++) {
      if (touched.size() < mostLeaves) {
        touched.add(new Touched(volume, leaf));
      }
    }
  }

  private void readAhead() {
    List<Touched> missing = new ArrayList<>();
    for (Touched leaf : touched) {
      VolumeState volume = state.find(leaf.volume);
      if (volume != null
          && !MapReader.touch(volume.head().root(), leaf.leaf * Geometry.FANOUT, 1)) {
        missing.add(leaf);
      }
    }
    int parallel = Math.min(threadCount, missing.size());
    if (parallel < 2) {
      return; // one after the other is what replay does anyway
    }
    ExecutorService reading = threads;
    if (reading == null) {
      reading =
          Executors.newFixedThreadPool(
              threadCount, Thread.ofPlatform().name("coppice-replay-", 0).daemon().factory());
      threads = reading;
    }
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < parallel; i++) {
      readers.add(reading.submit(() -> readAll(missing, next)));
    }
    readers.forEach(ReplayPortion::await);
  }

  private void readAll(List<Touched> leaves, AtomicInteger next) {
    for (int i = next.getAndIncrement(); i < leaves.size(); i = next.getAndIncrement()) {
      VolumeState volume = state.find(leaves.get(i).volume);
      if (volume != null) {
        read(volume, leaves.get(i).leaf * Geometry.FANOUT);
      }
    }
  }

  private void read(VolumeState volume, long block) {
    try {
      MapReader.load(volume.head().root(), block, 1, state.nodes());
    } catch (RuntimeException e) {
      // Whether it matters is for the record to say that needs it: it meets the same again.
    }
  }

  private static void await(Future<?> reader) {
    boolean interrupted = false;
    while (true) {
      try {
        reader.get();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        throw new IllegalStateException("A reader of nodes failed: " + e.getCause(), e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    if (threads != null) {
      threads.shutdown();
    }
  }
}
