package io.coppice.engine.change;

import io.coppice.engine.family.ExclusiveSpace;
import io.coppice.engine.segment.PlacementCounts;
import io.coppice.engine.state.CommitterQueries;
import java.util.OptionalLong;

/// The count of the blocks that go with entries, where some blocks have several placements: such a
/// block goes when all of them do. It looks through the nodes that hold the entries. It takes a few
/// bits of memory for each block with several placements, however many those are.
final class FreedBlocks {

  /// Addresses that the committer looks up in one go.
  private static final int BATCH = 4096;

  private final ExclusiveSpace holdings;
  private final PlacementCounts counts;
  private final CommitterQueries questions;
  private final long[] batch = new long[BATCH];
  private final PlacementCounts found = new PlacementCounts(); // one more than were found
  private final PlacementCounts placements = new PlacementCounts();
  private int filled;
  private long entries;

  FreedBlocks(ExclusiveSpace holdings, PlacementCounts counts, CommitterQueries questions) {
    this.holdings = holdings;
    this.counts = counts;
    this.questions = questions;
  }

  /// Number of blocks whose last placement goes. As of one moment if no map changes meanwhile.
  ///
  /// @return absent if a version went away while its map was looked at
  OptionalLong of(ExclusiveSpace.Freed freed) {
    for (ExclusiveSpace.Piece piece : freed.pieces()) {
      long before = found.size();
      if (!holdings.entries(piece, this::add)) {
        return OptionalLong.empty();
      }
      lookUp();
      if (found.size() == before && piece.in() == piece.hiding()) {
        holdings.foundNoneCounted(piece);
      }
    }
    long[] blocks = {entries};
    found.forEach(
        (address, times) -> blocks[0] += times == placements.of(address) ? 1 - times : -times);
    return OptionalLong.of(blocks[0]);
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
      long[] numbers = questions.ask(() -> placementsOf(n));
      for (int i = 0; i < n; i++) {
        if (numbers[i] > 1) {
          found.add(batch[i], 1);
          placements.add(batch[i], numbers[i] - placements.of(batch[i]));
        }
      }
    }
  }

  private long[] placementsOf(int n) {
    long[] numbers = new long[n];
    for (int i = 0; i < n; i++) {
      numbers[i] = counts.of(batch[i]);
    }
    return numbers;
  }
}
