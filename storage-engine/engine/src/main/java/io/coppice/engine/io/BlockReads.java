package io.coppice.engine.io;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.MapEntries;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.map.NodeCache;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import io.coppice.engine.thread.Uninterrupted;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The reader of stored blocks, which verifies each of them. A fixed number of platform threads
/// reads the device, or a caller that may block and says so ([#enter]). If the device has queues,
/// many reads of whole blocks are begun at a time ([#offer]).
public final class BlockReads {

  private static final int MAX_TRANSFER = 1 << 20;
  private static final int CLOSED = Integer.MIN_VALUE;

  /// Pieces on the device from which on a queue is faster than one read after the other.
  private static final int SEVERAL = 3;

  /// Bytes of a piece from which on a call of its own costs little beside it.
  private static final int LARGE = 64 << 10;

  private final BlockDevice device;
  private final PoolState state;
  private final ReaderThreads threads;
  private final DeviceQueues queues;
  private final AtomicInteger callers = new AtomicInteger(); // from CLOSED on when it is closed
  private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

  private volatile BadBlocks badBlocks = (_, _) -> {};

  /// The receiver of blocks that could not be read or verified, on the reader's thread.
  public interface BadBlocks {
    void met(VolumeState volume, long block);

    /// A copy was not what it should be and was written anew from the other one.
    ///
    /// @param where the end of a phrase
    default void mended(VolumeState volume, long block, String where) {}
  }

  /// The buffers of one thread. A thread that only verifies has no buffer.
  private static final class Scratch {
    private final Checksum checksum = new Checksum();
    private @Nullable ByteBuffer buffer;

    ByteBuffer buffer() {
      ByteBuffer made = buffer;
      if (made == null) {
        made = AlignedBuffers.allocate(MAX_TRANSFER);
        buffer = made;
      }
      return made;
    }
  }

  public BlockReads(BlockDevice device, PoolState state, int threadCount) {
    this.device = device;
    this.state = state;
    threads = new ReaderThreads(threadCount);
    queues = new DeviceQueues(device, this::readAgain);
  }

  public void onBadBlocks(BadBlocks told) {
    badBlocks = told;
  }

  /// The mapping of a range of a volume, held within reach from [#open] until [#close]. One object
  /// serves one range after another.
  final class Mapping implements AutoCloseable {

    private final MapEntries mapped = new MapEntries();
    private long[] offsets = {};
    private @Nullable VolumeState volume; // present: open
    private int ticket;
    private boolean hole;
    private boolean placed;
    private BlockDevice source = device; // that or one of its copies

    /// A mapping that is not open.
    Mapping() {}

    /// A mapping that is open. Reads nodes of the map that are not in memory. For this class's
    /// threads only.
    ///
    /// @throws StorageException if a node cannot be read
    Mapping(VolumeState volume, long first, int blocks) {
      open(volume, first, blocks, true);
    }

    /// @param mayRead whether nodes that are not in memory are read; for this class's threads only
    /// @return whether it is open: false if nodes are not in memory and may not be read
    /// @throws StorageException if a node cannot be read; it is not open then
    boolean open(VolumeState of, long first, int blocks, boolean mayRead) {
      NodeCache loader = mayRead ? state.nodes() : null;
      if (loader != null) {
        loader.awaitRoom();
      }
      ticket = state.epochs().enter();
      source = device;
      boolean complete;
      try {
        mapped.aim(first, blocks);
        int stamp;
        do {
          stamp = of.stamp();
          complete = MapReader.read(of.head().root(), mapped, loader);
        } while (!of.isUnchangedSince(stamp));
        complete = complete && findPlaces(mayRead);
      } catch (RuntimeException | Error e) {
        state.epochs().leave(ticket);
        throw notMapped(of, first, blocks, e);
      }
      if (complete) {
        volume = of;
      } else {
        state.epochs().leave(ticket);
      }
      return complete;
    }

