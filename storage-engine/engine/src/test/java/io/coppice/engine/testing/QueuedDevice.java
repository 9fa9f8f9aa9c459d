package io.coppice.engine.testing;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.device.ReadQueue;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A device with queues, which end a few reads at a time in any order, and may take or read fewer
/// than they are asked for.
public final class QueuedDevice extends ForwardingDevice {

  private static final int CAPACITY = 7;

  private final long seed;
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger pieces = new AtomicInteger();
  private volatile int refusedOfTen;
  private volatile int lostOfTen;
  private final List<Queue> queues = new CopyOnWriteArrayList<>();

  public QueuedDevice(BlockDevice device, long seed) {
    super(device);
    this.seed = seed;
  }

  /// Pieces begun through queues so far.
  public int pieces() {
    return pieces.get();
  }

  /// Queues that were opened and not closed.
  public int openQueues() {
    return opened.get() - closed.get();
  }

  /// From now on so many of ten pieces are not begun.
  public void refuse(int ofTen) {
    refusedOfTen = ofTen;
  }

  /// From now on so many of ten pieces end without their content.
  public void lose(int ofTen) {
    lostOfTen = ofTen;
  }

  /// Has the queues tell of no more ends, and waits for the threads that listened. To be called
  /// while nothing is under way.
  public void goDeaf() throws InterruptedException {
    for (Queue queue : queues) {
      queue.goDeaf();
      queue.listener.join();
    }
  }

  @Override
  public @Nullable ReadQueue readQueue() {
    Queue queue = new Queue(opened.incrementAndGet());
    queues.add(queue);
    return queue;
  }

  private final class Queue implements ReadQueue {

    private record Prepared(long offset, long address, int length) {}

    private record Ended(int number, boolean isWhole) {}

    private final SplittableRandom random; // guarded by this
    private final @Nullable Prepared[] prepared = new Prepared[CAPACITY];
    private final List<Integer> begun = new ArrayList<>(); // guarded by this
    private final List<Ended> told = new ArrayList<>(); // of the waiting thread
    private boolean woken; // guarded by this
    private boolean deaf; // guarded by this
    private volatile Thread listener = Thread.currentThread(); // until it listens
    private boolean isClosed; // guarded by this

    Queue(int number) {
      random = new SplittableRandom(seed + number);
    }

    @Override
    public int capacity() {
      return CAPACITY;
    }

    @Override
    public synchronized void prepare(int number, long offset, long address, int length) {
      if (begun.contains(number)) {
        throw new AssertionError("number " + number + " is under way");
      }
      prepared[number] = new Prepared(offset, address, length);
    }

    @Override
    public synchronized int begin(int[] numbers, int count) {
      if (isClosed || woken) {
        throw new AssertionError("begun after the end");
      }
      for (int i = 0; i < count; i++) {
        if (begun.contains(numbers[i]) || prepared[numbers[i]] == null) {
          throw new AssertionError("number " + numbers[i] + " cannot begin");
        }
        if (random.nextInt(10) < refusedOfTen) {
          return i;
        }
        begun.add(numbers[i]);
        pieces.incrementAndGet();
        notifyAll();
      }
      return count;
    }

    @Override
    public synchronized int await() {
      listener = Thread.currentThread();
      told.clear();
      while (begun.isEmpty() && !woken) {
        if (deaf) {
          throw new DeviceException("the ends of reads cannot be heard of");
        }
        try {
          wait();
        } catch (InterruptedException e) {
          throw new AssertionError("nobody knows this thread", e);
        }
      }
      int most = 1 + random.nextInt(CAPACITY);
      while (told.size() < most && !begun.isEmpty()) {
        int number = begun.remove(random.nextInt(begun.size()));
        Prepared one = prepared[number];
        prepared[number] = null;
        told.add(new Ended(number, one != null && random.nextInt(10) >= lostOfTen && read(one)));
      }
      return told.size();
    }

    synchronized void goDeaf() {
      deaf = true;
      notifyAll();
    }

    @SuppressWarnings("restricted") // the memory of a read that was prepared
    private boolean read(Prepared one) {
      try {
        MemorySegment memory = MemorySegment.ofAddress(one.address).reinterpret(one.length);
        QueuedDevice.super.read(one.offset, memory.asByteBuffer());
        return true;
      } catch (DeviceException e) {
        return false;
      }
    }

    @Override
    public int number(int index) {
      return told.get(index).number();
    }

    @Override
    public boolean isWhole(int index) {
      return told.get(index).isWhole();
    }

    @Override
    public synchronized void wake() {
      if (!begun.isEmpty() || woken) {
        throw new AssertionError("woken under reads, or twice");
      }
      woken = true;
      notifyAll();
    }

    @Override
    public synchronized void close() {
      if (!begun.isEmpty() || isClosed) {
        throw new AssertionError("closed under reads, or twice");
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
