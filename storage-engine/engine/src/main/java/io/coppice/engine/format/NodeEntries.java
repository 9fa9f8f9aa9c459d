package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.util.UUID;

/// A node of a map on its way to the device, entry by entry, in the form of [NodeImage]. One object
/// serves one node after another, so that a checkpoint of many nodes allocates little.
public final class NodeEntries {

  private static final int MOST = 512;
  private static final int[] OWN = {};

  private final int[] indexes = new int[MOST];
  private final long[] addresses = new long[MOST];
  private final int[] crcs = new int[MOST];
  private final int[] third = new int[MOST];
  private final int[] owners = new int[MOST];
  private int owner;
  private int level;
  private long firstBlock;
  private int count;
  private boolean hasOwners;
  private boolean allOwn;

  /// Begins a node without entries; earlier entries are gone.
  ///
  /// @param ownersFollow whether it names the owners of the nodes below it
  public NodeEntries begin(int nodeOwner, int nodeLevel, long first, boolean ownersFollow) {
    owner = nodeOwner;
    level = nodeLevel;
    firstBlock = first;
    count = 0;
    hasOwners = ownersFollow;
    allOwn = true;
    return this;
  }

  /// Adds an entry; in the order of their indexes.
  ///
  /// @param thirdField its born version in a leaf; in an inner node, the blocks stored below
  /// @param below the owner of the node below; nothing in a leaf
  public void add(int index, long address, int crc, int thirdField, int below) {
    indexes[count] = index;
    addresses[count] = address;
    crcs[count] = crc;
    third[count] = thirdField;
    owners[count] = below;
    count++;
    allOwn = allOwn && thirdField == owner;
  }

  /// Length of the node with these entries, in bytes.
  public int length() {
    int runs = runsLength();
    return NodeImage.HEADER
        + (runs > 0
            ? runs + 4 * count
            : count * NodeImage.entryLength(level, !allOwn, hasOwners && count > 0));
  }

  /// Bytes of the short form without the CRCs; 0 if it is none, or not shorter.
  private int runsLength() {
    if (level > 0) {
      return 0;
    }
    int runs = LeafRuns.length(count, addresses, versions());
    return runs < count * (NodeImage.entryLength(0, !allOwn, false) - 4) ? runs : 0;
  }

  private int[] versions() {
    return allOwn ? OWN : third;
  }

  /// Writes the node at bytes 0 on and seals it.
  ///
  /// @return its length in bytes; the CRC is in the header
  public int encode(ByteBuffer out, UUID pool, long self) {
    int n = count;
    boolean bornFollows = level == 0 && !allOwn;
    boolean ownersFollow = hasOwners && n > 0;
    int runs = runsLength();
    int length = length();
    for (int i = StructureHeader.LENGTH; i < NodeImage.HEADER; i += 8) {
      out.putLong(i, 0);
    }
    int fields = (bornFollows ? NodeImage.BORN : 0) | (ownersFollow ? NodeImage.OWNERS : 0);
    out.putInt(48, owner);
    out.put(52, (byte) level);
    out.put(53, (byte) (runs > 0 ? NodeImage.RUNS : fields));
    out.putShort(54, (short) n);
    out.putLong(56, firstBlock);
    for (int i = 0; i < n; i++) {
      int at = 64 + indexes[i] / 8;
      out.put(at, (byte) (out.get(at) | 1 << indexes[i] % 8));
    }
    if (runs > 0) {
      LeafRuns.encode(out, NodeImage.HEADER, n, addresses, versions());
      putInts(out, NodeImage.HEADER + runs, crcs);
    } else {
      for (int i = 0; i < n; i++) {
        out.putLong(NodeImage.HEADER + 8 * i, addresses[i]);
      }
      putInts(out, NodeImage.HEADER + 8 * n, crcs);
      if (level > 0 || bornFollows) {
        putInts(out, NodeImage.HEADER + 12 * n, third);
      }
      if (ownersFollow) {
        putInts(out, NodeImage.HEADER + 16 * n, owners);
      }
    }
    StructureHeader.seal(out, StructureHeader.NODE, pool, self, length);
    return length;
  }

  private void putInts(ByteBuffer out, int at, int[] values) {
    for (int i = 0; i < count; i++) {
      out.putInt(at + 4 * i, values[i]);
    }
  }
}