    /// Finds where each block lies now. There it can be read until this is closed, even if it
    /// moves.
    ///
    /// @return false if a page must be read for that
    private boolean findPlaces(boolean mayRead) {
      if (offsets.length < mapped.count()) {
        offsets = new long[mapped.count()];
      }
      hole = true;
      placed = true;
      for (int i = 0; i < mapped.count(); i++) {
        if (!isHoleAt(i)) {
          hole = false;
          offsets[i] = state.segments().offsetOf(mapped.address(i));
          if (offsets[i] == Segments.IN_PAGE) {
            if (!mayRead) {
              return false;
            }
            offsets[i] = state.pages().offsetOf(mapped.address(i));
          }
          placed &= offsets[i] >= 0;
        }
      }
      return true;
    }

    boolean isOpen() {
      return volume != null;
    }

    /// Makes [#read] read one of the copies until this is closed. Blocks damaged there come from
    /// another copy and are written anew.
    void readFrom(BlockDevice place) {
      source = place;
    }

    private VolumeState volume() {
      return Objects.requireNonNull(volume, "the volume of a mapping that is not open");
    }

    /// Whether nothing is stored for any of the range.
    boolean isHole() {
      return hole;
    }

    boolean isHole(long block) {
      return isHoleAt((int) (block - mapped.first()));
    }

    /// @param index counted from the first block of the range
    boolean isHoleAt(int index) {
      return mapped.address(index) == BlockAddress.NONE;
    }

    /// Whether [#placeOf] knows all that is stored.
    boolean isPlaced() {
      return placed;
    }

    /// Whether each read of the device transfers so much that its call does not count.
    boolean isInLargePieces() {
      return (long) mapped.count() * PoolLayout.BLOCK >= (long) pieces() * LARGE;
    }

    /// Reads of the device that this takes.
    int pieces() {
      int pieces = 0;
      for (int i = 0; i < mapped.count(); i += runAt(i, mapped.count())) {
        pieces += isHoleAt(i) ? 0 : 1;
      }
      return pieces;
    }

    /// Reads bytes [offset, offset + into.remaining()) of the volume, all inside the range. Blocks;
    /// for this class's threads, and between [BlockReads#enter] and [BlockReads#leave].
    void read(long offset, ByteBuffer into) {
      long first = mapped.first();
      long at = offset;
      long end = offset + into.remaining();
      while (at < end) {
        int index = (int) (at / PoolLayout.BLOCK - first);
        int run = runAt(index, (int) ((end - 1) / PoolLayout.BLOCK - first) + 1);
        long runEnd = Math.min(end, (first + index + run) * PoolLayout.BLOCK);
        int skip = (int) (at % PoolLayout.BLOCK);
        int length = (int) (runEnd - at);
        if (isHoleAt(index)) {
          ZeroDetection.zero(into, length);
        } else {
          load(index, run, skip, length, into);
        }
        at = runEnd;
      }
    }

    /// Blocks from `index` on that are one piece on the device, or one hole.
    int runAt(int index, int end) {
      int run = 1;
      boolean isHole = isHoleAt(index);
      int max = isHole ? Integer.MAX_VALUE : MAX_TRANSFER / PoolLayout.BLOCK;
      while (index + run < end && run < max && follows(index, run, isHole)) {
        run++;
      }
      return run;
    }

    private boolean follows(int index, int run, boolean isHole) {
      long next = mapped.address(index + run);
      return isHole
          ? next == BlockAddress.NONE
          : next != BlockAddress.NONE
              && offsets[index + run] == offsets[index] + (long) run * PoolLayout.BLOCK;
    }

