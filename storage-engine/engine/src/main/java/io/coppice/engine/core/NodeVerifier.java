package io.coppice.engine.core;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.log.ZoneWindow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;

/// Compares the map nodes of a zone with their checksums and their own addresses. One thread.
final class NodeVerifier {

  private final UUID pool;
  private final ZoneWindow window;

  NodeVerifier(UUID pool, ZoneWindow window) {
    this.pool = pool;
    this.window = window;
  }

  /// Looks for an intact node at each block that lives.
  ///
  /// @return the living blocks that belong to none
  BitSet damaged(int zone, int segment, BitSet living) {
    window.enter(zone, living.length());
    BitSet damaged = new BitSet();
    int block = living.nextSetBit(0);
    while (block >= 0) {
      int blocks = nodeAt(segment, block, living.length());
      if (blocks == 0) {
        damaged.set(block);
      }
      block = living.nextSetBit(block + Math.max(1, blocks));
    }
    return damaged;
  }

  /// Looks for intact nodes of other segments.
  ///
  /// @param guests blocks in the order in which they lie
  /// @return those that belong to none
  List<PoolFacts.Suspect> damaged(int zone, int blocksPerZone, List<PoolFacts.Suspect> guests) {
    window.enter(zone, blocksPerZone);
    List<PoolFacts.Suspect> damaged = new ArrayList<>();
    for (int i = 0; i < guests.size(); ) {
      PoolFacts.Suspect guest = guests.get(i);
      int at = (int) (guest.place() % blocksPerZone);
      int blocks = nodeAt(guest.segment(), guest.block(), at, blocksPerZone);
      if (blocks == 0) {
        damaged.add(guest);
      }
      i += Math.max(1, blocks);
    }
    return damaged;
  }

  private int nodeAt(int segment, int block, int limit) {
    return nodeAt(segment, block, block, limit);
  }

  /// Blocks of the intact node of a segment's `home` block that stands here, or 0.
  private int nodeAt(int segment, int home, int block, int limit) {
    int length = StructureHeader.lengthOf(window.at(block, 1));
    if (length < NodeImage.HEADER || length > NodeImage.MAX_LENGTH) {
      return 0;
    }
    int blocks = PoolLayout.blocksFor(length);
    if (block + blocks > limit) {
      return 0;
    }
    ByteBuffer bytes = window.at(block, blocks);
    long self = BlockAddress.of(segment, home, blocks);
    return StructureHeader.isIntact(bytes, StructureHeader.NODE, pool, self) ? blocks : 0;
  }
}
