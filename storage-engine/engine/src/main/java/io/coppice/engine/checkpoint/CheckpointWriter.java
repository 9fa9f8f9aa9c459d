package io.coppice.engine.checkpoint;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.Chunk;
import io.coppice.engine.format.NodeAddress;
import io.coppice.engine.format.NodeEntries;
import io.coppice.engine.format.PageImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.SegmentRow;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.Leaf;
import io.coppice.engine.map.LeafEntries;
import io.coppice.engine.map.Node;
import io.coppice.engine.segment.NodeMoves;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.SecondZones;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.segment.StoredPage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The writer of one checkpoint's nodes and tables. It writes everything into two zones that
/// nothing else uses. It does not make them count: that is the superblock's part.
final class CheckpointWriter {

  private static final int CHUNK_BYTES = 120 << 10;

  private final Target target;
  private final BlockDevice device;
  private final UUID pool;
  private final Segments segments;
  private final int attempt;
  private Place place;
  private final List<SegmentRow> added = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Integer, Integer> tableBlocks = new HashMap<>();
  private final Map<Integer, long[]> alive = new HashMap<>();
  private final NodeEntries[] entriesOf = new NodeEntries[Geometry.ROOT_LEVEL + 1]; // by level
  private final LeafEntries content = new LeafEntries();
  private final ByteBuffer buffer;
  private int buffered;
  private Superblock.Root root = new Superblock.Root(0, 0, 0, 0); // the last chunk
  private int chunks;
  private long tableBytes;

  /// The position at which checkpoints continue to write: a segment, its zone, the second zone, and
  /// the next block in both.
  record Place(int segment, int zone, int twin, int block) {
    static final Place NONE = new Place(-1, -1, SecondZones.NONE, Integer.MAX_VALUE);
  }

