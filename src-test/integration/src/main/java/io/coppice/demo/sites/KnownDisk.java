package io.coppice.demo.sites;

import io.coppice.harness.Mismatch;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.SplittableRandom;

/// The content that a disk must have after each of its numbered writes.
///
/// Its first half is filled to begin with. A write is 4 KiB; its number determines the place and
/// the bytes. Writes go out one after the other, so a replica of any moment holds the first of them
/// up to some number, and no later one.
final class KnownDisk {

  static final int BLOCK = 4096;

  private static final long MARK = 0x636f_7070_6963_6500L;

  private final byte[] bytes;

  /// As it is when it was filled.
  ///
  /// @param size in bytes, a multiple of 8 KiB
  KnownDisk(int size) {
    bytes = new byte[size];
    byte[] half = new byte[size / 2];
    new SplittableRandom(size).nextBytes(half);
    System.arraycopy(half, 0, bytes, 0, half.length);
  }

  int size() {
    return bytes.length;
  }

  /// The half that is filled.
  ByteBuffer filled() {
    return ByteBuffer.wrap(bytes, 0, bytes.length / 2).slice();
  }

  /// The place of a write, in bytes.
  long placeOf(int number) {
    return new SplittableRandom(number).nextLong(bytes.length / BLOCK) * BLOCK;
  }

  /// The bytes of a write.
  static ByteBuffer contentOf(int number) {
    byte[] content = new byte[BLOCK];
    new SplittableRandom(-number).nextBytes(content);
    return ByteBuffer.wrap(content).putLong(0, MARK).putInt(Long.BYTES, number);
  }

  /// Does some writes.
  ///
  /// @param after the number before the first one
  /// @param last the number of the last one
  void write(int after, int last) {
    for (int number = after + 1; number <= last; number++) {
      contentOf(number).get(0, bytes, (int) placeOf(number), BLOCK);
    }
  }

  /// The bytes of the places that some writes go to.
  long placesOf(int after, int last) {
    Set<Long> places = new HashSet<>();
    for (int number = after + 1; number <= last; number++) {
      places.add(placeOf(number));
    }
    return (long) places.size() * BLOCK;
  }

  /// The number of the last write that some content has; 0 if it has none.
  static int lastIn(byte[] content) {
    ByteBuffer found = ByteBuffer.wrap(content);
    int last = 0;
    for (int at = 0; at < content.length; at += BLOCK) {
      if (found.getLong(at) == MARK) {
        last = Math.max(last, found.getInt(at + Long.BYTES));
      }
    }
    return last;
  }

  /// Compares what was read with this.
  ///
  /// @return the SHA-256 of both
  /// @throws Mismatch if they differ
  String require(String where, byte[] read) {
    String expected = digest(bytes);
    String found = digest(read);
    if (!found.equals(expected)) {
      throw new Mismatch(
          "expected the disk at %s to have the SHA-256 %s, got %s"
              .formatted(where, expected, found));
    }
    return found;
  }

  private static String digest(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
