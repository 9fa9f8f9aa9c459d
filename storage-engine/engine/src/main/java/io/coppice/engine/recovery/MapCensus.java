package io.coppice.engine.recovery;

import io.coppice.engine.StorageException;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.NodeAddress;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.StoredNodes;
import java.util.HashSet;
import java.util.Set;

/// The count of the maps of a pool without space accounting, once: the next checkpoint stores it.
/// It reads every node and keeps none. Versions, aliases and the merge must have been restored.
final class MapCensus {

  private final StoredNodes stored;
  private final PoolState state;
  private final Set<Long> seen = new HashSet<>();
  private long placements;
  private long leaves;
  private long inners;

  MapCensus(StoredNodes stored, PoolState state) {
    this.stored = stored;
    this.state = state;
  }

  /// Blocks stored below a root.
  static long mapped(StoredNodes stored, NodeAddress root) {
    if (root.address() == BlockAddress.NONE) {
      return 0;
    }
    long sum = 0;
    for (int below : stored.read(root, Geometry.ROOT_LEVEL, 0).third()) {
      sum += below;
    }
    return sum;
  }

  /// Counts the part of a subtree that has not been counted.
  ///
  /// @param cursor the part that ends at or before it has been freed and is not looked at
  /// @throws StorageException.Damaged if a node is not what its parent says
  void count(NodeAddress at, int level, long first, long cursor) {
    if (at.address() == BlockAddress.NONE || !seen.add(at.address())) {
      return;
    }
    NodeImage image = stored.read(at, level, first);
    state.segments().nodeStored(at.address());
    if (level == 0) {
      leaves++;
      countLeaf(image);
      return;
    }
    inners++;
    long span = Geometry.span(level - 1);
    for (int i = 0; i < image.indexes().length; i++) {
      long start = first + image.indexes()[i] * span;
      if (start + span > cursor) {
        NodeAddress child = new NodeAddress(image.addresses()[i], image.crcs()[i]);
        count(child, level - 1, start, cursor);
      }
    }
  }

  private void countLeaf(NodeImage image) {
    long first = image.firstBlock();
    int owner = state.families().ownerNow(image.owner(), first + Geometry.FANOUT);
    for (int i = 0; i < image.indexes().length; i++) {
      int born = image.third()[i];
      if (state.families().ownerNow(born, first + image.indexes()[i] + 1) == owner) {
        place(image.addresses()[i], born);
        placements++;
      }
    }
  }

  private void place(long address, int born) {
    try {
      state.segments().found(address);
    } catch (IllegalStateException e) {
      throw new StorageException.Damaged("The maps are damaged: " + e.getMessage());
    }
    Version holder = state.families().holderOf(born);
    if (holder != null) {
      holder.addOwned(1);
      if (state.segments().counts().of(address) > 1) {
        holder.addShared(1);
      }
    }
  }

  /// Notes the nodes.
  ///
  /// @throws StorageException.Damaged if maps and placement counts disagree
  void finish() {
    state.space().nodesFound(leaves, inners);
    long[] expected = {state.segments().liveBlocks()};
    state.segments().counts().forEach((_, further) -> expected[0] += further);
    if (expected[0] != placements) {
      throw new StorageException.Damaged(
          "Expected %d placements by the counts, found %d in the maps."
              .formatted(expected[0], placements));
    }
  }
}
