package io.coppice.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/// The peer: the raw file with the same durability, every write stable when it returns.
final class RawFile implements Peer {

  private static final int BLOCK = 4096;

  private final FileChannel channel;
  private final long blocks;

  /// Fills the file with random bytes, so that no later write allocates.
  RawFile(Path file, long sizeInBytes) {
    this.blocks = sizeInBytes / BLOCK;
    try {
      DiskFiles.fill(file, sizeInBytes);
      this.channel =
          FileChannel.open(
              file,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DSYNC,
              direct());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // The compiler warns of the option's package by name; it is documented and supported
  // (jdk.unsupported).
  private static OpenOption direct() {
    try {
      for (Object option :
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option.toString().equals("DIRECT")) {
          return (OpenOption) option;
        }
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("expected a JDK with direct I/O", e);
    }
    throw new IllegalStateException("expected a JDK with direct I/O");
  }

  @Override
  public String name() {
    return "raw file";
  }

  @Override
  public double perSecond(Work work, int depth, long nanos) {
    LongAdder done = new LongAdder();
    long start = System.nanoTime();
    Thread[] threads = new Thread[depth];
    for (int i = 0; i < depth; i++) {
      threads[i] = Thread.ofPlatform().start(() -> run(work, start + nanos, done));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return done.sum() * 1e9 / (System.nanoTime() - start);
  }

  private void run(Work work, long deadline, LongAdder done) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK).slice(0, BLOCK);
    ThreadLocalRandom random = ThreadLocalRandom.current();
    byte[] bytes = new byte[BLOCK];
    while (System.nanoTime() < deadline) {
      if (work == Work.WRITE) {
        random.nextBytes(bytes); // as the other side: random data, made by the same two cores
        buffer.clear().put(bytes);
      }
      buffer.clear();
      long offset = random.nextLong(blocks) * BLOCK;
      try {
        switch (work) {
          case WRITE -> channel.write(buffer, offset);
          case READ -> channel.read(buffer, offset);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      done.increment();
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
