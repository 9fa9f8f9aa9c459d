package io.coppice.scsi.unit;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The counts of reads, or of writes, at one unit or of one initiator. Safe for any thread; nothing
/// is allocated. A command that never waited costs three additions of a few nanoseconds, each kind
/// of wait one more; each of these times costs another one in the histograms.
public final class IoCounts {

  private final @Nullable PhaseHistograms histograms;
  private final LongAdder commands = new LongAdder();
  private final LongAdder blocks = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder limitNanos = new LongAdder();
  private final LongAdder turnNanos = new LongAdder();
  private final LongAdder engineQueueNanos = new LongAdder();

  /// @param histograms those of all units; null to count in none
  IoCounts(@Nullable PhaseHistograms histograms) {
    this.histograms = histograms;
  }

  /// Counts a command that begins now.
  public void begin(long ofBlocks) {
    commands.increment();
    blocks.add(ofBlocks);
  }

  /// Counts the time of a command that ends now. All are nanoseconds, 0 and more.
  ///
  /// @param spent from its begin to its answer
  /// @param limit that a limit held it back, before it began
  /// @param turn that it waited for its turn in the task set, before it began
  /// @param engineQueue that it waited for others in the engine, a part of `spent`
  public void end(long spent, long limit, long turn, long engineQueue) {
    long inQueue = Math.min(engineQueue, spent);
    nanos.add(spent); // first: whoever reads the parts first never finds more than the whole
    if (inQueue > 0) {
      engineQueueNanos.add(inQueue);
    }
    if (turn > 0) {
      turnNanos.add(turn);
    }
    if (limit > 0) {
      limitNanos.add(limit);
    }
    if (histograms != null) {
      histograms.add(spent - inQueue, turn + inQueue, limit);
    }
  }

  /// The commands that began.
  public long commands() {
    return commands.sum();
  }

  /// The logical blocks that they were to move.
  public long blocks() {
    return blocks.sum();
  }

  /// The time from the begin of each command to its answer, added up, in nanoseconds.
  long nanos() {
    return nanos.sum();
  }

  /// The time from the arrival of each command to its answer, and what of it was waiting.
  IoTime time() {
    long inEngine = engineQueueNanos.sum();
    long turns = turnNanos.sum();
    long limits = limitNanos.sum();
    return new IoTime(nanos.sum() + turns + limits, limits, turns + inEngine);
  }
}
