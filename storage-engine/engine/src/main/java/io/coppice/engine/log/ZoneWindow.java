package io.coppice.engine.log;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A window that passes over one zone from its start to its end. Its buffer holds a little more
/// than a batch. The device is read in pieces, so that other users of it never wait for more than
/// one. One thread.
///
/// A block that the device does not return is filled with a pattern that no checksum fits.
public final class ZoneWindow implements BatchWalk.Blocks {

  /// Most bytes of one read from the device.
  public static final int PIECE = 256 << 10;

  private static final byte UNREADABLE = (byte) 0xB7;

  private BlockDevice device;
  private final int zoneSize;
  private final Pace pace;
  private final ByteBuffer buffer =
      AlignedBuffers.allocate(Batch.MAX_HEADER + Batch.MAX_PAYLOAD + PIECE);

  private int zone;
  private int limit;
  private int first;
  private int count;

  /// The pace of the reads: it is told of every one, and may wait.
  public interface Pace {
    void read(int bytes, long nanoseconds);
  }

  public ZoneWindow(BlockDevice device, int zoneSize, Pace pace) {
    this.device = device;
    this.zoneSize = zoneSize;
    this.pace = pace;
  }

  /// Reads from that device from the next [#enter] on.
  public void from(BlockDevice now) {
    device = now;
  }

  /// Begins with a zone, and keeps nothing of another one.
  ///
  /// @param limit block of the zone from which on nothing is looked at
  public void enter(int zone, int limit) {
    this.zone = zone;
    this.limit = limit;
    first = 0;
    count = 0;
  }

  /// Little-endian; valid until the next call. At most a batch long, and inside the limit.
  @Override
  public ByteBuffer at(int block, int blocks) {
    if (block < first || block > first + count) {
      first = block;
      count = 0;
    }
    while (block + blocks > first + count) {
      more(block);
    }
    return buffer
        .slice((block - first) * PoolLayout.BLOCK, blocks * PoolLayout.BLOCK)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Reads one more piece; the part before `block` may go.
  private void more(int block) {
    int room = buffer.capacity() / PoolLayout.BLOCK;
    int piece = Math.min(PIECE / PoolLayout.BLOCK, limit - first - count);
    if (count + piece > room) {
      int gone = block - first;
      buffer.clear().position(gone * PoolLayout.BLOCK).limit(count * PoolLayout.BLOCK);
      buffer.compact();
      first = block;
      count -= gone;
    }
    long offset = PoolLayout.zoneOffset(zone, zoneSize) + (long) (first + count) * PoolLayout.BLOCK;
    long start = System.nanoTime();
    read(offset, count, piece);
    count += piece;
    pace.read(piece * PoolLayout.BLOCK, System.nanoTime() - start);
  }

  private void read(long offset, int at, int blocks) {
    try {
      device.read(offset, slice(at, blocks));
    } catch (DeviceException e) {
      for (int i = 0; i < blocks; i++) {
        readOne(offset + (long) i * PoolLayout.BLOCK, at + i);
      }
    }
  }

  private void readOne(long offset, int at) {
    try {
      device.read(offset, slice(at, 1));
    } catch (DeviceException e) {
      ByteBuffer block = slice(at, 1);
      while (block.hasRemaining()) {
        block.put(UNREADABLE);
      }
    }
  }

  private ByteBuffer slice(int at, int blocks) {
    return buffer.slice(at * PoolLayout.BLOCK, blocks * PoolLayout.BLOCK);
  }
}
