package io.coppice.engine.format;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// Bytes that nobody wrote, given to a decoder: it may refuse them with [FormatException] or read
/// something else, but must not fail otherwise, and must not allocate much more than it was given.
final class Hostile {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int[] EXTREMES = {
    Integer.MIN_VALUE,
    -1,
    0,
    1,
    511,
    513,
    1 << 20,
    (1 << 30) + 1,
    (1 << 30) + 3,
    0x7FFF_FFF8,
    Integer.MAX_VALUE
  };

  private final Consumer<byte[]> decoder;
  private int refused;
  private int tried;

  Hostile(Consumer<byte[]> decoder) {
    this.decoder = decoder;
  }

  /// How many were refused.
  int refused() {
    return refused;
  }

  int tried() {
    return tried;
  }

  /// All beginnings of `bytes`.
  Hostile truncated(byte[] bytes) {
    for (int length = 0; length < bytes.length; length++) {
      decode(Arrays.copyOf(bytes, length));
    }
    return this;
  }

  /// `bytes` with each bit flipped once.
  Hostile flipped(byte[] bytes) {
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] mutated = bytes.clone();
      mutated[bit / 8] ^= (byte) (1 << bit % 8);
      decode(mutated);
    }
    return this;
  }

  /// `bytes` with an extreme number at each place.
  Hostile extreme(byte[] bytes) {
    for (int at = 0; at + 4 <= bytes.length; at++) {
      for (int value : EXTREMES) {
        byte[] mutated = bytes.clone();
        for (int i = 0; i < 4; i++) {
          mutated[at + i] = (byte) (value >>> 8 * i);
        }
        decode(mutated);
      }
    }
    return this;
  }

  /// `bytes` with some bytes changed at random, `times` over.
  Hostile random(byte[] bytes, SplittableRandom random, int times) {
    for (int i = 0; i < times; i++) {
      byte[] mutated = bytes.clone();
      for (int changes = 1 + random.nextInt(6); changes > 0; changes--) {
        mutated[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      decode(mutated);
    }
    return this;
  }

  private void decode(byte[] bytes) {
    tried++;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      decoder.accept(bytes);
    } catch (FormatException e) {
      refused++;
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "expected a FormatException or a value of %s"
              .formatted(HexFormat.of().formatHex(bytes, 0, Math.min(512, bytes.length))),
          e);
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    if (allocated > 64L * bytes.length + (256 << 10)) {
      throw new AssertionError(
          "expected little memory for %d bytes, found %d of it".formatted(bytes.length, allocated));
    }
  }
}
