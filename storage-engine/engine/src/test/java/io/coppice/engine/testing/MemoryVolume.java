package io.coppice.engine.testing;

import io.coppice.engine.CompareCompletion;
import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.MappedRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/// A handle on a volume of a [MemoryEngine].
final class MemoryVolume implements Volume {

  private static final int MAX_COMPARE_BYTES = 1 << 20;

  private final MemoryEngine engine;
  private final VolumeId id;
  private final VolumeKind kind;

  MemoryVolume(MemoryEngine engine, VolumeId id, VolumeKind kind) {
    this.engine = engine;
    this.id = id;
    this.kind = kind;
  }

  @Override
  public VolumeId id() {
    return id;
  }

  @Override
  public VolumeKind kind() {
    return kind;
  }

  @Override
  public long sizeInBytes() {
    return engine.volumeOf(id).sizeInBytes();
  }

  @Override
  public boolean isReserved() {
    return engine.volumeOf(id).info().reserved();
  }

  @Override
  public Map<String, String> attributes() {
    return engine.volumeOf(id).info().attributes();
  }

  @Override
  public void read(long offset, ByteBuffer into, Completion completion) {
    engine.run(
        completion,
        () -> {
          MemoryPool.Held volume = engine.volumeOf(id);
          checkRange(volume, offset, into.remaining());
          engine.countRead(into.remaining());
          volume.content().read(offset, into);
        });
  }

  @Override
  public void write(long offset, ByteBuffer from, Completion completion) {
    engine.run(
        completion,
        () -> {
          MemoryPool.Held volume = writable(offset, from.remaining());
          if ((offset | from.remaining()) % MemoryContent.BLOCK == 0 && isZero(from)) {
            engine.countWrite(from.remaining());
            volume.content().zero(offset, from.remaining());
            return;
          }
          engine.requireFreeToWrite(volume, offset, from.remaining());
          engine.countWrite(from.remaining());
          volume.content().write(offset, from);
        });
  }

  @Override
  public void writeSame(long offset, long length, ByteBuffer block, Completion completion) {
    engine.run(
        completion,
        () -> {
          MemoryPool.Held volume = writable(offset, length);
          int size = block.remaining();
          if (size < 512 || size > MemoryContent.BLOCK || size % 512 != 0 || length % size != 0) {
            throw new StorageException.InvalidRequest(
                "expected a block of 512 to 4096 bytes that divides %d, got %d bytes"
                    .formatted(length, size));
          }
          if (isZero(block)) {
            volume.content().zero(offset, length);
            return;
          }
          engine.requireFreeToWrite(volume, offset, length);
          for (long at = offset; at < offset + length; at += size) {
            volume.content().write(at, block.duplicate());
          }
        });
  }

  @Override
  public void writeZeroes(long offset, long length, Completion completion) {
    engine.run(completion, () -> writable(offset, length).content().zero(offset, length));
  }

  @Override
  public void unmap(long offset, long length, Completion completion) {
    writeZeroes(offset, length, completion);
  }

  @Override
  public void unmap(List<ByteRange> ranges, Completion completion) {
    engine.run(
        completion,
        () -> {
          ranges.forEach(range -> writable(range.offset(), range.length()));
          ranges.forEach(
              range ->
                  writable(range.offset(), range.length())
                      .content()
                      .zero(range.offset(), range.length()));
        });
  }

  @Override
  public void compareAndWrite(
      long offset, ByteBuffer expected, ByteBuffer replacement, CompareCompletion completion) {
    engine.runCompare(completion, () -> compareAndWrite(offset, expected, replacement));
  }

  private int compareAndWrite(long offset, ByteBuffer expected, ByteBuffer replacement) {
    MemoryPool.Held volume = writable(offset, expected.remaining());
    if (expected.remaining() != replacement.remaining()
        || expected.remaining() > MAX_COMPARE_BYTES) {
      throw new StorageException.InvalidRequest(
          "expected two buffers of the same length up to 1 MiB, got %d and %d bytes"
              .formatted(expected.remaining(), replacement.remaining()));
    }
    ByteBuffer stored = ByteBuffer.allocate(expected.remaining());
    volume.content().read(offset, stored);
    int mismatch = stored.flip().mismatch(expected);
    if (mismatch < 0) {
      engine.requireFreeToWrite(volume, offset, replacement.remaining());
      volume.content().write(offset, replacement);
    }
    return mismatch;
  }

