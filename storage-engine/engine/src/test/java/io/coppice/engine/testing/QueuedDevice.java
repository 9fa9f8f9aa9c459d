package io.coppice.engine.testing;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ReadQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A device with queues, which end a few reads at a time in any order and may stop to be useful.
public final class QueuedDevice extends PassingDevice {

  private static final int ROOM = 7;

  private final long seed;
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger pieces = new AtomicInteger();
  private final AtomicInteger usefulFor = new AtomicInteger(Integer.MAX_VALUE);

  public QueuedDevice(BlockDevice device, long seed) {
    super(device);
    this.seed = seed;
  }

  /// Pieces read through queues so far.
  public int pieces() {
    return pieces.get();
  }

  /// Queues that were opened and not closed.
  public int openQueues() {
    return opened.get() - closed.get();
  }

  /// After so many more pieces no queue is useful any more.
  public void spoilAfter(int more) {
    usefulFor.set(pieces.get() + more);
  }

  @Override
  public @Nullable ReadQueue readQueue() {
    return pieces.get() >= usefulFor.get() ? null : new Queue(opened.incrementAndGet());
  }

  private final class Queue implements ReadQueue {
    private final Thread owner = Thread.currentThread();
    private final SplittableRandom random;
    private final List<Piece> added = new ArrayList<>();
    private boolean isClosed;

    Queue(int number) {
      random = new SplittableRandom(seed + number);
    }

    @Override
    public int room() {
      check();
      return ROOM - added.size();
    }

    @Override
    public boolean isEmpty() {
      check();
      return added.isEmpty();
    }

    @Override
    public boolean isUseful() {
      check();
      return pieces.get() < usefulFor.get();
    }

    @Override
    public void add(Piece piece) {
      check();
      if (added.size() == ROOM) {
        throw new AssertionError("more reads than there is room for");
      }
      added.add(piece);
    }

    @Override
    public void await() {
      check();
      int most = 1 + random.nextInt(ROOM);
      for (int i = 0; i < most && !added.isEmpty(); i++) {
        Piece piece = added.remove(random.nextInt(added.size()));
        pieces.incrementAndGet();
        piece.ended(read(piece));
      }
    }

    private @Nullable DeviceException read(Piece piece) {
      try {
        QueuedDevice.super.read(piece.offset(), piece.into().slice(piece.start(), piece.length()));
        return null;
      } catch (DeviceException e) {
        return e;
      }
    }

    private void check() {
      if (isClosed || !Thread.currentThread().equals(owner)) {
        throw new AssertionError("a queue is its thread's, until it is closed");
      }
    }

    @Override
    public void close() {
      while (!isEmpty()) {
        await();
      }
      isClosed = true;
      closed.incrementAndGet();
    }
  }

  @Override
  public void close() {
    if (openQueues() != 0) {
      throw new AssertionError("closed under %d queues".formatted(openQueues()));
    }
    super.close();
  }
}
