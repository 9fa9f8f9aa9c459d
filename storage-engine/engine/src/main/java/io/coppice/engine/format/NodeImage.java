package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.util.UUID;

/// A node of a map as it stands on the device. Its self address is its [BlockAddress], so that it
/// stays right when the segment moves.
///
/// | Offset | Bytes | Field |
/// |---|---|---|
/// | 48 | 4 | owner: the version that made the node |
/// | 52 | 1 | level: 0 a leaf, 3 a root |
/// | 53 | 1 | flags; bit 0: the entries' *born* versions follow (else each is the owner's own); bit 1: the owners of the nodes below follow |
/// | 54 | 2 | entries present, n |
/// | 56 | 8 | first block of the node's span |
/// | 64 | 64 | bit i: entry i is present |
/// | 128 | 8 n | addresses: of data in a leaf, of nodes above |
/// | | 4 n | CRC32C: of the block in a leaf, of the structure above |
/// | | 4 n | leaf with flag 0: born version; above: blocks stored below |
/// | | 4 n | above, with flag 1: owner of the node below |
///
/// An entry is its version's *own* if its born version is, by aliases, the version that owns the
/// node: the own bit of the entry, in a form that a merge of versions does not have to rewrite.
///
/// @param owners of the nodes below; empty in a leaf, and where a pool without paged maps has none
public record NodeImage(
    int owner,
    int level,
    long firstBlock,
    int[] indexes,
    long[] addresses,
    int[] crcs,
    int[] third,
    int[] owners) {

  /// Bytes before the entries.
  public static final int HEADER = 128;

  /// Most bytes of a node.
  public static final int MAX_LENGTH = HEADER + 512 * 20;

  private static final int BORN = 1;
  private static final int OWNERS = 2;

  /// A node that does not say who owns the nodes below it.
  public NodeImage(
      int owner,
      int level,
      long firstBlock,
      int[] indexes,
      long[] addresses,
      int[] crcs,
      int[] third) {
    this(owner, level, firstBlock, indexes, addresses, crcs, third, new int[0]);
  }

  /// Writes the node at bytes 0 on and seals it.
  ///
  /// @return its length in bytes; the CRC is in the header
  public int encode(ByteBuffer out, UUID pool, long self) {
    int n = indexes.length;
    boolean bornFollows = level == 0 && !allOwn();
    int length = length();
    for (int i = StructureHeader.LENGTH; i < HEADER; i += 8) {
      out.putLong(i, 0);
    }
    out.putInt(48, owner);
    out.put(52, (byte) level);
    out.put(53, (byte) ((bornFollows ? BORN : 0) | (owners.length > 0 ? OWNERS : 0)));
    out.putShort(54, (short) n);
    out.putLong(56, firstBlock);
    for (int i = 0; i < n; i++) {
      int at = 64 + indexes[i] / 8;
      out.put(at, (byte) (out.get(at) | 1 << indexes[i] % 8));
      out.putLong(HEADER + 8 * i, addresses[i]);
      out.putInt(HEADER + 8 * n + 4 * i, crcs[i]);
      if (level > 0 || bornFollows) {
        out.putInt(HEADER + 12 * n + 4 * i, third[i]);
      }
      if (owners.length > 0) {
        out.putInt(HEADER + 16 * n + 4 * i, owners[i]);
      }
    }
    StructureHeader.seal(out, StructureHeader.NODE, pool, self, length);
    return length;
  }

  /// Length of the node with these entries, in bytes.
  public int length() {
    return HEADER + indexes.length * entryLength(level, !allOwn(), owners.length > 0);
  }

  private static int entryLength(int level, boolean bornFollows, boolean ownersFollow) {
    return (level > 0 || bornFollows ? 16 : 12) + (ownersFollow ? 4 : 0);
  }

  private boolean allOwn() {
    for (int born : third) {
      if (born != owner) {
        return false;
      }
    }
    return true;
  }

  /// @param crc what the parent says the structure's CRC is
  /// @throws FormatException if the bytes are not that node
  public static NodeImage decode(ByteBuffer in, UUID pool, long self, int crc) {
    if (!StructureHeader.isIntact(in, StructureHeader.NODE, pool, self)
        || StructureHeader.crcOf(in) != crc) {
      throw new FormatException(
          "expected an intact map node at %s, found none".formatted(BlockAddress.describe(self)));
    }
    if (StructureHeader.lengthOf(in) < HEADER) {
      throw new FormatException(
          "expected a map node, found %d bytes".formatted(StructureHeader.lengthOf(in)));
    }
    int owner = in.getInt(48);
    int level = in.get(52);
    boolean bornFollows = (in.get(53) & BORN) != 0;
    boolean ownersFollow = (in.get(53) & OWNERS) != 0;
    int n = in.getShort(54);
    if (n < 0
        || n > 512
        || n != present(in)
        || level < 0
        || level > 3
        || (in.getLong(56) & -1L << 9 * (level + 1)) != in.getLong(56)
        || (level == 0 && ownersFollow)
        || StructureHeader.lengthOf(in)
            != HEADER + n * entryLength(level, bornFollows, ownersFollow)) {
      throw new FormatException(
          "expected a map node, found level %d with %d entries, %d of them present, in %d bytes"
              .formatted(level, n, present(in), StructureHeader.lengthOf(in)));
    }
    int[] indexes = new int[n];
    long[] addresses = new long[n];
    int[] crcs = new int[n];
    int[] third = new int[n];
    int[] owners = new int[ownersFollow ? n : 0];
    int next = 0;
    for (int i = 0; i < 512; i++) {
      if ((in.get(64 + i / 8) >>> i % 8 & 1) != 0) {
        indexes[next] = i;
        addresses[next] = in.getLong(HEADER + 8 * next);
        crcs[next] = in.getInt(HEADER + 8 * n + 4 * next);
        third[next] = level > 0 || bornFollows ? in.getInt(HEADER + 12 * n + 4 * next) : owner;
        if (ownersFollow) {
          owners[next] = in.getInt(HEADER + 16 * n + 4 * next);
        }
        next++;
      }
    }
    return new NodeImage(owner, level, in.getLong(56), indexes, addresses, crcs, third, owners);
  }

  private static int present(ByteBuffer in) {
    int present = 0;
    for (int at = 64; at < HEADER; at += 8) {
      present += Long.bitCount(in.getLong(at));
    }
    return present;
  }
}
