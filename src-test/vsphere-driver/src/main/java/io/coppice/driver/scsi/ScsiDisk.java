package io.coppice.driver.scsi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// A block device on a logical unit: bytes at any offset and of any length.
///
/// Large transfers go out as several commands at once, in ascending order but not as one atomic
/// unit. A write that does not cover whole blocks reads the edge blocks first; callers must not run
/// two such writes on one block at the same time. A write has reached stable storage when it
/// returns, if the target says so for every write, and after [#sync] in any case.
///
/// Every method throws [ScsiException] for a command that ended other than GOOD, and
/// [TransportException] when the way failed: then each part may or may not be written.
public final class ScsiDisk {
  private static final int COMMAND_BYTES = 512 << 10;
  private static final int DEPTH = 16;
  private static final int UNIT_ATTENTIONS = 8;

  private final LogicalUnit unit;
  private final Capacity capacity;

  private ScsiDisk(LogicalUnit unit, Capacity capacity) {
    this.unit = unit;
    this.capacity = capacity;
  }

  /// Takes the unit attentions that wait on `unit` and reads its capacity.
  public static ScsiDisk open(LogicalUnit unit) {
    unit.testUnitReady();
    return new ScsiDisk(unit, unit.capacity());
  }

  public LogicalUnit unit() {
    return unit;
  }

  /// The size in bytes when the disk was opened.
  public long bytes() {
    return capacity.bytes();
  }

  public int blockBytes() {
    return capacity.blockBytes();
  }

  /// Fills the remaining bytes of `target` from `offset` on and moves its position to its limit.
  public void read(long offset, ByteBuffer target) {
    requireRange(offset, target.remaining());
    int block = blockBytes();
    long first = offset / block * block;
    long end = roundUp(offset + target.remaining());
    Pipeline pipeline = new Pipeline();
    for (long at = first; at < end; at += COMMAND_BYTES) {
      int bytes = (int) Math.min(COMMAND_BYTES, end - at);
      long start = at;
      pipeline.add(
          () -> unit.startRead(start / block, bytes / block, block),
          result -> copy(result.dataIn(), start, offset, target),
          ScsiRequest.reading(unit.lun(), Cdbs.read16(start / block, bytes / block), bytes));
    }
    pipeline.drain();
    target.position(target.limit());
  }

  private static void copy(ByteBuffer data, long dataAt, long offset, ByteBuffer target) {
    int skip = (int) Math.max(0, offset - dataAt);
    int at = (int) Math.max(0, dataAt - offset);
    int length = Math.min(data.remaining() - skip, target.remaining() - at);
    target.put(target.position() + at, data, skip, length);
  }

  /// Writes the remaining bytes of `source` at `offset` and moves its position to its limit.
  public void write(long offset, ByteBuffer source) {
    requireRange(offset, source.remaining());
    int block = blockBytes();
    if (offset % block != 0 || source.remaining() % block != 0) {
      ByteBuffer whole = withEdges(offset, source);
      source.position(source.limit());
      write(offset / block * block, whole);
      return;
    }
    Pipeline pipeline = new Pipeline();
    for (int at = 0; at < source.remaining(); at += COMMAND_BYTES) {
      int bytes = Math.min(COMMAND_BYTES, source.remaining() - at);
      long lba = (offset + at) / block;
      ByteBuffer part = source.slice(source.position() + at, bytes);
      pipeline.add(
          () -> unit.startWrite(lba, bytes / block, part),
          result -> {},
          ScsiRequest.writing(unit.lun(), Cdbs.write16(lba, bytes / block), part));
    }
    pipeline.drain();
    source.position(source.limit());
  }

  private ByteBuffer withEdges(long offset, ByteBuffer source) {
    int block = blockBytes();
    long first = offset / block * block;
    long end = roundUp(offset + source.remaining());
    ByteBuffer whole = ByteBuffer.allocate(Math.toIntExact(end - first));
    read(first, whole.slice(0, block));
    if (end - first > block) {
      read(end - block, whole.slice(whole.capacity() - block, block));
    }
    whole.put((int) (offset - first), source, source.position(), source.remaining());
    return whole;
  }

