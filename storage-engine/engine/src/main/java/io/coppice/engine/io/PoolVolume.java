package io.coppice.engine.io;

import io.coppice.engine.AwaitedIo;
import io.coppice.engine.CompareCompletion;
import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.MappedRange;
import io.coppice.engine.state.CrossThreadFailures;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The data of one volume. It checks arguments, then hands each I/O to the class that does it.
public final class PoolVolume implements Volume {

  private static final int BLOCK = PoolLayout.BLOCK;
  private static final long MAX_READ = 64L << 20;

  /// Most stored blocks that one look at the provisioning state may walk over: 256 MiB.
  private static final long STATUS_BLOCKS_MAX = 65_536;

  private final OpenPool pool;
  private final IoFreeList spares;
  private final VolumeState volume;
  private final Writes writes;

  public PoolVolume(OpenPool pool, IoFreeList spares, VolumeState volume) {
    this.pool = pool;
    this.spares = spares;
    this.volume = volume;
    writes = new Writes(pool, volume);
  }

  VolumeState state() {
    return volume;
  }

  OpenPool pool() {
    return pool;
  }

  @Override
  public VolumeId id() {
    return volume.info().id();
  }

  @Override
  public VolumeKind kind() {
    return volume.info().kind();
  }

  @Override
  public long sizeInBytes() {
    return volume.info().sizeInBytes();
  }

  @Override
  public boolean isReserved() {
    return volume.info().reserved();
  }

  @Override
  public Map<String, String> attributes() {
    return volume.info().attributes();
  }

  @Override
  public void read(long offset, ByteBuffer into, Completion completion) {
    read(offset, into, completion, CallerThread.HANDS_OVER);
  }

  @Override
  public void readHere(long offset, ByteBuffer into, Completion completion) {
    read(offset, into, completion, CallerThread.LENDS);
  }

  @Override
  public void read(long offset, ByteBuffer into) {
    AwaitedIo end = awaited();
    read(offset, into, end, CallerThread.BLOCKS);
    await(end);
  }

  private AwaitedIo awaited() {
    AwaitedIo io = spares.waits.take();
    io.reset();
    return io;
  }

  private void await(AwaitedIo io) {
    StorageException failure = io.await();
    spares.waits.giveBack(io);
    if (failure != null) {
      throw CrossThreadFailures.here(failure);
    }
  }

  private void read(long offset, ByteBuffer into, Completion completion, CallerThread caller) {
    StorageException refusal = refusal(offset, into.remaining(), false);
    if (refusal == null && into.remaining() > MAX_READ) {
      refusal =
          new StorageException.InvalidRequest(
              "Expected a read of at most %d bytes, got %d.".formatted(MAX_READ, into.remaining()));
    }
    if (refusal != null) {
      completion.failed(refusal);
    } else if (!into.hasRemaining()) {
      completion.succeeded();
    } else {
      spares.reads.take().start(volume, offset, into, completion, caller);
    }
  }

  @Override
  public void write(long offset, ByteBuffer from, Completion completion) {
    if (accepts(offset, from.remaining(), completion)) {
      writes.write(spares, offset, from, completion, CallerThread.HANDS_OVER);
    }
  }

  @Override
  public void writeHere(long offset, ByteBuffer from, Completion completion) {
    if (accepts(offset, from.remaining(), completion)) {
      writes.write(spares, offset, from, completion, CallerThread.LENDS);
    }
  }

  @Override
  public void write(long offset, ByteBuffer from) {
    AwaitedIo end = awaited();
    if (accepts(offset, from.remaining(), end)) {
      writes.write(spares, offset, from, end, CallerThread.BLOCKS);
    }
    await(end);
  }

  @Override
  public void writeSame(long offset, long length, ByteBuffer block, Completion completion) {
    int size = block.remaining();
    if (size < 512 || size > BLOCK || size % 512 != 0 || length % size != 0) {
      completion.failed(
          new StorageException.InvalidRequest(
              "Expected whole repetitions of a block of 512 to 4096 bytes, got %d bytes of %d."
                  .formatted(length, size)));
    } else if (accepts(offset, length, completion)) {
      writes.writeSame(offset, length, block, completion);
    }
  }

  @Override
  public void writeZeroes(long offset, long length, Completion completion) {
    if (accepts(offset, length, completion)) {
      writes.zero(offset, length, completion);
    }
  }

  @Override
  public void unmap(long offset, long length, Completion completion) {
    writeZeroes(offset, length, completion);
  }

  @Override
  public void unmap(List<ByteRange> ranges, Completion completion) {
    StorageException refusal = refusal(0, 0, true);
    for (int i = 0; i < ranges.size() && refusal == null; i++) {
      refusal = refusal(ranges.get(i).offset(), ranges.get(i).length(), true);
    }
    if (refusal == null) {
      writes.zero(ranges, completion);
    } else {
      completion.failed(refusal);
    }
  }

