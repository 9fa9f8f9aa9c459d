package io.coppice.engine.state;

import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.log.Command;
import io.coppice.engine.log.Committer;
import io.coppice.engine.log.Log;
import java.util.ArrayList;
import java.util.List;

/// The gate that decides whether a command that needs space may enter the log. Committer only.
///
/// It refuses a command without space, but only after everything that waits to be reclaimed has
/// been. If there is space but no free zone now, it puts the command aside until the cleaner and a
/// checkpoint have made one. [SpaceAccounting] explains the two questions.
public final class SpaceGate {

  /// Blocks that a command may take beside its payload: a header, and another one with the
  /// announcement before it if the command is cut at the end of a zone.
  private static final int OVERHEAD_BLOCKS = 4;

  /// A command's answer so far, and the space that it holds until it has ended. One per command.
  public static final class Claim {
    private long needed;
    private long log;
  }

  /// The demand of a command: the blocks that it stores.
  public interface Demand {
    VolumeState volume();

    /// First block of the volume.
    long first();

    /// Blocks of the volume that are changed.
    int blocks();

    /// Blocks of payload.
    int stored();
  }

  private final PoolState state;
  private final Log log;
  private final Committer committer;
  private final List<Command> stalled = new ArrayList<>();
  private long claimed;
  private long claimedLog;
  private boolean checkpointRuns;
  private boolean exhausted;
  private int leaving;

  public SpaceGate(PoolState state, Log log, Committer committer) {
    this.state = state;
    this.log = log;
    this.committer = committer;
  }

  /// Asks for space, and room in the log, for what a command stores.
  ///
  /// @return false if the command was put aside, to be submitted again, or has been refused
  public boolean admit(Command command, Claim claim, Demand demand) {
    publishRoom();
    long needed = needed(demand);
    if (needed > 0 && needed > state.space().freeBlocks() - claimed) {
      return isReclaiming() ? putAside(command) : refuse(command, demand, "");
    }
    long bytes = logBytes(demand.stored());
    if (bytes > state.space().room(SpaceAccounting.Writer.HOST) - claimedLog) {
      return exhausted
          ? refuse(command, demand, ", but none of its zones can be emptied")
          : putAside(command);
    }
    claim.needed = needed;
    claim.log = bytes;
    claimed += needed;
    claimedLog += bytes;
    return true;
  }

  private boolean refuse(Command command, Demand demand, String reason) {
    state.segments().free().hurry(); // the medium may have space again
    command.refuse(outOfSpace(demand.volume(), Math.max(1, demand.stored()), reason));
    return false;
  }

  private long logBytes(int blocks) {
    long zones = 1L + blocks / state.segments().blocksPerZone();
    return (blocks + OVERHEAD_BLOCKS * zones) * PoolLayout.BLOCK;
  }

  /// Free blocks that the command takes when it is applied. A reserved volume takes none, and
  /// neither does a volume that writes over blocks of its own.
  private long needed(Demand demand) {
    if (demand.volume().info().reserved()) {
      return 0;
    }
    long most = demand.stored() + SpaceAccounting.nodesFor(demand.blocks());
    if (most <= state.space().freeBlocks() - claimed || demand.stored() < demand.blocks()) {
      return most;
    }
    if (demand.volume().timeline() != null) {
      return most; // what it writes over may be kept
    }
    int own;
    try {
      own = state.editor().placedItself(demand.volume().head(), demand.first(), demand.blocks());
    } catch (StorageException e) { // its map does not read: it is not known
      own = 0;
    }
    return own == demand.blocks() ? 0 : most - own;
  }

  /// Asks for room in the log for what takes no space for good and is never refused.
  ///
  /// @return false if the command was put aside, to be submitted again
  public boolean admit(Command command) {
    publishRoom();
    return exhausted
        || state.space().room(SpaceAccounting.Writer.NEVER_REFUSED) >= logBytes(1)
        || putAside(command);
  }

  /// Asks for room in the log for blocks that the cleaner copies.
  ///
  /// @return false if there is none now
  public boolean admitToClean(int blocks) {
    publishRoom();
    return state.space().room(SpaceAccounting.Writer.CLEANER) >= logBytes(blocks);
  }

  /// Whether a host may write a fair piece when `zones` more are free.
  public boolean hasRoom(int zones) {
    long more = (long) zones * state.segments().zoneSize();
    return state.space().room(SpaceAccounting.Writer.HOST) - claimedLog + more
        >= state.segments().zoneSize();
  }

  /// @return false: it may not go on now
  private boolean putAside(Command command) {
    stalled.add(command);
    return false;
  }

  /// Puts a command aside that found no space, if waiting may help it.
  public boolean mayHelp(Command command) {
    if (isReclaiming()) {
      putAside(command);
      return true;
    }
    return false;
  }

  private boolean isReclaiming() {
    return state.families().isReclaimPending();
  }

  /// Settles the claim of a command that was applied or has failed. The accounting has its blocks.
  public void settle(Claim claim) {
    if (claim.log != 0) { // so that whoever fails before it was admitted touches nothing
      claimed -= claim.needed;
      claimedLog -= claim.log;
      claim.needed = 0;
      claim.log = 0;
    }
  }

  /// Publishes the room left in open zones.
  public void publishRoom() {
    long next = log.hasNextZone() ? state.segments().zoneSize() : 0;
    state.space().setOpenRoom(log.roomInZone() + next);
  }

  /// Notes whether a checkpoint is being written.
  public void setCheckpointRuns(boolean runs) {
    checkpointRuns = runs;
  }

  /// Notes that a zone will be free when its last reader has left.
  public void zoneIsLeaving() {
    leaving++;
  }

  public void zoneHasLeft() {
    leaving--;
    publishRoom();
  }

  /// Whether the answer about room may change in a moment.
  public boolean isUnsettled() {
    return checkpointRuns || leaving > 0;
  }

  public boolean isAnyStalled() {
    return !stalled.isEmpty();
  }

  /// Lets all commands try again.
  ///
  /// @param nothingMore no zone will become free: a command that finds no room now is refused
  public void retryAll(boolean nothingMore) {
    exhausted = nothingMore;
    List<Command> all = new ArrayList<>(stalled);
    stalled.clear();
    all.forEach(committer::resubmit);
  }

  /// Ends all commands, because the pool has stopped.
  public void failAll(StorageException reason) {
    List<Command> all = new ArrayList<>(stalled);
    stalled.clear();
    all.forEach(command -> command.refuse(reason));
  }

  /// Notes that all commands that were let try again have done so.
  public void retryIsOver() {
    exhausted = false;
  }

  private StorageException.OutOfSpace outOfSpace(VolumeState volume, int blocks, String reason) {
    return new StorageException.OutOfSpace(
        "Volume %s needs %d bytes, the pool has %d free%s."
            .formatted(
                volume.info().id(),
                (long) blocks * PoolLayout.BLOCK,
                state.space().free(),
                reason));
  }
}
