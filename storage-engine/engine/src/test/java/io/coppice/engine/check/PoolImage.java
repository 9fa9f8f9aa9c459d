package io.coppice.engine.check;

import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.Chunk;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.format.Superblock;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/// The structures of a pool's image, to be changed at will and sealed again: every CRC right, also
/// those that name others, so that what was changed is met by the deeper checks only.
final class PoolImage {

  final byte[] bytes;
  final UUID pool;
  final Superblock superblock;
  final List<Piece> chunks = new ArrayList<>();
  final Map<Long, Piece> nodes = new TreeMap<>();
  final List<Piece> batches = new ArrayList<>();
  final Tables tables;

  /// A structure.
  ///
  /// @param self its self address
  /// @param level of a node, else 0
  /// @param twin device offset of the second copy, 0 for none
  record Piece(long self, long offset, int length, int level, ByteBuffer view, long twin) {

    int crc() {
      return StructureHeader.crcOf(view);
    }
  }

  PoolImage(byte[] bytes) {
    this.bytes = bytes;
    Superblock newest = null;
    for (int slot = 0; slot < 2 * PoolLayout.RING_SLOTS; slot++) {
      ByteBuffer view = view((long) slot * PoolLayout.BLOCK, PoolLayout.BLOCK);
      if (Superblock.isIntact(view, (long) slot * PoolLayout.BLOCK)) {
        Superblock found = Superblock.decode(view);
        newest = newest == null || found.generation() > newest.generation() ? found : newest;
      }
    }
    superblock = java.util.Objects.requireNonNull(newest);
    pool = superblock.pool();
    loadChunks();
    tables =
        Tables.decode(
            new ByteSource(tableBytes()),
            superblock.features(),
            superblock.geometry().zoneSize() / PoolLayout.BLOCK);
    Map<Integer, Integer> zones = new HashMap<>();
    Map<Integer, Integer> twins = new HashMap<>();
    tables.state().segments().forEach(row -> zones.put(row.id(), row.zone()));
    tables.state().segments().forEach(row -> twins.put(row.id(), row.twin()));
    tables.state().versions().forEach(row -> loadNode(row.root().address(), zones, twins));
    tables.state().frees().forEach(row -> loadNode(row.node().address(), zones, twins));
    loadBatches();
  }

  private ByteBuffer view(long offset, int length) {
    return ByteBuffer.wrap(bytes, (int) offset, length).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  private void loadChunks() {
    Superblock.Root at = superblock.root();
    do {
      Piece piece =
          new Piece(
              at.offset(), at.offset(), at.length(), 0, view(at.offset(), at.length()), at.twin());
      Chunk.check(piece.view, pool, superblock.features(), at);
      chunks.addFirst(piece);
      at = Chunk.before(piece.view, superblock.features());
    } while (Chunk.number(chunks.getFirst().view) > 0);
  }

  /// The bytes of all chunks, one after the other.
  byte[] tableBytes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int header = Chunk.header(superblock.features());
    for (Piece chunk : chunks) {
      all.write(bytes, (int) chunk.offset + header, chunk.length - header);
    }
    return all.toByteArray();
  }

  private void loadNode(long address, Map<Integer, Integer> zones, Map<Integer, Integer> twins) {
    if (address == 0 || nodes.containsKey(address)) {
      return;
    }
    long offset = offsetIn(zones.get(BlockAddress.segment(address)), address);
    int second = twins.get(BlockAddress.segment(address));
    long twin = second < 0 ? 0 : offsetIn(second, address);
    ByteBuffer whole = view(offset, BlockAddress.blocks(address) * PoolLayout.BLOCK);
    int length = StructureHeader.lengthOf(whole);
    NodeImage image = NodeImage.decode(whole, pool, address, StructureHeader.crcOf(whole));
    nodes.put(address, new Piece(address, offset, length, image.level(), whole, twin));
    if (image.level() > 0) {
      for (long child : image.addresses()) {
        loadNode(child, zones, twins);
      }
    }
  }

  private long offsetIn(int zone, long address) {
    return PoolLayout.zoneOffset(zone, superblock.geometry().zoneSize())
        + (long) BlockAddress.block(address) * PoolLayout.BLOCK;
  }

  private void loadBatches() {
    LogPosition at = superblock.logStart();
    while (true) {
      Piece here = batch(at.zone(), at.block(), at.seq());
      if (here == null && at.nextZone() >= 0) {
        here = batch(at.nextZone(), 0, at.seq());
      }
      if (here == null) {
        return;
      }
      batches.add(here);
      BatchHeader header = BatchHeader.decode(here.view);
      BatchHeader.Place place = header.place();
      int zoneSize = superblock.geometry().zoneSize();
      int block =
          (int) ((here.offset - PoolLayout.zoneOffset(place.zone(), zoneSize)) / PoolLayout.BLOCK);
      at =
          new LogPosition(
              at.seq() + 1,
              place.zone(),
              place.segment(),
              block + header.headerBlocks() + header.payloadBlocks(),
              here.crc(),
              place.nextZone(),
              place.nextSegment());
    }
  }

