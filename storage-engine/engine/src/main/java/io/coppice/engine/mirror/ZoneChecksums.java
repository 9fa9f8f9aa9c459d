package io.coppice.engine.mirror;

import io.coppice.engine.device.BlockVerifier;
import io.coppice.engine.device.BlockVerifier.Verdict;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.PoolLayout;
import java.util.BitSet;

/// The checksums that the blocks of a zone must have, as far as valid structures name them. One
/// thread.
final class ZoneChecksums {

  private final int[] crcs;
  private final long[] addresses;
  private final BitSet named = new BitSet();
  private final BitSet unknown = new BitSet();
  private final Checksum checksum = new Checksum();

  ZoneChecksums(int blocks) {
    crcs = new int[blocks];
    addresses = new long[blocks];
  }

  /// A block has this CRC32C.
  ///
  /// @param address of the block of data that it is
  void name(int block, int crc, long address) {
    crcs[block] = crc;
    addresses[block] = address;
    named.set(block);
  }

  /// Notes that a block holds something needed, and nothing readable says what.
  void keep(int block) {
    unknown.set(block);
  }

  boolean isNamed(int block) {
    return named.get(block);
  }

  /// The address of the block of data that stands there; [io.coppice.engine.format.BlockAddress]'s
  /// NONE if none does.
  long address(int block) {
    return addresses[block];
  }

  /// @param first block of the zone that the piece begins with
  BlockVerifier from(int first) {
    return (block, bytes) -> {
      int at = first + block;
      if (unknown.get(at)) {
        return Verdict.WRONG;
      }
      if (!named.get(at)) {
        return Verdict.UNTOLD;
      }
      boolean right =
          bytes != null && checksum.of(bytes, bytes.position(), PoolLayout.BLOCK) == crcs[at];
      return right ? Verdict.RIGHT : Verdict.WRONG;
    };
  }
}
