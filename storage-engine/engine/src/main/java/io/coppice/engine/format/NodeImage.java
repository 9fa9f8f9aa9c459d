package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/// A node of a map as it is stored on the device. Its self address is its [BlockAddress], so it
/// stays right when the segment moves.
///
/// | Offset | Bytes | Field |
/// |---|---|---|
/// | 48 | 4 | owner: the version that made the node |
/// | 52 | 1 | level: 0 a leaf, 3 a root |
/// | 53 | 1 | flags; bit 0, only of leaves: the entries' *born* versions follow (else each is the owner's own); bit 1, only above: the owners of the nodes below follow; bit 2: from 128 on a leaf has [LeafRuns] in the place of addresses and born versions, then the CRCs |
/// | 54 | 2 | entries present, n |
/// | 56 | 8 | first block of the volume that the node spans; entry i of level l spans 512^l blocks from i * 512^l behind it on |
/// | 64 | 64 | bit i mod 8 of byte i / 8: entry i is present; the others are holes |
/// | 128 | 8 n | addresses of the entries present, in their order: of data in a leaf, of nodes above |
/// | | 4 n | CRC32C: of the block in a leaf, of the structure above |
/// | | 4 n | leaf with flag 0: born version; above: blocks stored below |
/// | | 4 n | above, with flag 1: owner of the node below |
///
/// With the feature of short leaves, a leaf is in short form (flag bit 2) where that is shorter.
///
/// An entry is its version's *own* if its born version, followed through the aliases, is the
/// version that owns the node. A merge of versions therefore rewrites no entries.
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

  static final int BORN = 1;
  static final int OWNERS = 2;
  static final int RUNS = 4;

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
    return entries().encode(out, pool, self);
  }

  private NodeEntries entries() {
    NodeEntries entries = new NodeEntries().begin(owner, level, firstBlock, owners.length > 0);
    for (int i = 0; i < indexes.length; i++) {
      int below = owners.length > 0 ? owners[i] : 0;
      entries.add(indexes[i], addresses[i], crcs[i], third[i], below);
    }
    return entries;
  }

  /// Length of the node with these entries, in bytes.
  public int length() {
    return entries().length();
  }

  static int entryLength(int level, boolean bornFollows, boolean ownersFollow) {
    return (level > 0 || bornFollows ? 16 : 12) + (ownersFollow ? 4 : 0);
  }

  /// @param crc what the parent says the structure's CRC is
  /// @throws FormatException if the bytes are not that node
  public static NodeImage decode(ByteBuffer in, UUID pool, long self, int crc) {
    if (!StructureHeader.isIntact(in, StructureHeader.NODE, pool, self)
        || StructureHeader.crcOf(in) != crc) {
      throw new FormatException(
          "expected an intact map node at %s, found none".formatted(BlockAddress.describe(self)));
    }
    int length = StructureHeader.lengthOf(in);
    if (length < HEADER) {
      throw new FormatException("expected a map node, found %d bytes".formatted(length));
    }
    int owner = in.getInt(48);
    int level = in.get(52);
    int flags = in.get(53);
    boolean bornFollows = (flags & BORN) != 0;
    boolean ownersFollow = (flags & OWNERS) != 0;
    boolean isShort = (flags & RUNS) != 0;
    int n = in.getShort(54);
    if (n < 0
        || n > 512
        || n != present(in)
        || level < 0
        || level > 3
        || (in.getLong(56) & -1L << 9 * (level + 1)) != in.getLong(56)
        || (level == 0 && ownersFollow)
        || (isShort && (level > 0 || bornFollows))
        || length != HEADER + lengthOfEntries(in, length, n)) {
      throw new FormatException(
          "expected a map node, found level %d with %d entries, %d of them present, in %d bytes"
              .formatted(level, n, present(in), length));
    }
    int[] indexes = indexes(in, n);
    long[] addresses = new long[n];
    int[] third = new int[n];
    if (isShort) {
      LeafRuns.decode(in, HEADER, owner, addresses, third);
      int[] crcs = ints(in, length - 4 * n, n);
      return new NodeImage(owner, level, in.getLong(56), indexes, addresses, crcs, third);
    }
    for (int i = 0; i < n; i++) {
      addresses[i] = in.getLong(HEADER + 8 * i);
    }
    int[] crcs = ints(in, HEADER + 8 * n, n);
    if (level > 0 || bornFollows) {
      third = ints(in, HEADER + 12 * n, n);
    } else {
      Arrays.fill(third, owner);
    }
    int[] owners = ints(in, HEADER + 16 * n, ownersFollow ? n : 0);
    return new NodeImage(owner, level, in.getLong(56), indexes, addresses, crcs, third, owners);
  }

  private static int lengthOfEntries(ByteBuffer in, int length, int n) {
    int flags = in.get(53);
    return (flags & RUNS) != 0
        ? LeafRuns.lengthAt(in, HEADER, length) + 4 * n
        : n * entryLength(in.get(52), (flags & BORN) != 0, (flags & OWNERS) != 0);
  }

  private static int[] indexes(ByteBuffer in, int n) {
    int[] indexes = new int[n];
    int next = 0;
    for (int i = 0; i < 512; i++) {
      if ((in.get(64 + i / 8) >>> i % 8 & 1) != 0) {
        indexes[next++] = i;
      }
    }
    return indexes;
  }

  private static int[] ints(ByteBuffer in, int at, int n) {
    int[] values = new int[n];
    for (int i = 0; i < n; i++) {
      values[i] = in.getInt(at + 4 * i);
    }
    return values;
  }

  private static int present(ByteBuffer in) {
    int present = 0;
    for (int at = 64; at < HEADER; at += 8) {
      present += Long.bitCount(in.getLong(at));
    }
    return present;
  }
}