  /// The error that there was no zone for the checkpoint.
  static final class NoZone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoZone() {
      super("expected a free zone for the checkpoint, found none");
    }
  }

  /// The destination of the writes, with their buffers.
  ///
  /// @param buffer and `window`: used by its thread alone while it writes
  record Target(BlockDevice device, UUID pool, ByteBuffer buffer, ByteBuffer window) {

    Target(BlockDevice device, UUID pool, int zoneSize) {
      this(
          device,
          pool,
          AlignedBuffers.allocate(Math.min(zoneSize, 1 << 20)),
          AlignedBuffers.allocate(NodeCleaner.WINDOW));
    }
  }

  /// The result of writing a checkpoint.
  ///
  /// @param nodes stored by this checkpoint
  /// @param pages stored by this checkpoint
  /// @param moves nodes of earlier checkpoints that it stored elsewhere
  /// @param kept zones that hold nodes which could not be moved
  /// @param tableBlocks blocks of tables by segment
  record Written(
      Superblock.Root root,
      List<Node> nodes,
      List<Pages.Stored> pages,
      NodeMoves moves,
      Set<Integer> kept,
      List<SegmentRow> added,
      Map<Integer, Integer> tableBlocks,
      Place place,
      long tableBytes) {}

  /// @param attempt different for every checkpoint begun since the open, complete or not
  CheckpointWriter(Target target, Segments segments, int attempt, Place place) {
    this.target = target;
    this.device = target.device;
    this.pool = target.pool;
    this.segments = segments;
    this.attempt = attempt;
    this.place = place;
    Arrays.setAll(entriesOf, _ -> new NodeEntries());
    buffer = target.buffer.clear();
  }

  /// The zones that it took.
  List<SegmentRow> added() {
    return added;
  }

  /// @throws NoZone if space runs out; nothing written until then counts
  Written write(CheckpointImage image) {
    Map<Node, Long> cursors = new HashMap<>();
    image.frees().forEach(free -> cursors.put(free.node(), free.cursor()));
    var merge = image.merge();
    if (merge != null && merge.from().root() != null) {
      cursors.put(merge.from().root(), merge.cursor());
    }
    for (CheckpointImage.CutVersion row : image.versions()) {
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
    CheckpointPages pages = new CheckpointPages(segments.blocksPerZone());
    pages.run(image.pages(), this::page);
    NodeCleaner gathering = new NodeCleaner(target, segments, this);
    if (image.full()) {
      gathering.run(image.stored());
    }
    ImageTables all =
        new ImageTables(
            image,
            segmentRows(image, gathering.kept()),
            gathering.moves().rows(image.moved()),
            alive,
            pages);
    // Handed on piece by piece: the tables take the memory of one piece, however long they are.
    ByteSink tables = ByteSink.inPieces(CHUNK_BYTES, this::storeChunk);
    all.encode(this::addressOf, tables);
    tableBytes = tables.finish();
    flush();
    device.sync();
    return new Written(
        root,
        nodes,
        pages.stored(),
        gathering.moves(),
        gathering.kept(),
        added,
        tableBlocks,
        place,
        tableBytes);
  }

  /// Zones whose nodes were gathered elsewhere are free, and used again before the next checkpoint.
  /// So the table does not name them.
  private List<SegmentRow> segmentRows(CheckpointImage image, Set<Integer> kept) {
    Set<Integer> living = new HashSet<>();
    image.stored().forEach(row -> living.add(row.segment()));
    List<SegmentRow> rows = new ArrayList<>();
    for (SegmentRow row : image.segments()) {
      if (!image.full() || !row.meta() || kept.contains(row.zone())) {
        rows.add(row);
      } else if (living.contains(row.id())) {
        rows.add(new SegmentRow(row.id(), Segment.NO_ZONE, row.meta(), false, SegmentRow.NO_TWIN));
      }
    }
    rows.addAll(added);
    return rows;
  }

  private static long cursor(Map<Node, Long> cursors, Node node) {
    Long cursor = cursors.get(node);
    return cursor == null ? 0 : cursor;
  }

  private NodeAddress addressOf(@Nullable Node node) {
    if (node == null) {
      return NodeAddress.NONE;
    }
    return new NodeAddress(node.written(), node.writtenCrc());
  }

  private boolean isStored(Node node) {
    return node.isClean() || node.isWrittenBy(attempt);
  }

  /// Stores a subtree, children first, without looking into stored nodes. The part that ends at or
  /// before `cursor` has been freed: it is left out, and its memory not looked at.
  private void store(Node node, int level, long first, long cursor) {
    if (isStored(node)) {
      return;
    }
    NodeEntries entries = entriesOf[level].begin(node.owner(), level, first, level > 0);
    if (node instanceof Inner inner) {
      @Nullable Node[] children = inner.resident();
      for (int i = 0; i < Geometry.FANOUT; i++) {
        Node child = Inner.child(children, i);
        long at = first + i * Geometry.span(level - 1);
        if (child != null && at + Geometry.span(level - 1) > cursor) {
          store(child, level - 1, at, cursor);
          NodeAddress address = addressOf(child);
          entries.add(i, address.address(), address.crc(), (int) child.mapped(), child.owner());
        }
      }
    } else if (node instanceof Leaf leaf) {
      addTo(entries, leaf);
    }
    append(node, entries);
  }

  private void addTo(NodeEntries entries, Leaf leaf) {
    if (!leaf.read(content)) {
      throw new IllegalStateException("expected a leaf to be stored in memory, found it dropped");
    }
    for (int i = 0; i < Geometry.FANOUT; i++) {
      if (content.address(i) != BlockAddress.NONE) {
        entries.add(i, content.address(i), content.crc(i), content.born(i), 0);
      }
    }
  }

  private void append(Node node, NodeEntries entries) {
    int blocks = PoolLayout.blocksFor(entries.length());
    ByteBuffer out = room(blocks);
    long address = BlockAddress.of(place.segment, place.block, blocks);
    entries.encode(out, pool, address);
    node.setWritten(attempt, address, StructureHeader.crcOf(out));
    live(blocks);
    nodes.add(node);
  }

  private StoredPage page(int segment, byte[] bytes) {
    int blocks = PoolLayout.blocksFor(PageImage.length(bytes));
    ByteBuffer out = room(blocks);
    long address = BlockAddress.of(place.segment, place.block, blocks);
    PageImage.seal(out, pool, address, segment, bytes);
    live(blocks);
    return new StoredPage(address, StructureHeader.crcOf(out));
  }

  /// Notes that the next blocks come to life with this checkpoint.
  private void live(int blocks) {
    long[] bits =
        alive.computeIfAbsent(place.segment, _ -> new long[segments.blocksPerZone() / 64]);
    for (int block = place.block; block < place.block + blocks; block++) {
      bits[block >>> 6] |= 1L << block;
    }
    advance(blocks);
  }

  /// Stores blocks of a node of an earlier checkpoint once more.
  ///
  /// @return the place of the first block
  long again(ByteBuffer content) {
    int blocks = content.remaining() / PoolLayout.BLOCK;
    room(blocks).put(content);
    long at = (long) place.zone * segments.blocksPerZone() + place.block;
    advance(blocks);
    return at;
  }

  // A chunk may open a segment that the tables do not name yet. The loader learns of it from the
  // chunks' own places. It holds only tables, so nothing is lost.
  private void storeChunk(byte[] piece) {
    int blocks = PoolLayout.blocksFor(Chunk.HEADER + piece.length);
    ByteBuffer out = room(blocks);
    Chunk.Place here = new Chunk.Place(offsetIn(place.zone), offsetIn(place.twin));
    root = Chunk.encode(out, pool, here, root, chunks++, piece);
    tableBlocks.merge(place.segment, blocks, Integer::sum);
    advance(blocks);
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
    place = new Place(place.segment, place.zone, place.twin, place.block + blocks);
  }

  private long offsetIn(int zone) {
    return PoolLayout.zoneOffset(zone, segments.zoneSize()) + (long) place.block * PoolLayout.BLOCK;
  }

  private void flush() {
    if (buffered > 0) {
      device.write(offsetIn(place.zone) - buffered, List.of(buffer.slice(0, buffered)));
      device.write(offsetIn(place.twin) - buffered, List.of(buffer.slice(0, buffered)));
      buffered = 0;
    }
  }

  private void openZone() {
    int zone = segments.takeZone();
    if (zone < 0) {
      throw new NoZone();
    }
    int twin = segments.takeZone();
    if (twin < 0) {
      segments.giveBack(zone);
      throw new NoZone();
    }
    int id = segments.newId();
    added.add(new SegmentRow(id, zone, true, true, twin));
    place = new Place(id, zone, twin, 0);
  }
}
