package io.coppice.engine.testing;

import io.coppice.engine.CompareCompletion;
import io.coppice.engine.Completion;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.range.ByteRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The changes of content that a [CrashModel] has under way.
///
/// What each may leave after a crash is what [Volume] promises: a write and a compare-and-write as
/// a whole or not at all; zeroing, repeating and copying their ragged ends and their whole blocks
/// each for themselves.
final class CrashIo {

  private static final int MAX_OPEN = 12;
  private static final int BLOCK_SECTORS = 8;

  private final CrashModel model;
  private final List<Open> open = new ArrayList<>();

  /// @param parts what it changes, each part as a whole or not at all
  /// @param source what it reads meanwhile, if it copies
  private record Open(
      ModelVolume volume,
      List<ModelVolume.Unknown> parts,
      @Nullable Source source,
      CompletableFuture<?> end) {}

  /// Sectors that are being read.
  private record Source(ModelVolume volume, int first, int count) {

    boolean overlaps(Range range) {
      return volume == range.volume && first < range.end() && range.first < first + count;
    }
  }

  /// Sectors to be changed.
  private record Range(ModelVolume volume, int first, int count) {

    int end() {
      return first + count;
    }

    long offset() {
      return (long) first * ModelVolume.SECTOR;
    }

    long length() {
      return (long) count * ModelVolume.SECTOR;
    }
  }

  CrashIo(CrashModel model) {
    this.model = model;
  }

  /// Starts one of any kind, if the dice find a place for it.
  void start(StorageEngine engine) {
    ModelVolume volume = model.any(VolumeKind.WRITABLE);
    if (volume == null) {
      return;
    }
    if (open.size() >= MAX_OPEN) {
      drain();
    }
    Range range = choose(volume);
    if (!isFree(range)) {
      return;
    }
    Volume target = engine.open(volume.id());
    switch (model.random.nextInt(16)) {
      case 0 -> unmap(range, target);
      case 1, 2 -> zero(range, done -> target.writeZeroes(range.offset(), range.length(), done));
      case 3, 4 -> repeat(range, target);
      case 5, 6 -> compare(range, target);
      case 7, 8, 9 -> copy(range, target, engine);
      default -> write(range, target);
    }
  }

  private Range choose(ModelVolume volume) {
    int unit = model.random.nextInt(4) > 0 ? BLOCK_SECTORS : 1;
    int most = Math.min(volume.sectors() / unit, model.random.nextInt(8) == 0 ? 64 : 6);
    int count = unit * (1 + model.random.nextInt(most));
    int first = model.random.nextInt((volume.sectors() - count) / unit + 1) * unit;
    return new Range(volume, first, count);
  }

  // Sub-4K changes read and write their neighbours in the same block: keep away from those, too.
  private boolean isFree(Range range) {
    int from = range.first / BLOCK_SECTORS * BLOCK_SECTORS;
    int to = (range.end() + BLOCK_SECTORS - 1) / BLOCK_SECTORS * BLOCK_SECTORS;
    Range blocks = new Range(range.volume, from, to - from);
    return to <= range.volume.sectors()
        && range.volume.isCertain(from, to - from)
        && open.stream().noneMatch(io -> io.source != null && io.source.overlaps(blocks));
  }

  // --- one kind each
  // --------------------------------------------------------------------------------

  private void write(Range range, Volume target) {
    int[] numbers = model.freshNumbers(range.count);
    ByteBuffer bytes = direct(ModelVolume.content(numbers));
    CompletableFuture<Void> end =
        model.random.nextInt(3) == 0
            ? Await.here(() -> target.write(range.offset(), bytes))
            : Await.start(done -> target.write(range.offset(), bytes, done));
    began(range, List.of(new ModelVolume.Unknown(range.first, numbers)), null, end);
  }

  /// The range, or pieces of it with gaps, in one call.
  private void unmap(Range range, Volume target) {
    List<Range> pieces = new ArrayList<>();
    int at = range.first;
    while (at < range.end()) {
      int count = Math.min(range.end() - at, 1 + model.random.nextInt(2 * BLOCK_SECTORS));
      pieces.add(new Range(range.volume, at, count));
      at += count + (model.random.nextBoolean() ? 0 : model.random.nextInt(2 * BLOCK_SECTORS));
    }
    List<ByteRange> asked = new ArrayList<>();
    List<ModelVolume.Unknown> parts = new ArrayList<>();
    for (Range piece : pieces) {
      asked.add(new ByteRange(piece.offset(), piece.length()));
      for (int i = piece.first; i < piece.end(); i = (i / BLOCK_SECTORS + 1) * BLOCK_SECTORS) {
        int end = Math.min(piece.end(), (i / BLOCK_SECTORS + 1) * BLOCK_SECTORS);
        parts.add(new ModelVolume.Unknown(i, new int[end - i]));
      }
    }
    Collections.shuffle(asked, new Random(model.random.nextLong()));
    began(range, parts, null, Await.start(done -> target.unmap(asked, done)));
  }

  private void zero(Range range, Consumer<Completion> io) {
    began(range, parts(range, new int[range.count]), null, Await.start(io));
  }

