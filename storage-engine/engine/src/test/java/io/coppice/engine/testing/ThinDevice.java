package io.coppice.engine.testing;

import io.coppice.engine.device.AllocationState;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.device.Medium;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;

/// A device whose blocks get their place when they are allocated or first written, as in a sparse
/// file, from a medium that has only so many. Safe for any thread.
public final class ThinDevice extends ForwardingDevice {

  private final BitSet placed = new BitSet(); // guarded by this
  private final BitSet written = new BitSet(); // guarded by this
  private final boolean tells;
  private long free; // blocks; guarded by this
  private boolean refusing; // guarded by this
  private long refusals; // guarded by this

  /// @param bytes that the medium has
  /// @param tells whether it can be asked ([#medium]); else only writes find out
  public ThinDevice(BlockDevice device, long bytes, boolean tells) {
    super(device);
    free = bytes / BLOCK_SIZE;
    this.tells = tells;
  }

  /// The medium gets more space.
  public synchronized void grow(long bytes) {
    free += bytes / BLOCK_SIZE;
  }

  /// Somebody else takes all that the medium has.
  public synchronized void takeAll() {
    free = 0;
  }

  /// Whether every write fails, as one does that finds no place.
  public synchronized void refuse(boolean all) {
    refusing = all;
  }

  /// Writes that found no place.
  public synchronized long refusals() {
    return refusals;
  }

  /// Blocks that have their place.
  public synchronized int placed() {
    return placed.cardinality();
  }

  private synchronized void place(long offset, long length) {
    int from = (int) (offset / BLOCK_SIZE);
    int to = (int) ((offset + length) / BLOCK_SIZE);
    int needed = to - from - placed.get(from, to).cardinality();
    if (refusing || needed > free) {
      throw new DeviceException.NoSpace("the medium is full, as the test asked");
    }
    free -= needed;
    placed.set(from, to);
  }

  private void placeForWrite(long offset, List<ByteBuffer> from) {
    long length = from.stream().mapToLong(ByteBuffer::remaining).sum();
    try {
      place(offset, length);
    } catch (DeviceException.NoSpace e) {
      synchronized (this) {
        refusals++;
      }
      throw e;
    }
    synchronized (this) {
      written.set((int) (offset / BLOCK_SIZE), (int) ((offset + length) / BLOCK_SIZE));
    }
  }

  @Override
  public void write(long offset, List<ByteBuffer> from) {
    placeForWrite(offset, from);
    super.write(offset, from);
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    placeForWrite(offset, from);
    super.writeStable(offset, from);
  }

  @Override
  public Medium medium() {
    return tells ? new Space() : super.medium();
  }

  private final class Space implements Medium {

    @Override
    public AllocationState backing(long offset, long length) {
      synchronized (ThinDevice.this) {
        int from = (int) (offset / BLOCK_SIZE);
        int to = (int) ((offset + length) / BLOCK_SIZE);
        return placed.nextClearBit(from) < to
            ? AllocationState.HOLE
            : written.nextClearBit(from) < to ? AllocationState.ALLOCATED : AllocationState.WRITTEN;
      }
    }

    @Override
    public void allocate(long offset, long length) {
      place(offset, length);
    }

    @Override
    public long available() {
      synchronized (ThinDevice.this) {
        return refusing ? 0 : free * BLOCK_SIZE;
      }
    }
  }
}