  private @org.jspecify.annotations.Nullable Piece batch(int zone, int block, long seq) {
    int zoneSize = superblock.geometry().zoneSize();
    if (block >= zoneSize / PoolLayout.BLOCK) {
      return null;
    }
    long offset = PoolLayout.zoneOffset(zone, zoneSize) + (long) block * PoolLayout.BLOCK;
    ByteBuffer first = view(offset, PoolLayout.BLOCK);
    if (!StructureHeader.looksLike(first, StructureHeader.BATCH, pool, offset)
        || BatchHeader.decode(first).seq() != seq) {
      return null;
    }
    int length = StructureHeader.lengthOf(first);
    return new Piece(offset, offset, length, 0, view(offset, length), 0);
  }

  /// Device offsets of the newest superblock, one per ring.
  long superblockOffset(int ring) {
    return PoolLayout.slotOffset(ring, superblock.generation());
  }

  /// The newest superblock of ring 0.
  ByteBuffer superblockView() {
    return view(superblockOffset(0), Superblock.LENGTH);
  }

  /// Device offset of a block of data by its address.
  long offsetOf(long address) {
    int zone =
        tables.state().segments().stream()
            .filter(row -> row.id() == BlockAddress.segment(address))
            .findFirst()
            .orElseThrow()
            .zone();
    return offsetIn(zone, address);
  }

  /// What a node says.
  NodeImage read(Piece node) {
    return NodeImage.decode(node.view, pool, node.self, node.crc());
  }

  /// Puts another leaf in the place of one; to be followed by [#seal].
  void write(Piece leaf, NodeImage instead) {
    int length = instead.encode(leaf.view, pool, leaf.self);
    nodes.put(leaf.self, new Piece(leaf.self, leaf.offset, length, 0, leaf.view, leaf.twin));
  }

  /// Seals everything again, from the leaves up; what names another structure gets its new CRC. The
  /// newest superblock of ring 0 goes to ring 1, too, and each first copy over the second.
  void seal() {
    Map<Long, int[]> renewed = new HashMap<>();
    for (int level = 0; level <= MapWalk.ROOT_LEVEL; level++) {
      for (Piece node : nodes.values()) {
        if (node.level == level) {
          int before = node.crc();
          renameChildren(node);
          int after =
              StructureHeader.seal(node.view, StructureHeader.NODE, pool, node.self, node.length);
          renewed.put(node.self, new int[] {before, after});
        }
      }
    }
    int last = sealChunks(renewed);
    ByteBuffer slot = superblockView();
    slot.putInt(116, last);
    StructureHeader.seal(
        slot, StructureHeader.SUPERBLOCK, pool, superblockOffset(0), Superblock.LENGTH);
    ByteBuffer twin = view(superblockOffset(1), Superblock.LENGTH);
    twin.put(0, slot, 0, Superblock.LENGTH);
    StructureHeader.seal(
        twin, StructureHeader.SUPERBLOCK, pool, superblockOffset(1), Superblock.LENGTH);
    nodes.values().forEach(this::copyToTwin);
    chunks.forEach(this::copyToTwin);
    int previous = superblock.logStart().previousCrc();
    for (Piece batch : batches) {
      batch.view.putInt(64, previous);
      previous =
          StructureHeader.seal(batch.view, StructureHeader.BATCH, pool, batch.self, batch.length);
    }
  }

  private void copyToTwin(Piece piece) {
    if (piece.twin != 0) {
      System.arraycopy(bytes, (int) piece.offset, bytes, (int) piece.twin, piece.length);
    }
  }

  private void renameChildren(Piece node) {
    int n = node.view.getShort(54);
    for (int i = 0; node.level > 0 && i < n && NodeImage.HEADER + 16 * n <= node.length; i++) {
      Piece child = nodes.get(node.view.getLong(NodeImage.HEADER + 8 * i));
      if (child != null) {
        node.view.putInt(NodeImage.HEADER + 8 * n + 4 * i, child.crc());
      }
    }
  }

  private int sealChunks(Map<Long, int[]> renewed) {
    ByteBuffer all = ByteBuffer.wrap(tableBytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at + 12 <= all.limit(); at++) {
      int[] crcs = renewed.get(all.getLong(at));
      if (crcs != null && all.getInt(at + 8) == crcs[0]) {
        all.putInt(at + 8, crcs[1]);
      }
    }
    int before = 0;
    int header = Chunk.header(superblock.features());
    for (Piece chunk : chunks) {
      all.get(bytes, (int) chunk.offset + header, chunk.length - header);
      chunk.view.putInt(60, before);
      before =
          StructureHeader.seal(chunk.view, StructureHeader.CHUNK, pool, chunk.self, chunk.length);
    }
    return before;
  }
}