  @Override
  public void copyFrom(
      Volume source, long sourceOffset, long offset, long length, Completion completion) {
    engine.run(
        completion,
        () -> {
          MemoryPool.Held from = engine.volumeOf(source.id());
          MemoryPool.Held to = writable(offset, length);
          checkRange(from, sourceOffset, length);
          if (source.id().equals(id)
              && sourceOffset < offset + length
              && offset < sourceOffset + length) {
            throw new StorageException.InvalidRequest(
                "expected ranges that do not overlap, got %d and %d bytes from %d and %d on"
                    .formatted(length, length, sourceOffset, offset));
          }
          copy(from.content(), sourceOffset, to, offset, length);
          engine.countCopy(length);
        });
  }

  private void copy(
      MemoryContent from, long sourceOffset, MemoryPool.Held to, long offset, long length) {
    if (sourceOffset % MemoryContent.BLOCK != offset % MemoryContent.BLOCK) {
      engine.requireFreeToWrite(to, offset, length);
      copyBytes(from, sourceOffset, to.content(), offset, length);
      return;
    }
    long end = offset + length;
    long firstWhole =
        Math.min(end, Math.ceilDiv(offset, MemoryContent.BLOCK) * MemoryContent.BLOCK);
    long lastWhole = Math.max(firstWhole, end / MemoryContent.BLOCK * MemoryContent.BLOCK);
    engine.requireFreeToWrite(to, offset, firstWhole - offset);
    engine.requireFreeToWrite(to, lastWhole, end - lastWhole);
    long shift = sourceOffset - offset;
    copyBytes(from, sourceOffset, to.content(), offset, firstWhole - offset);
    to.content()
        .share(
            from,
            (firstWhole + shift) / MemoryContent.BLOCK,
            firstWhole / MemoryContent.BLOCK,
            (lastWhole - firstWhole) / MemoryContent.BLOCK);
    copyBytes(from, lastWhole + shift, to.content(), lastWhole, end - lastWhole);
  }

  /// Copies one block, or what there is of it at the end of the source.
  ///
  /// @return how many bytes that are
  static long copyBlock(MemoryPool.Held from, MemoryPool.Held to, long block) {
    long offset = block * MemoryContent.BLOCK;
    long length = Math.min(MemoryContent.BLOCK, from.sizeInBytes() - offset);
    if (length == MemoryContent.BLOCK) {
      to.content().share(from.content(), block, block, 1);
    } else {
      copyBytes(from.content(), offset, to.content(), offset, length);
    }
    return length;
  }

  private static void copyBytes(
      MemoryContent from, long sourceOffset, MemoryContent to, long offset, long length) {
    if (length > 0) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
      from.read(sourceOffset, bytes);
      to.write(offset, bytes.flip());
    }
  }

  @Override
  public List<MappedRange> status(long offset, int maxRuns) {
    return engine.statusOf(id, offset, maxRuns);
  }

  private MemoryPool.Held writable(long offset, long length) {
    MemoryPool.Held volume = engine.volumeOf(id);
    if (kind == VolumeKind.SNAPSHOT) {
      throw new StorageException.ReadOnly("%s is a snapshot: it cannot be written".formatted(id));
    }
    checkRange(volume, offset, length);
    engine.countRecord();
    return volume;
  }

  private static void checkRange(MemoryPool.Held volume, long offset, long length) {
    if (offset < 0
        || length < 0
        || offset % 512 != 0
        || length % 512 != 0
        || offset + length > volume.sizeInBytes()
        || offset + length < 0) {
      throw new StorageException.InvalidRequest(
          "expected multiples of 512 inside %d bytes, got offset %d, length %d"
              .formatted(volume.sizeInBytes(), offset, length));
    }
  }

  private static boolean isZero(ByteBuffer block) {
    for (int i = block.position(); i < block.limit(); i++) {
      if (block.get(i) != 0) {
        return false;
      }
    }
    return true;
  }
}
