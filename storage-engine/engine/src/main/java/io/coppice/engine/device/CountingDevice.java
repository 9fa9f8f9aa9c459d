package io.coppice.engine.device;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// A device that counts the bytes that pass. Bytes for both devices of a mirror count once.
public final class CountingDevice extends ForwardingDevice {

  private final LongAdder written;
  private final LongAdder read;

  public CountingDevice(BlockDevice device) {
    this(device, new LongAdder(), new LongAdder());
  }

  private CountingDevice(BlockDevice device, LongAdder written, LongAdder read) {
    super(device);
    this.written = written;
    this.read = read;
  }

  @Override
  public List<Copy> copies() {
    return counted(device.copies());
  }

  @Override
  public List<Copy> reserves() {
    return counted(device.reserves());
  }

  private List<Copy> counted(List<Copy> copies) {
    return copies.stream()
        .map(
            copy ->
                new Copy(
                    copy.number(), copy.name(), new CountingDevice(copy.device(), written, read)))
        .toList();
  }

  public long bytesWritten() {
    return written.sum();
  }

  public long bytesRead() {
    return read.sum();
  }

  @Override
  public void read(long offset, ByteBuffer into) {
    read.add(into.remaining());
    device.read(offset, into);
  }

  @Override
  public @Nullable ReadQueue readQueue() {
    ReadQueue queue = device.readQueue();
    return queue == null ? null : new CountingQueue(queue, read);
  }

  private record CountingQueue(ReadQueue queue, LongAdder read) implements ReadQueue {

    @Override
    public int capacity() {
      return queue.capacity();
    }

    @Override
    public boolean isUseful() {
      return queue.isUseful();
    }

    @Override
    public void prepare(int number, long offset, long address, int length) {
      read.add(length);
      queue.prepare(number, offset, address, length);
    }

    @Override
    public int begin(int[] numbers, int count) {
      return queue.begin(numbers, count);
    }

    @Override
    public int await() {
      return queue.await();
    }

    @Override
    public int number(int index) {
      return queue.number(index);
    }

    @Override
    public boolean isWhole(int index) {
      return queue.isWhole(index);
    }

    @Override
    public void wake() {
      queue.wake();
    }

    @Override
    public void close() {
      queue.close();
    }
  }

  @Override
  public void write(long offset, List<ByteBuffer> from) {
    count(from);
    device.write(offset, from);
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    count(from);
    device.writeStable(offset, from);
  }

  private void count(List<ByteBuffer> from) {
    for (int i = 0; i < from.size(); i++) {
      written.add(from.get(i).remaining());
    }
  }
}
