package io.coppice.engine.checkpoint;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PageImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.log.ZoneWindow;
import io.coppice.engine.state.SuspectBlock;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/// The comparison of the map nodes and pages of a zone, of either copy, with their checksums and
/// their own addresses. One thread.
public final class NodeVerifier {

  /// Most blocks that a node or a page takes.
  public static final int MAX_BLOCKS =
      PoolLayout.blocksFor(Math.max(NodeImage.MAX_LENGTH, PageImage.MAX_LENGTH));

  private final UUID pool;
  private final ZoneWindow window;

  public NodeVerifier(UUID pool, ZoneWindow window) {
    this.pool = pool;
    this.window = window;
  }

  /// An intact node.
  ///
  /// @param segment and `block`: its address
  /// @param at block of the zone at which it lies
  public record Intact(int segment, int block, int at, int blocks, int crc) {}

  /// Looks for intact nodes in a zone, or in its twin.
  ///
  /// @param stored blocks of nodes in the order in which they lie
  /// @return the nodes by the block at which they lie
  public TreeMap<Integer, Intact> nodes(int zone, int blocksPerZone, List<SuspectBlock> stored) {
    window.enter(zone, blocksPerZone);
    TreeMap<Integer, Intact> nodes = new TreeMap<>();
    for (int i = 0; i < stored.size(); ) {
      SuspectBlock block = stored.get(i);
      int at = (int) (block.place() % blocksPerZone);
      i += Math.max(1, nodeAt(nodes, block.segment(), block.block(), at, blocksPerZone));
    }
    return nodes;
  }

  /// Notes the intact node of a segment's `home` block that lies at `block`.
  ///
  /// @return blocks that it takes, 0 if there is none
  private int nodeAt(TreeMap<Integer, Intact> nodes, int segment, int home, int block, int limit) {
    int length = StructureHeader.lengthOf(window.at(block, 1));
    if (length < StructureHeader.LENGTH || length > MAX_BLOCKS * PoolLayout.BLOCK) {
      return 0;
    }
    int blocks = PoolLayout.blocksFor(length);
    if (block + blocks > limit) {
      return 0;
    }
    ByteBuffer bytes = window.at(block, blocks);
    if (!isNode(bytes, pool, segment, home, blocks)) {
      return 0;
    }
    nodes.put(block, new Intact(segment, home, block, blocks, StructureHeader.crcOf(bytes)));
    return blocks;
  }

  /// Whether the bytes are an intact node, or page, of a segment's block.
  public static boolean isNode(ByteBuffer bytes, UUID pool, int segment, int block, int blocks) {
    long self = BlockAddress.of(segment, block, blocks);
    return StructureHeader.isIntact(bytes, StructureHeader.NODE, pool, self)
        || StructureHeader.isIntact(bytes, StructureHeader.PAGE, pool, self);
  }
}
