package io.coppice.engine.core;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.Chunk;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.Leaf;
import io.coppice.engine.map.Node;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Writes one checkpoint's nodes and tables into zones that nothing else uses, without making them
/// count: that is the superblock's part.
final class CheckpointWriter {

  private static final int CHUNK_BYTES = 120 << 10;

  private final BlockDevice device;
  private final UUID pool;
  private final Segments segments;
  private final int attempt;
  private final boolean full;

  private Place place;
  private final List<CheckpointImage.SegmentRow> added = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Integer, Integer> tableBlocks = new HashMap<>();
  private final ByteBuffer buffer;
  private int buffered;
  private long tableBytes;

  /// Where checkpoints go on writing: a segment, its zone, and the next block in it.
  record Place(int segment, int zone, int block) {
    static final Place NONE = new Place(-1, -1, Integer.MAX_VALUE);
  }

  /// There was no zone for the checkpoint.
  static final class NoZone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoZone() {
      super("expected a free zone for the checkpoint, found none");
    }
  }

  /// What was written.
  ///
  /// @param nodes those stored by this checkpoint
  /// @param tableBlocks blocks of tables by segment
  record Written(
      Superblock.Root root,
      List<Node> nodes,
      List<CheckpointImage.SegmentRow> added,
      Map<Integer, Integer> tableBlocks,
      Place place,
      long tableBytes) {}

  /// @param attempt different for every checkpoint begun since the open, complete or not
  CheckpointWriter(
      BlockDevice device, UUID pool, Segments segments, int attempt, Place place, boolean full) {
    this.device = device;
    this.pool = pool;
    this.segments = segments;
    this.attempt = attempt;
    this.place = place;
    this.full = full;
    buffer = AlignedBuffers.allocate(Math.min(segments.zoneSize(), 1 << 20));
  }

  /// Zones that it took.
  List<CheckpointImage.SegmentRow> added() {
    return added;
  }

  /// @throws NoZone if space runs out; what was written then counts for nothing
  Written write(CheckpointImage image) {
    Map<Node, Long> cursors = new HashMap<>();
    image.frees().forEach(free -> cursors.put(free.node(), free.cursor()));
    var merge = image.merge();
    if (merge != null && merge.from().root() != null) {
      cursors.put(merge.from().root(), merge.cursor());
    }
    for (CheckpointImage.VersionRow row : image.versions()) {
      Inner root = row.root();
      boolean isMerging = merge != null && merge.from().id() == row.id();
      boolean isFreed =
          image.frees().stream().anyMatch(f -> f.version() != null && f.version().id() == row.id());
      if (root != null) {
        store(root, Geometry.ROOT_LEVEL, 0, isMerging || isFreed ? cursor(cursors, root) : 0);
      }
    }
    for (var free : image.frees()) {
      store(free.node(), free.level(), free.first(), free.cursor());
    }
    byte[] tables = CheckpointTables.encode(image, added, this::addressOf);
    tableBytes = tables.length;
    Superblock.Root root = storeTables(tables);
    flush();
    device.sync();
    return new Written(root, nodes, added, tableBlocks, place, tableBytes);
  }

  private static long cursor(Map<Node, Long> cursors, Node node) {
    Long cursor = cursors.get(node);
    return cursor == null ? 0 : cursor;
  }

  private CheckpointTables.NodeAddress addressOf(@Nullable Node node) {
    if (node == null) {
      return CheckpointTables.NodeAddress.NONE;
    }
    return node.isWrittenBy(attempt)
        ? new CheckpointTables.NodeAddress(node.written(), node.writtenCrc())
        : new CheckpointTables.NodeAddress(node.stored(), node.storedCrc());
  }

  private boolean isStored(Node node) {
    return node.isWrittenBy(attempt) || (!full && node.stored() != 0);
  }

  /// Stores a subtree, children first. What ends at or before `cursor` has been freed: it is left
  /// out, and its memory not looked at.
  private void store(Node node, int level, long first, long cursor) {
    if (isStored(node)) {
      return;
    }
    int[] indexes = new int[Geometry.FANOUT];
    long[] addresses = new long[Geometry.FANOUT];
    int[] crcs = new int[Geometry.FANOUT];
    int[] third = new int[Geometry.FANOUT];
    int n = 0;
    if (node instanceof Inner inner) {
      for (int i = 0; i < Geometry.FANOUT; i++) {
        Node child = inner.child(i);
        long at = first + i * Geometry.span(level - 1);
        if (child != null && at + Geometry.span(level - 1) > cursor) {
          store(child, level - 1, at, cursor);
          CheckpointTables.NodeAddress address = addressOf(child);
          indexes[n] = i;
          addresses[n] = address.address();
          crcs[n] = address.crc();
          third[n++] = (int) child.mapped();
        }
      }
    } else if (node instanceof Leaf leaf) {
      for (int i = 0; i < Geometry.FANOUT; i++) {
        if (leaf.address(i) != BlockAddress.NONE) {
          indexes[n] = i;
          addresses[n] = leaf.address(i);
          crcs[n] = leaf.crc(i);
          third[n++] = leaf.born(i);
        }
      }
    }
    append(
        node,
        new NodeImage(
            node.owner(),
            level,
            first,
            Arrays.copyOf(indexes, n),
            Arrays.copyOf(addresses, n),
            Arrays.copyOf(crcs, n),
            Arrays.copyOf(third, n)));
  }

  private void append(Node node, NodeImage image) {
    int blocks = PoolLayout.blocksFor(image.length());
    ByteBuffer out = room(blocks);
    long address = BlockAddress.of(place.segment, place.block, blocks);
    image.encode(out, pool, address);
    node.setWritten(attempt, address, StructureHeader.crcOf(out));
    advance(blocks);
    nodes.add(node);
  }

  private Superblock.Root storeTables(byte[] tables) {
    Superblock.Root root = new Superblock.Root(0, 0, 0);
    byte[] rest = tables;
    // A chunk may open a segment that the tables do not name yet: the loader learns of it from the
    // chunks' own places. Nothing but tables is in it, so that nothing is lost by that.
    int number = 0;
    for (int at = 0; at < rest.length || number == 0; at += CHUNK_BYTES) {
      byte[] piece = Arrays.copyOfRange(rest, at, Math.min(rest.length, at + CHUNK_BYTES));
      int blocks = PoolLayout.blocksFor(Chunk.HEADER + piece.length);
      ByteBuffer out = room(blocks);
      long offset =
          PoolLayout.zoneOffset(place.zone, segments.zoneSize())
              + (long) place.block * PoolLayout.BLOCK;
      root = Chunk.encode(out, pool, offset, root, number++, piece);
      tableBlocks.merge(place.segment, blocks, Integer::sum);
      advance(blocks);
    }
    return root;
  }

  /// Zeroed buffer space for the next `blocks` blocks of the current place.
  private ByteBuffer room(int blocks) {
    if (blocks > segments.blocksPerZone() - Math.min(place.block, segments.blocksPerZone())) {
      flush();
      openZone();
    }
    if (buffered + blocks * PoolLayout.BLOCK > buffer.capacity()) {
      flush();
    }
    ByteBuffer out =
        buffer.slice(buffered, blocks * PoolLayout.BLOCK).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < out.capacity(); i += 8) {
      out.putLong(i, 0);
    }
    return out;
  }

  private void advance(int blocks) {
    buffered += blocks * PoolLayout.BLOCK;
    place = new Place(place.segment, place.zone, place.block + blocks);
  }

  private void flush() {
    if (buffered > 0) {
      long end =
          PoolLayout.zoneOffset(place.zone, segments.zoneSize())
              + (long) place.block * PoolLayout.BLOCK;
      device.write(end - buffered, List.of(buffer.slice(0, buffered)));
      buffered = 0;
    }
  }

  private void openZone() {
    int zone = segments.takeZone();
    if (zone < 0) {
      throw new NoZone();
    }
    int id = segments.newId();
    added.add(new CheckpointImage.SegmentRow(id, zone, Segment.Kind.META, true));
    place = new Place(id, zone, 0);
  }
}
