package io.coppice.engine.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.NodeImage;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Readers of a leaf while the committer takes its slot away and another leaf gets it.
class LeafRaceTest {

  private static final int ROUNDS = 200_000;
  private static final long ONE = BlockAddress.of(1, 1, 1);
  private static final long OTHER = BlockAddress.of(2, 2, 1);

  private final NodeCache cache = new NodeCache(1, (node, _, _) -> image(node.stored()));

  private volatile boolean over;

  @Test
  void aReaderSeesItsOwnLeafOrNothing() {
    Leaf one = new Leaf(new Node.Stored(ONE, 0, 1), Geometry.FANOUT, cache.memory());
    Leaf other = new Leaf(new Node.Stored(OTHER, 0, 1), Geometry.FANOUT, cache.memory());
    CompletableFuture<Long> reads = CompletableFuture.supplyAsync(() -> readUntilOver(one));

    for (int round = 0; round < ROUNDS && !reads.isDone(); round++) {
      cache.load(one, 0);
      one.drop();
      cache.load(other, 0);
      other.drop();
    }
    over = true;

    assertThat(reads.join()).as("reads that found the leaf").isPositive();
  }

  private long readUntilOver(Leaf leaf) {
    MapEntries target = new MapEntries().aim(0, Geometry.FANOUT);
    long found = 0;
    while (!over) {
      if (leaf.read(0, Geometry.FANOUT, target, 0)) {
        assertThat(Arrays.stream(target.addresses).allMatch(address -> address == ONE))
            .as("every entry of read %d is the leaf's", found)
            .isTrue();
        found++;
      } else {
        cache.load(leaf, 0);
      }
    }
    return found;
  }

  private static NodeImage image(long address) {
    int[] indexes = IntStream.range(0, Geometry.FANOUT).toArray();
    long[] addresses = new long[Geometry.FANOUT];
    Arrays.fill(addresses, address);
    return new NodeImage(
        1, 0, 0, indexes, addresses, new int[Geometry.FANOUT], new int[Geometry.FANOUT]);
  }
}
