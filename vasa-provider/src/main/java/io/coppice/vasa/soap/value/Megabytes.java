package io.coppice.vasa.soap.value;

import io.coppice.vasa.fault.VasaException;

/// Sizes on the wire: whole MB of 2^20 bytes.
public final class Megabytes {

  private static final long BYTES = 1L << 20;

  private Megabytes() {}

  /// @throws VasaException (InvalidArgument) if it is not positive or beyond what a volume can be
  public static long toBytes(long megabytes) {
    if (megabytes <= 0 || megabytes > Long.MAX_VALUE / BYTES) {
      throw VasaException.invalidArgument(
          "expected a size of at least 1 MB within the limit, got %d MB".formatted(megabytes));
    }
    return megabytes * BYTES;
  }

  /// Whole megabytes, rounded down: what is there for certain.
  public static long floor(long bytes) {
    return bytes / BYTES;
  }

  /// Whole megabytes, rounded up: what is taken at most.
  public static long ceiling(long bytes) {
    return Math.ceilDiv(bytes, BYTES);
  }
}
