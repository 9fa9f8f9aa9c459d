package io.coppice.scsi.unit;

import org.jspecify.annotations.Nullable;

/// The counts of reads, or of writes, at one unit or of one initiator. Safe for any thread. A
/// command is counted once, when it ends: three additions of a few nanoseconds, and one more for
/// each kind of wait that it met; each of these times costs another one in the histograms.
public final class IoCounts {

  private static final int COMMANDS = 0;
  private static final int BLOCKS = 1;
  private static final int NANOS = 2;
  private static final int ENGINE_QUEUE = 3;
  private static final int TURN = 4;
  private static final int LIMIT = 5;
  private static final int SUMS = 6;

  private final @Nullable PhaseHistograms histograms;
  private final StripedCounts sums = new StripedCounts(SUMS);

  /// @param histograms those of all units; null to count in none
  IoCounts(@Nullable PhaseHistograms histograms) {
    this.histograms = histograms;
  }

  /// Counts a command that ends now. All times are nanoseconds, 0 and more.
  ///
  /// @param blocks logical blocks that it was to move
  /// @param spent from its begin to its answer
  /// @param limit that a limit held it back, before it began
  /// @param turn that it waited for its turn in the task set, before it began
  /// @param engineQueue that it waited for others in the engine, a part of `spent`
  public void add(long blocks, long spent, long limit, long turn, long engineQueue) {
    long inQueue = Math.min(engineQueue, spent);
    StripedCounts.Stripe mine = sums.stripe();
    // The whole before its parts: whoever reads the parts first never finds more than the whole.
    mine.add(NANOS, spent);
    mine.add(COMMANDS, 1);
    mine.add(BLOCKS, blocks);
    if (inQueue > 0) {
      mine.add(ENGINE_QUEUE, inQueue);
    }
    if (turn > 0) {
      mine.add(TURN, turn);
    }
    if (limit > 0) {
      mine.add(LIMIT, limit);
    }
    if (histograms != null) {
      histograms.add(spent - inQueue, turn + inQueue, limit);
    }
  }

  /// The commands that ended.
  public long commands() {
    return sums.sum(COMMANDS);
  }

  /// The logical blocks that they were to move.
  public long blocks() {
    return sums.sum(BLOCKS);
  }

  /// The time from the begin of each command to its answer, added up, in nanoseconds.
  long nanos() {
    return sums.sum(NANOS);
  }

  /// The time from the arrival of each command to its answer, and what of it was waiting.
  IoTime time() {
    long inEngine = sums.sum(ENGINE_QUEUE);
    long turns = sums.sum(TURN);
    long limits = sums.sum(LIMIT);
    return new IoTime(nanos() + turns + limits, limits, turns + inEngine);
  }
}
