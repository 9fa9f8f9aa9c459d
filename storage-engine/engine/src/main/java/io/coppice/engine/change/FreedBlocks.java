package io.coppice.engine.change;

import io.coppice.engine.family.Release;
import io.coppice.engine.family.Releases;
import io.coppice.engine.segment.PlacementCounts;
import io.coppice.engine.state.CommitterQueries;

/// The count of the blocks that go with released entries, one release after another. Some blocks
/// have several placements, and such a block goes with the last of them. It looks through the nodes
/// that hold the entries of an account that may have such blocks. It takes a few bits of memory for
/// each block with several placements, however many those are.
final class FreedBlocks {

  /// Addresses that the committer looks up in one go.
  private static final int BATCH = 4096;

  private final Releases releases;
  private final PlacementCounts counts;
  private final CommitterQueries questions;
  private final long[] batch = new long[BATCH];
  private final PlacementCounts found = new PlacementCounts(); // one more than were found
  private int filled;
  private long incomplete; // blocks of which some placements were found, not all
  private long blocks;
  private boolean counted; // whether the present release has a block with several placements

  FreedBlocks(Releases releases, PlacementCounts counts, CommitterQueries questions) {
    this.releases = releases;
    this.counts = counts;
    this.questions = questions;
  }

  /// Adds the blocks of a release. As of the moment of the plan if no map changes meanwhile.
  ///
  /// @return false if a version went away while its map was looked at
  boolean add(Release release) {
    if (release.counted() == 0) {
      blocks += release.entries();
      return true;
    }
    counted = false;
    if (!releases.entries(release, this::add)) {
      return false;
    }
    lookUp();
    if (!counted) {
      releases.foundNoneCounted(release);
    }
    return true;
  }

  /// Blocks that go with all releases so far.
  long blocks() {
    return blocks;
  }

  /// Whether a block stays because some of its placements are in none of the releases so far.
  boolean leavesPlacements() {
    return incomplete > 0;
  }

  private void add(long address) {
    blocks++;
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
          place(batch[i], numbers[i]);
        }
      }
    }
  }

  private void place(long address, long placements) {
    counted = true;
    found.add(address, 1);
    long times = found.of(address) - 1;
    if (times == 1) {
      incomplete++;
    }
    if (times == placements) {
      incomplete--;
    } else {
      blocks--;
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