    /// Puts `length` bytes of a run of blocks, from byte `skip` of it on. If it can, the device
    /// reads them directly to where they go.
    private void load(int index, int run, int skip, int length, ByteBuffer into) {
      if (length == run * PoolLayout.BLOCK && AlignedBuffers.isAligned(into)) {
        int start = into.position();
        int limit = into.limit();
        load(index, run, into.limit(start + length));
        into.limit(limit);
      } else {
        ByteBuffer buffer = scratch.get().buffer();
        load(index, run, buffer.clear().limit(run * PoolLayout.BLOCK));
        into.put(into.position(), buffer, skip, length);
        into.position(into.position() + length);
      }
    }

    /// Fills `into` with a run of blocks that are one piece on the device, and verifies each.
    private void load(int index, int run, ByteBuffer into) {
      long offset = placeOf(index);
      int start = into.position();
      try {
        source.read(offset, into);
      } catch (DeviceException e) {
        readOther(index, run, into, start, e);
        into.position(start + run * PoolLayout.BLOCK);
        return;
      }
      verify(index, run, into, start);
    }

    /// Takes each block of a run that could not be read from any copy that is intact.
    ///
    /// @throws StorageException if a block has no intact copy
    private void readOther(int index, int run, ByteBuffer into, int start, DeviceException cause) {
      for (int i = 0; i < run; i++) {
        if (!restore(index + i, into, start + i * PoolLayout.BLOCK)) {
          throw unreadable(index, run, cause);
        }
      }
    }

    /// Takes a block from an intact copy, and writes it over the damaged copies. This mapping keeps
    /// its place from being used again.
    ///
    /// @return false if there is no intact copy
    private boolean restore(int index, ByteBuffer into, int at) {
      if (device.copies().getFirst().isOnly()) {
        return false;
      }
      ByteBuffer block = AlignedBuffers.allocate(PoolLayout.BLOCK);
      StoredBlock.Copies copies =
          new StoredBlock(device, offsets[index], mapped.crc(index)).look(block);
      if (copies.reason() != null) {
        return false;
      }
      into.put(at, block, 0, PoolLayout.BLOCK);
      copies.mended().forEach(where -> badBlocks.mended(volume(), mapped.first() + index, where));
      return true;
    }

    /// Where a block lies on the device, in bytes.
    ///
    /// @throws StorageException.Damaged if nowhere
    long placeOf(int index) {
      long offset = offsets[index];
      if (offset < 0) {
        throw new StorageException.Damaged(
            "Expected %s in %s, found no such segment.".formatted(name(index), place(index)));
      }
      return offset;
    }

    /// Verifies each block of a run that was read.
    ///
    /// @param start of the first one in the buffer
    /// @throws StorageException.Damaged if one is not what was written
    void verify(int index, int run, ByteBuffer into, int start) {
      Scratch own = scratch.get();
      for (int i = 0; i < run; i++) {
        int crc = own.checksum.of(into, start + i * PoolLayout.BLOCK, PoolLayout.BLOCK);
        if (crc != mapped.crc(index + i)
            && !restore(index + i, into, start + i * PoolLayout.BLOCK)) {
          badBlocks.met(volume(), mapped.first() + index + i);
          throw new StorageException.Damaged(
              "Expected CRC32C %08x of %s in %s, found %08x."
                  .formatted(mapped.crc(index + i), name(index + i), place(index + i), crc));
        }
      }
    }

    /// Whether each block of a run that was read is what was written.
    ///
    /// @param start of the first one in the buffer
    boolean isAsWritten(int index, int run, ByteBuffer into, int start) {
      Checksum checksum = scratch.get().checksum;
      boolean same = true;
      for (int i = 0; i < run && same; i++) {
        int crc = checksum.of(into, start + i * PoolLayout.BLOCK, PoolLayout.BLOCK);
        same = crc == mapped.crc(index + i);
      }
      return same;
    }

