package io.coppice.engine.state;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.NodeAddress;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.Node;
import io.coppice.engine.map.NodeCache;
import io.coppice.engine.segment.Segments;
import java.nio.ByteBuffer;
import java.util.UUID;

/// The reader of stored nodes of maps. It verifies that each is the one that its parent names, and
/// that the things that it names are possible.
public final class StoredNodes implements NodeCache.Source {

  /// Most blocks that a node takes.
  static final int MAX_BLOCKS = PoolLayout.blocksFor(NodeImage.MAX_LENGTH);

  private final MetadataReads reads;
  private final UUID pool;
  private final Segments segments;
  private final ThreadLocal<ByteBuffer> buffers =
      ThreadLocal.withInitial(() -> AlignedBuffers.allocate(MAX_BLOCKS * PoolLayout.BLOCK));

  StoredNodes(MetadataReads reads, UUID pool, Segments segments) {
    this.reads = reads;
    this.pool = pool;
    this.segments = segments;
  }

  @Override
  public NodeImage read(Node node, int level, long first) {
    return read(new NodeAddress(node.stored(), node.storedCrc()), level, first);
  }

  /// @throws StorageException.Damaged if it is not that node
  /// @throws StorageException.DeviceFailed if it cannot be read
  public NodeImage read(NodeAddress at, int level, long first) {
    NodeImage image = decode(at);
    if (image.level() != level || image.firstBlock() != first) {
      throw new StorageException.Damaged(
          "Expected a node of level %d at block %d, found level %d at block %d."
              .formatted(level, first, image.level(), image.firstBlock()));
    }
    for (long address : image.addresses()) {
      if (!isPossible(address, level > 0)) {
        throw new StorageException.Damaged(
            "Expected the address of a %s in a map, found 0x%x."
                .formatted(level > 0 ? "node" : "block", address));
      }
    }
    return image;
  }

  private boolean isPossible(long address, boolean node) {
    int blocks = BlockAddress.isValid(address) ? BlockAddress.blocks(address) : 0;
    return blocks >= 1
        && blocks <= (node ? MAX_BLOCKS : 1)
        && BlockAddress.block(address) <= segments.blocksPerZone() - blocks;
  }

  private NodeImage decode(NodeAddress at) {
    long address = at.address();
    long offset = isPossible(address, true) ? segments.offsetOf(address) : -1;
    if (offset < 0) {
      throw new StorageException.Damaged(
          "Expected a map node at %s, found no such segment."
              .formatted(BlockAddress.describe(address)));
    }
    ByteBuffer buffer =
        buffers.get().clear().limit(BlockAddress.blocks(address) * PoolLayout.BLOCK);
    try {
      return reads.read(
          "the map node at " + BlockAddress.describe(address),
          offset,
          buffer,
          bytes -> NodeImage.decode(bytes, pool, address, at.crc()));
    } catch (DeviceException e) {
      throw new StorageException.DeviceFailed(
          "Could not read the map node at %s: %s"
              .formatted(BlockAddress.describe(address), e.getMessage()),
          e);
    } catch (FormatException e) {
      throw new StorageException.Damaged("A map is damaged: " + e.getMessage());
    }
  }
}
