package io.coppice.engine.map;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.testing.Histories;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/// Leaves whose slots the committer takes away while readers copy from them and load them again,
/// also into each other's slots: every copy is the leaf's own content.
public class EvictionHistoriesTest {

  private static final int ENTRIES = 3;
  private static final long ONE = BlockAddress.of(1, 1, 1);
  private static final long OTHER = BlockAddress.of(2, 2, 1);

  private final NodeCache cache = new NodeCache(1, (node, _, _) -> image(node.stored()));
  private final Leaf one = new Leaf(new Node.Stored(ONE, 0, 1), ENTRIES, cache.memory());
  private final Leaf other = new Leaf(new Node.Stored(OTHER, 0, 1), ENTRIES, cache.memory());

  private static NodeImage image(long address) {
    long[] addresses = new long[ENTRIES];
    Arrays.fill(addresses, address);
    int[] zeros = new int[ENTRIES];
    return new NodeImage(1, 0, 0, new int[] {0, 1, 2}, addresses, zeros, zeros);
  }

  /// Everything goes that is in memory: there is room for nothing.
  @Operation(nonParallelGroup = "committer")
  public void evict() {
    cache.evict();
  }

  @Operation
  public List<Long> readOne() {
    return read(one);
  }

  @Operation
  public List<Long> readOther() {
    return read(other);
  }

  private List<Long> read(Leaf leaf) {
    MapEntries target = new MapEntries().aim(0, ENTRIES);
    while (!leaf.read(0, ENTRIES, target, 0)) {
      cache.load(leaf, 0);
    }
    List<Long> found = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      found.add(target.address(i));
    }
    return found;
  }

  /// Nothing is ever evicted.
  public static final class AlwaysThere {

    public void evict() {}

    public List<Long> readOne() {
      return Collections.nCopies(ENTRIES, ONE);
    }

    public List<Long> readOther() {
      return Collections.nCopies(ENTRIES, OTHER);
    }
  }

  @Test
  void aReaderSeesItsOwnLeafWhateverIsTakenAway() {
    Histories.check(EvictionHistoriesTest.class, AlwaysThere.class);
  }
}