  /// Makes a range of whole blocks read as zero, by WRITE SAME without data.
  public void zero(long offset, long length) {
    inParts(offset, length, (lba, blocks) -> unit.zero(lba, blocks, false));
  }

  /// Gives back the space of a range of whole blocks, by UNMAP.
  public void unmap(long offset, long length) {
    inParts(offset, length, unit::unmap);
  }

  private interface RangeCommand {
    void run(long lba, int blocks);
  }

  private void inParts(long offset, long length, RangeCommand command) {
    requireRange(offset, length);
    int block = blockBytes();
    if (offset % block != 0 || length % block != 0) {
      throw new IllegalArgumentException(
          "expected whole blocks of %d bytes, got offset %d, length %d"
              .formatted(block, offset, length));
    }
    long part = 32L << 20;
    for (long at = offset; at < offset + length; at += part) {
      command.run(at / block, (int) (Math.min(part, offset + length - at) / block));
    }
  }

  /// SYNCHRONIZE CACHE of the whole device.
  public void sync() {
    unit.synchronize();
  }

  /// Writes a file from offset 0; runs of zero bytes of 1 MiB are skipped if `sparse`, which is
  /// right only for a device that reads as zero there. Returns the bytes sent.
  public long copyFrom(FileChannel file, boolean sparse) throws IOException {
    int step = 8 << 20;
    ByteBuffer buffer = ByteBuffer.allocate(step);
    ByteBuffer zeros = ByteBuffer.allocate(1 << 20);
    long sent = 0;
    for (long at = 0; at < file.size(); at += step) {
      buffer.clear();
      while (buffer.hasRemaining() && file.read(buffer, at + buffer.position()) >= 0) {}
      buffer.flip();
      int from = 0;
      while (from < buffer.limit()) {
        int length = Math.min(zeros.capacity(), buffer.limit() - from);
        ByteBuffer part = buffer.slice(from, length);
        if (!sparse || !part.equals(zeros.slice(0, length))) {
          write(at + from, part);
          sent += length;
        }
        from += length;
      }
    }
    return sent;
  }

  /// The SHA-256 of the whole device in hex.
  public String sha256() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      ByteBuffer buffer = ByteBuffer.allocate(8 << 20);
      for (long at = 0; at < bytes(); at += buffer.capacity()) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), bytes() - at));
        read(at, buffer);
        digest.update(buffer.flip());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK has no SHA-256", e);
    }
  }

  private long roundUp(long offset) {
    return (offset + blockBytes() - 1) / blockBytes() * blockBytes();
  }

  private void requireRange(long offset, long length) {
    if (offset < 0 || length < 0 || offset > bytes() - length) {
      throw new IllegalArgumentException(
          "expected a range within %d bytes, got offset %d, length %d"
              .formatted(bytes(), offset, length));
    }
  }

  /// Up to [#DEPTH] commands under way, finished in the order of their start.
  private final class Pipeline {
    private final Deque<Step> under = new ArrayDeque<>();

    void add(Start start, End end, ScsiRequest request) {
      if (under.size() == DEPTH) {
        finishFirst();
      }
      under.add(new Step(start.start(), end, request));
    }

    void drain() {
      while (!under.isEmpty()) {
        finishFirst();
      }
    }

    private void finishFirst() {
      Step step = under.remove();
      ScsiResult result = join(step.result());
      for (int i = 0; i < UNIT_ATTENTIONS && result.unitAttention(); i++) {
        result = unit.execute(step.request());
      }
      step.end().accept(result.requireGood(step.request()));
    }

    private ScsiResult join(CompletableFuture<ScsiResult> future) {
      try {
        return future.join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof TransportException cause) {
          throw new TransportException("disk: " + cause.getMessage(), cause);
        }
        throw e;
      }
    }
  }

  private record Step(CompletableFuture<ScsiResult> result, End end, ScsiRequest request) {}

  private interface Start {
    CompletableFuture<ScsiResult> start();
  }

  private interface End {
    void accept(ScsiResult result);
  }
}
