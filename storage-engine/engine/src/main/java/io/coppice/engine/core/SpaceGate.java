package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.log.Log;
import java.util.ArrayList;
import java.util.List;

/// Decides whether what needs space may enter the log. Before it refuses, it puts the command aside
/// and has everything reclaimed and a checkpoint made, as long as that can give space. Committer
/// only.
final class SpaceGate {

  /// Blocks that a command may take beside its payload: a header, and once more where it is cut at
  /// the end of a zone, with the announcement before it.
  private static final int OVERHEAD_BLOCKS = 4;

  /// Others may take what was gained, again and again: then it is refused in the end.
  private static final int MAX_RETRIES = 8;

  /// What can be put aside.
  interface Stalled {
    /// Goes back into the queue.
    void retry();

    /// Ends without success: nothing is retried any more.
    void giveUp(StorageException reason);
  }

  /// What a command has been told, and what it holds until it has ended. One for each command.
  static final class Claim {
    private long bytes;
    private int retries;
  }

  enum Verdict {
    ADMITTED,
    /// Will be submitted again.
    PUT_ASIDE,
    REFUSED
  }

  private final PoolState state;
  private final Log log;
  private final List<Stalled> stalled = new ArrayList<>();
  private long claimed;
  private boolean checkpointRuns;
  private int leaving;

  SpaceGate(PoolState state, Log log) {
    this.state = state;
    this.log = log;
  }

  /// Asks for the log's room for `blocks` blocks of a volume from `first` on.
  Verdict admit(Stalled command, Claim claim, VolumeState volume, long first, int blocks) {
    publishRoom();
    Space space = state.space();
    long zones = 1L + blocks / state.segments().blocksPerZone();
    long bytes = (blocks + OVERHEAD_BLOCKS * zones) * PoolLayout.BLOCK;
    long room = space.writable() - claimed - space.promised();
    if (room < bytes && volume.info().reserved()) {
      bytes = beyondPromise(volume, first, blocks, bytes);
    }
    if (bytes == 0 || room >= bytes) {
      claim.bytes = bytes;
      claimed += bytes;
      return Verdict.ADMITTED;
    }
    return putAside(command, claim) ? Verdict.PUT_ASIDE : Verdict.REFUSED;
  }

  /// What of `bytes` is not promised to the volume: it is for the blocks that it has not stored.
  private long beyondPromise(VolumeState volume, long first, int blocks, long bytes) {
    int stored = state.editor().placedItself(volume.head(), first, blocks);
    return stored == 0 ? 0 : bytes - (long) (blocks - stored) * PoolLayout.BLOCK;
  }

  /// Puts a command aside that found no space, if waiting may help it.
  boolean putAside(Stalled command, Claim claim) {
    if (claim.retries >= MAX_RETRIES || !canGain()) {
      return false;
    }
    claim.retries++;
    stalled.add(command);
    return true;
  }

  /// An admitted command has been applied or has failed; what it took is seen in the log now.
  void settle(Claim claim) {
    if (claim.bytes != 0) { // so that whoever fails before it was admitted touches nothing
      claimed -= claim.bytes;
      claim.bytes = 0;
    }
  }

  /// Makes known what is left in open zones.
  void publishRoom() {
    long next = log.hasNextZone() ? state.segments().zoneSize() : 0;
    state.space().setOpenRoom(log.roomInZone() + next);
  }

  /// A checkpoint is being written, or not any more.
  void setCheckpointRuns(boolean runs) {
    checkpointRuns = runs;
  }

  /// A zone will be free when its last reader has left.
  void zoneIsLeaving() {
    leaving++;
  }

  void zoneHasLeft() {
    leaving--;
    publishRoom();
  }

  /// Whether what has been found out about space may be another in a moment.
  boolean isUnsettled() {
    return checkpointRuns || leaving > 0;
  }

  private boolean canGain() {
    return isUnsettled()
        || state.families().isReclaimPending()
        || state.segments().deadSegments() > 0;
  }

  boolean isAnyStalled() {
    return !stalled.isEmpty();
  }

  /// Space may have come: lets everybody try again.
  void retryAll() {
    List<Stalled> all = new ArrayList<>(stalled);
    stalled.clear();
    all.forEach(Stalled::retry);
  }

  /// The pool has stopped: ends everybody.
  void failAll(StorageException reason) {
    List<Stalled> all = new ArrayList<>(stalled);
    stalled.clear();
    all.forEach(command -> command.giveUp(reason));
  }

  StorageException.OutOfSpace outOfSpace(VolumeState volume, int blocks) {
    return new StorageException.OutOfSpace(
        "Volume %s needs %d bytes, the pool has %d free."
            .formatted(volume.info().id(), (long) blocks * PoolLayout.BLOCK, state.space().free()));
  }
}