  @Override
  public void compareAndWrite(
      long offset, ByteBuffer expected, ByteBuffer replacement, CompareCompletion completion) {
    int length = expected.remaining();
    StorageException refusal = refusal(offset, length, true);
    if (refusal == null && (length != replacement.remaining() || length > 1 << 20)) {
      refusal =
          new StorageException.InvalidRequest(
              "Expected two buffers of one length of at most 1 MiB, got %d and %d bytes."
                  .formatted(length, replacement.remaining()));
    }
    if (refusal != null) {
      completion.failed(refusal);
    } else if (length == 0) {
      completion.written();
    } else {
      CompareIo io = new CompareIo(pool, volume, offset, expected, replacement, completion);
      volume.order().enter(io);
    }
  }

  @Override
  public void copyFrom(
      Volume source, long sourceOffset, long offset, long length, Completion completion) {
    if (!(source instanceof PoolVolume from) || !from.pool.service().equals(pool.service())) {
      completion.failed(
          new StorageException.InvalidRequest("Expected a source volume of the same pool."));
      return;
    }
    StorageException refusal = from.refusal(sourceOffset, length, false);
    if (refusal == null
        && from.volume == volume
        && sourceOffset < offset + length
        && offset < sourceOffset + length
        && length > 0) {
      refusal =
          new StorageException.InvalidRequest(
              "Expected source and destination of volume %s that do not overlap, got %d and %d."
                  .formatted(id(), sourceOffset, offset));
    }
    if (refusal != null) {
      completion.failed(refusal);
    } else if (accepts(offset, length, completion)) {
      CopyIo.start(
          pool, new CopyIo.Ranges(from.volume, sourceOffset, volume, offset, length), completion);
    }
  }

  /// Checks a changing I/O; ends it at once if it is refused or empty.
  private boolean accepts(long offset, long length, Completion completion) {
    StorageException refusal = refusal(offset, length, true);
    if (refusal != null) {
      completion.failed(refusal);
      return false;
    }
    if (length == 0) {
      completion.succeeded();
      return false;
    }
    return true;
  }

  private @Nullable StorageException refusal(long offset, long length, boolean changes) {
    try {
      pool.service().check();
    } catch (StorageException e) {
      return e;
    }
    if (volume.isDeleted()) {
      return volume.notFound();
    }
    if (changes && volume.isSnapshot()) {
      return new StorageException.ReadOnly("Expected a volume, got snapshot %s.".formatted(id()));
    }
    long size = sizeInBytes();
    if (offset < 0
        || length < 0
        || offset > size
        || length > size - offset
        || offset % 512 != 0
        || length % 512 != 0) {
      return new StorageException.InvalidRequest(
          "Expected multiples of 512 inside the %d bytes of volume %s, got %d bytes at %d."
              .formatted(size, id(), length, offset));
    }
    return null;
  }

  @Override
  public List<MappedRange> status(long offset, int maxRuns) {
    StorageException refusal = refusal(offset, 0, false);
    if (refusal != null) {
      throw refusal;
    }
    long size = sizeInBytes();
    List<MappedRange> runs = new ArrayList<>();
    long[] walked = {0};
    long looked;
    int ticket = pool.state().epochs().enter();
    try {
      looked =
          MapReader.allocated(
              pool.state().nodes(),
              volume.head().root(),
              new MapReader.Span(offset / BLOCK, (size + BLOCK - 1) / BLOCK),
              (first, count) -> {
                long from = Math.max(offset, first * BLOCK);
                long to = Math.min(size, (first + count) * BLOCK);
                gap(runs, offset, from);
                add(runs, from, to, true);
                walked[0] += count;
                return runs.size() <= maxRuns && walked[0] < STATUS_BLOCKS_MAX;
              });
    } finally {
      pool.state().epochs().leave(ticket);
    }
    gap(runs, offset, Math.min(size, looked * BLOCK)); // what follows is not known
    return List.copyOf(runs.subList(0, Math.min(runs.size(), Math.max(0, maxRuns))));
  }

  private static void gap(List<MappedRange> runs, long start, long to) {
    long from = runs.isEmpty() ? start : runs.getLast().range().end();
    if (from < to) {
      add(runs, from, to, false);
    }
  }

  private static void add(List<MappedRange> runs, long from, long to, boolean mapped) {
    if (!runs.isEmpty() && runs.getLast().mapped() == mapped) {
      from = runs.removeLast().range().offset();
    }
    runs.add(new MappedRange(new ByteRange(from, to - from), mapped));
  }
}
