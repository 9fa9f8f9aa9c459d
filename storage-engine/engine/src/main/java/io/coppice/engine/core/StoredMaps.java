package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.Leaf;
import io.coppice.engine.map.Node;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Loads the maps of a checkpoint, each node once however many maps it is in, and counts what they
/// place.
final class StoredMaps {

  private static final int MAX_NODE = 16 * PoolLayout.BLOCK;

  private final BlockDevice device;
  private final UUID pool;
  private final PoolState state;
  private final Map<Long, Stored> nodes = new HashMap<>();
  private final List<Loaded> leaves = new ArrayList<>();
  private final ByteBuffer buffer = AlignedBuffers.allocate(MAX_NODE);

  private record Stored(Node node, int level, long first) {}

  private record Loaded(Leaf leaf, long first) {}

  StoredMaps(BlockDevice device, UUID pool, PoolState state) {
    this.device = device;
    this.pool = pool;
    this.state = state;
  }

  /// @param cursor what ends at or before it has been freed and is not looked at
  /// @throws StorageException.Damaged if a node is not what its parent says
  @Nullable Node load(CheckpointTables.NodeAddress at, int level, long first, long cursor) {
    if (at.address() == BlockAddress.NONE) {
      return null;
    }
    Stored known = nodes.get(at.address());
    if (known != null) {
      if (known.level != level || known.first != first || known.node.storedCrc() != at.crc()) {
        throw new StorageException.Damaged(
            "Expected a node of level %d at block %d, found one that is elsewhere, too: %s."
                .formatted(level, first, BlockAddress.describe(at.address())));
      }
      return known.node;
    }
    NodeImage image = read(at);
    if (image.level() != level || image.firstBlock() != first) {
      throw new StorageException.Damaged(
          "Expected a node of level %d at block %d, found level %d at block %d."
              .formatted(level, first, image.level(), image.firstBlock()));
    }
    Node node = level == 0 ? leaf(image) : inner(image, cursor);
    node.setStored(at.address(), at.crc());
    state.segments().nodeStored(at.address());
    state.space().nodeLoaded(node instanceof Leaf);
    nodes.put(at.address(), new Stored(node, level, first));
    return node;
  }

  private NodeImage read(CheckpointTables.NodeAddress at) {
    long offset = state.segments().offsetOf(at.address());
    if (offset < 0 || !BlockAddress.isValid(at.address())) {
      throw new StorageException.Damaged(
          "Expected a map node at %s, found no such segment."
              .formatted(BlockAddress.describe(at.address())));
    }
    buffer.clear().limit(BlockAddress.blocks(at.address()) * PoolLayout.BLOCK);
    device.read(offset, buffer);
    buffer.flip();
    try {
      return NodeImage.decode(buffer, pool, at.address(), at.crc());
    } catch (FormatException e) {
      throw new StorageException.Damaged("The checkpoint is damaged: " + e.getMessage());
    }
  }

  private Leaf leaf(NodeImage image) {
    Leaf leaf = new Leaf(image.owner(), 0, state.editor().memory());
    for (int i = 0; i < image.indexes().length; i++) {
      long address = image.addresses()[i];
      if (!BlockAddress.isValid(address)
          || BlockAddress.blocks(address) != 1
          || BlockAddress.block(address) >= state.segments().blocksPerZone()) {
        throw new StorageException.Damaged(
            "Expected the address of a block in a map, found 0x%x.".formatted(address));
      }
      leaf.set(image.indexes()[i], image.addresses()[i], image.crcs()[i], image.third()[i]);
    }
    leaves.add(new Loaded(leaf, image.firstBlock()));
    return leaf;
  }

  private Inner inner(NodeImage image, long cursor) {
    Inner inner = new Inner(image.owner(), 0, image.level());
    int below = image.level() - 1;
    for (int i = 0; i < image.indexes().length; i++) {
      long first = image.firstBlock() + image.indexes()[i] * Geometry.span(below);
      if (first + Geometry.span(below) > cursor) {
        Node child =
            load(
                new CheckpointTables.NodeAddress(image.addresses()[i], image.crcs()[i]),
                below,
                first,
                cursor);
        inner.setChild(image.indexes()[i], child);
        inner.addMapped(child == null ? 0 : child.mapped());
      }
    }
    return inner;
  }

  /// Marks every block that is placed as living and counts each version's own placements. Versions,
  /// aliases and the merge must have been restored.
  ///
  /// @throws StorageException.Damaged if maps and placement counts disagree
  void countPlacements() {
    long placements = 0;
    for (Loaded loaded : leaves) {
      Leaf leaf = loaded.leaf;
      long end = loaded.first + Geometry.FANOUT;
      int owner = state.families().ownerNow(leaf.owner(), end);
      for (int i = 0; i < Geometry.FANOUT; i++) {
        if (leaf.address(i) != BlockAddress.NONE
            && state.families().ownerNow(leaf.born(i), loaded.first + i + 1) == owner) {
          place(leaf, i);
          placements++;
        }
      }
    }
    long expected = state.segments().liveBlocks();
    long[] counts = state.segments().counts().pairs();
    for (int i = 1; i < counts.length; i += 2) {
      expected += counts[i] - 1;
    }
    if (expected != placements) {
      throw new StorageException.Damaged(
          "Expected %d placements by the counts, found %d in the maps."
              .formatted(expected, placements));
    }
  }

  private void place(Leaf leaf, int index) {
    try {
      state.segments().found(leaf.address(index));
    } catch (IllegalStateException e) {
      throw new StorageException.Damaged("The maps are damaged: " + e.getMessage());
    }
    Version book = state.families().bookOf(leaf.born(index));
    if (book != null) {
      book.addOwned(1);
      if (state.segments().counts().of(leaf.address(index)) > 1) {
        book.addShared(1);
      }
    }
  }
}
