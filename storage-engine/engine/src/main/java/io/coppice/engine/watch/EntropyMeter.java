package io.coppice.engine.watch;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// A meter of the entropy of a block's bytes, by Shannon's formula over how often each of the 256
/// values occurs. For one thread.
///
/// It looks at [#SAMPLED] bytes of a block: a cache line out of each eighth. So few bytes cannot
/// reach 8 bits: random ones have about 7.6, which is the most that is seen of encrypted or
/// compressed data. Text has 4 to 5, a block of one value 0.
public final class EntropyMeter {

  /// Bytes of a block that are looked at.
  public static final int SAMPLED = 512;

  private static final int BLOCK = 4096;
  private static final int PIECE = 64;
  private static final int STEP = BLOCK / (SAMPLED / PIECE);
  private static final int VALUES = 256;

  /// Thousandths of a bit that a value adds which occurs that often, times [#SAMPLED].
  private static final int[] TERMS = terms();

  private final int[] counts = new int[VALUES];

  private static int[] terms() {
    int[] terms = new int[SAMPLED + 1];
    for (int n = 1; n <= SAMPLED; n++) {
      terms[n] = (int) Math.round(1000.0 * n * Math.log((double) SAMPLED / n) / Math.log(2));
    }
    return terms;
  }

  /// The entropy of a block, in thousandths of a bit for each byte: 0 to 8000.
  ///
  /// @param at where its 4096 bytes begin; the buffer is left as it is
  public int measure(ByteBuffer bytes, int at) {
    Arrays.fill(counts, 0);
    for (int piece = at; piece < at + BLOCK; piece += STEP) {
      for (int i = 0; i < PIECE; i += Long.BYTES) {
        count(bytes.getLong(piece + i));
      }
    }
    int sum = 0;
    for (int n : counts) {
      sum += TERMS[n];
    }
    return sum / SAMPLED;
  }

  private void count(long eight) {
    counts[(int) eight & 0xff]++;
    counts[(int) (eight >>> 8) & 0xff]++;
    counts[(int) (eight >>> 16) & 0xff]++;
    counts[(int) (eight >>> 24) & 0xff]++;
    counts[(int) (eight >>> 32) & 0xff]++;
    counts[(int) (eight >>> 40) & 0xff]++;
    counts[(int) (eight >>> 48) & 0xff]++;
    counts[(int) (eight >>> 56)]++;
  }
}
