package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// The short form of a leaf's addresses and born versions. Blocks that lie one behind the other are
/// one run of addresses; entries of the same version are one run of versions.
///
/// | Bytes | Field |
/// |---|---|
/// | 2 | runs of addresses, a |
/// | 2 | runs of born versions, b; 0: each is the owner's own |
/// | 4 | 0 |
/// | 8 a | address of the first block of each run |
/// | 4 b | version of each run |
/// | 2 a | entries of each run of addresses; n altogether |
/// | 2 b | entries of each run of versions; n altogether |
final class LeafRuns {

  private static final int HEADER = 8;
  private static final int ADDRESS = 8 + 2;
  private static final int VERSION = 4 + 2;

  private LeafRuns() {}

  /// Bytes of the form.
  ///
  /// @param entries how many there are in the arrays
  /// @param born empty if each is the owner's own
  static int length(int entries, long[] addresses, int[] born) {
    return HEADER
        + ADDRESS * addressRuns(addresses, entries)
        + VERSION * versionRuns(born, Math.min(entries, born.length));
  }

  private static int addressRuns(long[] addresses, int entries) {
    int runs = 0;
    for (int i = 0; i < entries; i++) {
      runs += follows(addresses, i) ? 0 : 1;
    }
    return runs;
  }

  private static boolean follows(long[] addresses, int i) {
    return i > 0 && addresses[i] == BlockAddress.next(addresses[i - 1]);
  }

  private static int versionRuns(int[] born, int versions) {
    int runs = 0;
    for (int i = 0; i < versions; i++) {
      runs += i > 0 && born[i] == born[i - 1] ? 0 : 1;
    }
    return runs;
  }

  /// Writes [#length] bytes from `at` on.
  static void encode(ByteBuffer out, int at, int entries, long[] addresses, int[] born) {
    int versionCount = Math.min(entries, born.length);
    int a = addressRuns(addresses, entries);
    int b = versionRuns(born, versionCount);
    out.putShort(at, (short) a);
    out.putShort(at + 2, (short) b);
    out.putInt(at + 4, 0);
    int first = at + HEADER;
    int versions = first + 8 * a;
    int lengths = versions + 4 * b;
    int run = -1;
    for (int i = 0; i < entries; i++) {
      if (!follows(addresses, i)) {
        run++;
        out.putLong(first + 8 * run, addresses[i]);
        out.putShort(lengths + 2 * run, (short) 0);
      }
      increment(out, lengths + 2 * run);
    }
    run = -1;
    for (int i = 0; i < versionCount; i++) {
      if (i == 0 || born[i] != born[i - 1]) {
        run++;
        out.putInt(versions + 4 * run, born[i]);
        out.putShort(lengths + 2 * (a + run), (short) 0);
      }
      increment(out, lengths + 2 * (a + run));
    }
  }

  private static void increment(ByteBuffer out, int at) {
    out.putShort(at, (short) (out.getShort(at) + 1));
  }

  /// Bytes of the form that begins at `at`, as its counts say.
  ///
  /// @param end of the structure
  /// @throws FormatException if that goes beyond it
  static int lengthAt(ByteBuffer in, int at, int end) {
    if (end - at < HEADER) {
      throw new FormatException("expected the runs of a leaf, found %d bytes".formatted(end - at));
    }
    int length =
        HEADER
            + ADDRESS * Short.toUnsignedInt(in.getShort(at))
            + VERSION * Short.toUnsignedInt(in.getShort(at + 2));
    if (length > end - at || in.getInt(at + 4) != 0) {
      throw new FormatException(
          "expected the runs of a leaf in %d bytes, found %d bytes of them, spare bytes %08x"
              .formatted(end - at, length, in.getInt(at + 4)));
    }
    return length;
  }

  /// Reads what [#lengthAt] has measured.
  ///
  /// @param owner version of entries that have no other
  /// @throws FormatException if the runs are not those of as many entries
  static void decode(ByteBuffer in, int at, int owner, long[] addresses, int[] born) {
    int a = Short.toUnsignedInt(in.getShort(at));
    int b = Short.toUnsignedInt(in.getShort(at + 2));
    int first = at + HEADER;
    int versions = first + 8 * a;
    int lengths = versions + 4 * b;
    int next = 0;
    for (int run = 0; run < a; run++) {
      int end = end(in, lengths + 2 * run, next, addresses.length);
      long address = in.getLong(first + 8 * run);
      while (next < end) {
        addresses[next++] = address;
        address = BlockAddress.next(address);
      }
    }
    requireAll(next, addresses.length);
    next = 0;
    for (int run = 0; run < b; run++) {
      int end = end(in, lengths + 2 * (a + run), next, born.length);
      while (next < end) {
        born[next++] = in.getInt(versions + 4 * run);
      }
    }
    if (b == 0) {
      Arrays.fill(born, owner);
    } else {
      requireAll(next, born.length);
    }
  }

  private static int end(ByteBuffer in, int at, int next, int entries) {
    int run = Short.toUnsignedInt(in.getShort(at));
    if (run == 0 || run > entries - next) {
      throw new FormatException(
          "expected a run of 1 to %d entries of a leaf, found %d".formatted(entries - next, run));
    }
    return next + run;
  }

  private static void requireAll(int found, int entries) {
    if (found != entries) {
      throw new FormatException(
          "expected runs of %d entries of a leaf, found %d".formatted(entries, found));
    }
  }
}
