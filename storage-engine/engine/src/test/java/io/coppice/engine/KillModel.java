package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.testing.Await;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the pool of killed processes must hold, by their notes.
final class KillModel {

  /// The last acknowledged number of every block, and the last one begun.
  private record Bounds(long[] low, long[] high) {}

  private long[] acknowledged = new long[KilledWriter.BLOCKS];
  private long[] begun = new long[KilledWriter.BLOCKS];
  private final long[][] possible = new long[KilledWriter.BLOCKS][];

  private final NavigableMap<Long, Bounds> snapshots = new TreeMap<>();
  private final NavigableMap<Long, long[]> beginning = new TreeMap<>();
  private final NavigableSet<Long> maybe = new TreeSet<>();
  private long writes;

  /// Writes that were acknowledged, in all rounds.
  long writes() {
    return writes;
  }

  /// Takes over what one process noted before it died.
  void add(List<KillNotes.Note> notes) {
    for (KillNotes.Note note : notes) {
      switch (note.what()) {
        case OPENED -> {}
        case WRITE_BEGINS -> begin(note.block(), note.number());
        case WRITE_ENDED -> {
          acknowledged[note.block()] = note.number();
          possible[note.block()] = new long[] {note.number()};
          writes++;
        }
        case SNAPSHOT_BEGINS -> beginning.put(note.number(), acknowledged.clone());
        case SNAPSHOT_ENDED ->
            snapshots.put(
                note.number(), new Bounds(beginning.remove(note.number()), begun.clone()));
        case DELETE_BEGINS -> {
          snapshots.remove(note.number());
          maybe.add(note.number());
        }
        case DELETE_ENDED -> maybe.remove(note.number());
      }
    }
    maybe.addAll(beginning.keySet());
    beginning.clear();
  }

  private void begin(int block, long number) {
    begun[block] = number;
    long[] before = possible[block] == null ? new long[1] : possible[block];
    possible[block] = Arrays.copyOf(before, before.length + 1);
    possible[block][before.length] = number;
  }

  /// Compares the pool with the notes. What was uncertain is settled by what is there.
  void verify(StorageEngine engine) {
    for (int block = 0; block < KilledWriter.BLOCKS; block++) {
      long number = read(engine, KilledWriter.VOLUME, block);
      long[] allowed = possible[block] == null ? new long[1] : possible[block];
      assertThat(number).as("number in block %d", block).isIn(boxed(allowed));
      acknowledged[block] = number;
      possible[block] = new long[] {number};
    }
    begun = acknowledged.clone();
    NavigableSet<Long> there = new TreeSet<>();
    for (VolumeInfo info : engine.list()) {
      if (!info.id().equals(KilledWriter.VOLUME)) {
        there.add(info.id().value().getLeastSignificantBits());
      }
    }
    assertThat(there).as("acknowledged snapshots").containsAll(snapshots.keySet());
    there.removeAll(snapshots.keySet());
    assertThat(maybe).as("snapshots that may be there").containsAll(there);
    maybe.retainAll(there);
    snapshots.replaceAll((number, bounds) -> verified(engine, number, bounds));
  }

  private static Bounds verified(StorageEngine engine, long snapshot, Bounds bounds) {
    long[] seen = new long[KilledWriter.BLOCKS];
    for (int block = 0; block < seen.length; block++) {
      seen[block] = read(engine, KilledWriter.snapshot(snapshot), block);
      assertThat(seen[block])
          .as("number in block %d of snapshot %d", block, snapshot)
          .isBetween(bounds.low[block], bounds.high[block]);
    }
    return new Bounds(seen, seen);
  }

  /// Deletes all snapshots that are there.
  void deleteSnapshots(StorageEngine engine) {
    snapshots.keySet().forEach(number -> delete(engine, number));
    maybe.forEach(number -> delete(engine, number));
    snapshots.clear();
    maybe.clear();
  }

  private static void delete(StorageEngine engine, long snapshot) {
    engine.delete(OperationId.random(), KilledWriter.snapshot(snapshot));
  }

  private static List<Long> boxed(long[] numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }

  private static long read(StorageEngine engine, VolumeId volume, int block) {
    ByteBuffer content = ByteBuffer.allocateDirect(4096);
    Await.io(done -> engine.open(volume).read(4096L * block, content, done));
    long number = content.flip().getLong(0);
    assertThat(content)
        .as("content of block %d, number %d", block, number)
        .isEqualTo(KilledWriter.content(block, number));
    return number;
  }
}