  /// Blocks of 512 to 4096 bytes, of which some repeat in a stored block and some do not.
  private void repeat(Range range, Volume target) {
    int size = 1 + model.random.nextInt(Math.min(BLOCK_SECTORS, range.count));
    while (range.count % size != 0) {
      size--;
    }
    int[] pattern = model.freshNumbers(size);
    int[] numbers = new int[range.count];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = pattern[i % size];
    }
    ByteBuffer block = direct(ModelVolume.content(pattern));
    CompletableFuture<Void> end =
        Await.start(done -> target.writeSame(range.offset(), range.length(), block, done));
    began(range, parts(range, numbers), null, end);
  }

  /// Two of three find what they expect.
  private void compare(Range range, Volume target) {
    int[] numbers = model.freshNumbers(range.count);
    ByteBuffer expected =
        direct(ModelVolume.content(range.volume.numbers(range.first, range.count)));
    ByteBuffer bytes = direct(ModelVolume.content(numbers));
    boolean equal = model.random.nextInt(3) > 0;
    int wrong = equal ? -1 : model.random.nextInt(expected.remaining());
    if (!equal) {
      expected.put(wrong, (byte) ~expected.get(wrong));
    }
    CompletableFuture<Long> end =
        Await.startCompare(
            (CompareCompletion done) ->
                target.compareAndWrite(range.offset(), expected, bytes, done));
    CompletableFuture<?> checked =
        end.thenAccept(
            mismatch -> {
              if (mismatch != wrong) {
                throw new AssertionError(
                    "%s sector %d: expected the compare to end with %d, got %d"
                        .formatted(range.volume.id(), range.first, wrong, mismatch));
              }
            });
    began(
        range,
        equal ? List.of(new ModelVolume.Unknown(range.first, numbers)) : List.of(),
        null,
        checked);
  }

  /// From any volume or snapshot, by pointer in three of four cases.
  private void copy(Range range, Volume target, StorageEngine engine) {
    ModelVolume source = model.any(null);
    if (source == null || source.sectors() < range.count) {
      return;
    }
    int from = model.random.nextInt(source.sectors() - range.count + 1);
    if (model.random.nextInt(4) > 0) {
      from = from / BLOCK_SECTORS * BLOCK_SECTORS + range.first % BLOCK_SECTORS;
    }
    Source read = new Source(source, from, range.count);
    if (from + range.count > source.sectors()
        || !source.isCertain(from, range.count)
        || read.overlaps(range)) {
      return;
    }
    long offset = (long) from * ModelVolume.SECTOR;
    Volume other = engine.open(source.id());
    CompletableFuture<Void> end =
        Await.start(done -> target.copyFrom(other, offset, range.offset(), range.length(), done));
    began(range, parts(range, source.numbers(from, range.count)), read, end);
  }

  /// The ragged ends and the whole blocks between them.
  private static List<ModelVolume.Unknown> parts(Range range, int[] numbers) {
    int first = range.first;
    int end = range.end();
    int firstWhole = Math.min(end, (first + BLOCK_SECTORS - 1) / BLOCK_SECTORS * BLOCK_SECTORS);
    int lastWhole = Math.max(firstWhole, end / BLOCK_SECTORS * BLOCK_SECTORS);
    List<ModelVolume.Unknown> parts = new ArrayList<>();
    int[] borders = {first, firstWhole, lastWhole, end};
    for (int i = 0; i < 3; i++) {
      if (borders[i] < borders[i + 1]) {
        int[] part =
            java.util.Arrays.copyOfRange(numbers, borders[i] - first, borders[i + 1] - first);
        parts.add(new ModelVolume.Unknown(borders[i], part));
      }
    }
    return parts;
  }

  private void began(
      Range range,
      List<ModelVolume.Unknown> parts,
      @Nullable Source source,
      CompletableFuture<?> end) {
    parts.forEach(range.volume::doubt);
    open.add(new Open(range.volume, parts, source, end));
  }

  // --- their ends
  // -----------------------------------------------------------------------------------

  /// Waits for all; those that succeeded must be there from now on.
  ///
  /// @throws StorageException.DeviceFailed if one ended so: it and the later ones stay open
  void drain() {
    StorageException.@Nullable DeviceFailed failure = null;
    for (Iterator<Open> each = open.iterator(); each.hasNext(); ) {
      try {
        settle(each.next());
        each.remove();
      } catch (StorageException.DeviceFailed e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /// After a failure of the device: of those that did not succeed both outcomes are right.
  void doubtAll() {
    for (Open io : open) {
      try {
        settle(io);
      } catch (StorageException.DeviceFailed e) {
        // It stays unknown in the model.
      }
    }
    open.clear();
  }

  // Refused for space, a command has changed nothing; one of several parts may have got in before.
  private static void settle(Open io) {
    try {
      Await.await(io.end);
      io.parts.forEach(part -> io.volume.settle(part, true));
    } catch (StorageException.OutOfSpace e) {
      if (io.parts.size() == 1) {
        io.volume.settle(io.parts.getFirst(), false);
      }
    }
  }

  private static ByteBuffer direct(ByteBuffer heap) {
    return ByteBuffer.allocateDirect(heap.remaining()).put(heap).flip();
  }
}
