package io.coppice.engine.core;

import io.coppice.engine.family.Holdings;
import io.coppice.engine.segment.PlacementCounts;
import java.util.HashMap;
import java.util.Map;

/// Counts the blocks that go with entries, where some of the blocks have several placements: such a
/// block goes when all of them do. Looks through the nodes that hold the entries.
final class FreedBlocks {

  /// Addresses that the committer looks up in one go.
  private static final int BATCH = 4096;

  private final Holdings holdings;
  private final PlacementCounts counts;
  private final Questions questions;
  private final long[] batch = new long[BATCH];
  private final Map<Long, Integer> found = new HashMap<>();
  private final Map<Long, Integer> placements = new HashMap<>();
  private int filled;
  private long entries;

  FreedBlocks(Holdings holdings, PlacementCounts counts, Questions questions) {
    this.holdings = holdings;
    this.counts = counts;
    this.questions = questions;
  }

  /// Blocks whose last placement goes. As of one moment if none of the maps changes meanwhile.
  long of(Holdings.Freed freed) {
    for (Holdings.Piece piece : freed.pieces()) {
      int before = found.size();
      holdings.entries(piece, this::add);
      lookUp();
      if (found.size() == before && piece.in() == piece.hiding()) {
        holdings.foundNoneCounted(piece);
      }
    }
    long blocks = entries;
    for (Map.Entry<Long, Integer> block : found.entrySet()) {
      blocks -= block.getValue();
      blocks += block.getValue().equals(placements.get(block.getKey())) ? 1 : 0;
    }
    return blocks;
  }

  private void add(long address) {
    entries++;
    batch[filled++] = address;
    if (filled == BATCH) {
      lookUp();
    }
  }

  private void lookUp() {
    int n = filled;
    filled = 0;
    if (n > 0) {
      int[] numbers = questions.ask(() -> placementsOf(n));
      for (int i = 0; i < n; i++) {
        if (numbers[i] > 1) {
          found.merge(batch[i], 1, Integer::sum);
          placements.put(batch[i], numbers[i]);
        }
      }
    }
  }

  private int[] placementsOf(int n) {
    int[] numbers = new int[n];
    for (int i = 0; i < n; i++) {
      numbers[i] = counts.of(batch[i]);
    }
    return numbers;
  }
}
