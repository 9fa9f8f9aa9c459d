package io.coppice.engine.checkpoint;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.segment.NodeMoves;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.segment.StoredBlocks;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// A copying of the living nodes and pages, byte for byte, out of zones of which more than half is
/// dead. They keep their addresses, so no map is changed or loaded; the tables of the same
/// checkpoint name their new places. If the first copy is unreadable, the second is taken. If both
/// are, the node stays where it is, and so do its zones.
final class NodeCleaner {

  private static final Logger LOGGER = System.getLogger(NodeCleaner.class.getName());
  private static final int WINDOW_BLOCKS = 256;

  /// Bytes that it looks at together.
  static final int WINDOW = WINDOW_BLOCKS * PoolLayout.BLOCK;

  private final BlockDevice device;
  private final UUID pool;
  private final Segments segments;
  private final CheckpointWriter writer;
  private final NodeMoves moves = new NodeMoves();
  private final Set<Integer> kept = new HashSet<>();
  private final ByteBuffer window;
  private long stayed; // blocks
  private String firstStayed = "";

  NodeCleaner(CheckpointWriter.Target target, Segments segments, CheckpointWriter writer) {
    this.device = target.device();
    this.pool = target.pool();
    this.window = target.window();
    this.segments = segments;
    this.writer = writer;
  }

  NodeMoves moves() {
    return moves;
  }

  /// Zones with nodes that stayed.
  Set<Integer> kept() {
    return kept;
  }

  /// @throws CheckpointWriter.NoZone if space runs out
  void run(List<StoredBlocks> stored) {
    for (StoredBlocks segment : stored) {
      if (segment.kind() == Segment.Kind.META) {
        int block = 0;
        while (block < segment.blocks()) {
          block = segment.isAlive(block) ? copyRun(segment, block) : block + 1;
        }
      }
    }
    if (stayed > 0) {
      LOGGER.log(
          Level.ERROR,
          "{0} blocks of map nodes and pages stay where they are, the first at {1}.",
          stayed,
          firstStayed);
    }
  }

  /// Copies the nodes from `first` on that lie one after the other, as far as the window goes.
  ///
  /// @return the block to go on with
  private int copyRun(StoredBlocks segment, int first) {
    int count = 1;
    while (count < WINDOW_BLOCKS
        && segment.isAlive(first + count)
        && segment.placeOf(first + count) == segment.placeOf(first) + count) {
      count++;
    }
    long offset = PoolLayout.SUPERBLOCK_AREA + segment.placeOf(first) * PoolLayout.BLOCK;
    long twin = segments.twins().offsetOf(offset);
    boolean reads = load(offset, count);
    if ((!reads || nodeAt(segment, first, 0, count) == 0) && twin >= 0) {
      reads = load(twin, count);
    }
    if (!reads) {
      return keep(segment, first, count, "the device does not give it");
    }
    int done = 0;
    while (done < count) {
      int blocks = nodeAt(segment, first, done, count);
      if (blocks == 0 && done > 0) {
        break; // cut by the end of the window, or damaged in this copy
      }
      if (blocks == 0) {
        return keep(segment, first, 1, "expected a node, found none");
      }
      long place = writer.again(window.slice(done * PoolLayout.BLOCK, blocks * PoolLayout.BLOCK));
      for (int i = 0; i < blocks; i++) {
        moves.moved(segment, first + done + i, place + i);
      }
      done += blocks;
    }
    return first + done;
  }

  private boolean load(long offset, int count) {
    try {
      device.read(offset, window.clear().limit(count * PoolLayout.BLOCK));
      return true;
    } catch (DeviceException e) {
      LOGGER.log(Level.DEBUG, "Nodes that are to be moved do not read.", e);
      return false;
    }
  }

  /// Blocks of the intact node at block `at` of the window, 0 if there is none.
  private int nodeAt(StoredBlocks segment, int first, int at, int count) {
    ByteBuffer bytes =
        window
            .slice(at * PoolLayout.BLOCK, (count - at) * PoolLayout.BLOCK)
            .order(java.nio.ByteOrder.LITTLE_ENDIAN);
    int length = StructureHeader.lengthOf(bytes);
    if (length < StructureHeader.LENGTH || length > bytes.capacity()) {
      return 0;
    }
    int blocks = PoolLayout.blocksFor(length);
    if (blocks > NodeVerifier.MAX_BLOCKS) {
      return 0;
    }
    return NodeVerifier.isNode(bytes, pool, segment.segment(), first + at, blocks) ? blocks : 0;
  }

  private int keep(StoredBlocks segment, int first, int count, String reason) {
    for (int i = 0; i < count; i++) {
      kept.add((int) (segment.placeOf(first + i) / segments.blocksPerZone()));
    }
    if (stayed == 0) {
      firstStayed = "block %d of segment %d: %s".formatted(first, segment.segment(), reason);
    }
    stayed += count;
    return first + count;
  }
}
