package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.engine.watch.WriteSampler;
import io.coppice.engine.watch.WrittenSums;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/// The time of the committer for the ransomware watch, alone: counting a write and, of some, the
/// entropy of a block.
final class WatchGroup implements Group {

  private static final int BLOCK = 4096;
  private static final int ROUNDS = 21;
  private static final int DEEP = 32;

  /// Half a percent of the 20 µs of CPU that a write of 4 KiB costs.
  private static final double MOST_NANOS = 100;

  @Override
  public String name() {
    return "watch";
  }

  @Override
  public void run(Stage stage) {
    stage
        .report()
        .group(
            "Watch",
            "Nanoseconds of the committer for each write, median of %d rounds over 64 MiB, which no cache holds. A batch is %d writes of 4 KiB."
                .formatted(ROUNDS, DEEP));
    ByteBuffer bytes = ByteBuffer.allocateDirect(64 << 20);
    byte[] content = new byte[bytes.capacity()];
    new Random(1).nextBytes(content);
    measure(stage, "random bytes", bytes.clear().put(content).clear());
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) ('a' + (content[i] & 15));
    }
    measure(stage, "text", bytes.clear().put(content).clear());
  }

  private static void measure(Stage stage, String what, ByteBuffer bytes) {
    row(stage, what + ", writes of 4 KiB", bytes, 1);
    row(stage, what + ", writes of 64 KiB", bytes, 16);
  }

  private static void row(Stage stage, String what, ByteBuffer bytes, int blocks) {
    WriteSampler sampler = new WriteSampler();
    WrittenSums sums = new WrittenSums();
    int writes = bytes.capacity() / (blocks * BLOCK);
    double[] nanos = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < writes; i++) {
        sampler.wrote(sums, bytes, i * blocks * BLOCK, blocks, blocks);
      }
      nanos[round] = (double) (System.nanoTime() - start) / writes;
    }
    Arrays.sort(nanos);
    double each = nanos[ROUNDS / 2];
    stage
        .report()
        .row(
            Row.of(
                    what,
                    "%.0f ns (%.0f to %.0f), %.1f µs a batch"
                        .formatted(each, nanos[0], nanos[ROUNDS - 1], each * DEEP / 1000))
                .judged(each, Aim.atMost(MOST_NANOS * blocks)));
  }
}