    /// Finds out which block of a run cannot be read.
    StorageException unreadable(int index, int run, DeviceException cause) {
      long offset = offsets[index];
      ByteBuffer buffer = scratch.get().buffer();
      DeviceException reason = cause;
      int bad = 0;
      for (int i = 0; run > 1 && i < run; i++) {
        try {
          source.read(offset + (long) i * PoolLayout.BLOCK, buffer.clear().limit(PoolLayout.BLOCK));
        } catch (DeviceException e) {
          reason = e;
          bad = i;
          break;
        }
      }
      badBlocks.met(volume(), mapped.first() + index + bad);
      return new StorageException.DeviceFailed(
          "Could not read %s in %s: %s"
              .formatted(name(index + bad), place(index + bad), reason.getMessage()),
          reason);
    }

    /// The block as the host knows it.
    private String name(int index) {
      long lba = (mapped.first() + index) * (PoolLayout.BLOCK / 512);
      return "LBA %d to %d of volume %s".formatted(lba, lba + 7, volume().info().id());
    }

    private String place(int index) {
      return BlockAddress.describe(mapped.address(index));
    }

    /// Does nothing if it is not open.
    @Override
    public void close() {
      if (volume != null) {
        volume = null;
        state.epochs().leave(ticket);
      }
    }
  }

  /// Runs `task` on a thread that may block on the device.
  ///
  /// @throws StorageException.DeviceFailed if the pool is closed
  public void execute(Runnable task) {
    if (!threads.execute(task)) {
      throw new StorageException.DeviceFailed("The pool is closed.");
    }
  }

  /// Reads a mapping together with others that wait, where the device can do that.
  ///
  /// @return false if it cannot; [#execute] does it then
  boolean offer(PiecewiseRead read) {
    return queues.offer(read);
  }

  /// Whether a thread that reads such a mapping itself would be slower.
  boolean prefersQueue(Mapping mapping) {
    return queues.isUseful() && mapping.pieces() >= SEVERAL && !mapping.isInLargePieces();
  }

  /// Opens the queue of a device that has been filled.
  public void openQueues() {
    queues.open();
  }

  /// Reads again by a call, which is counted. It reads the device whose queue it was, so that
  /// damage there is met, unless that device was left out of the mirror.
  private void readAgain(PiecewiseRead read, int number) {
    for (BlockDevice.Copy copy : device.copies()) {
      if (copy.number() == number) {
        read.readFrom(copy.device());
      }
    }
    try {
      execute(read::runHere);
    } catch (StorageException closed) {
      read.refuse(closed);
    }
  }

  /// Names the blocks of which the map cannot be read.
  static StorageException notMapped(VolumeState volume, long first, long blocks, Throwable cause) {
    String sentence =
        "Could not find LBA %d to %d of volume %s: %s"
            .formatted(8 * first, 8 * (first + blocks) - 1, volume.info().id(), cause.getMessage());
    return cause instanceof StorageException.Damaged
        ? new StorageException.Damaged(sentence)
        : new StorageException.DeviceFailed(sentence, cause);
  }

  /// Translates a failure with which a read may end.
  static StorageException failureOf(Throwable e) {
    return e instanceof StorageException known
        ? known
        : new StorageException.DeviceFailed("A read failed: " + e, e);
  }

  /// Lets the calling thread read the device until [#leave].
  ///
  /// @return false if it must leave that to the threads of this object
  boolean enter() {
    if (Thread.currentThread().isVirtual() || !device.toleratesInterrupts()) {
      return false;
    }
    int inside;
    do {
      inside = callers.get();
      if (inside < 0) {
        return false;
      }
    } while (!callers.compareAndSet(inside, inside + 1));
    return true;
  }

  void leave() {
    if (callers.decrementAndGet() == CLOSED) {
      synchronized (callers) {
        callers.notifyAll();
      }
    }
  }

  /// Waits until everything that was begun has ended.
  public void awaitEnd() {
    queues.awaitEnd();
    threads.close();
    callers.updateAndGet(inside -> inside < 0 ? inside : inside + CLOSED);
    synchronized (callers) {
      Uninterrupted.await(
          () -> {
            while (callers.get() != CLOSED) {
              callers.wait();
            }
          });
    }
  }
}
