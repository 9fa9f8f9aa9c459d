package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.Log;
import io.coppice.engine.log.RelocateCommand;
import io.coppice.engine.log.ZoneReader;
import io.coppice.engine.segment.Segments;
import java.util.List;

/// Some blocks of a zone on their way into the log once more. What does not live any more when its
/// turn comes is passed over; what dies while it is in the log is not moved.
final class Relocation extends RelocateCommand {

  /// How it ended.
  enum End {
    /// Blocks were moved; there may be more.
    MOVED,
    /// From the first block on that was offered, none lives.
    NOTHING_LEFT,
    /// The log has no zone for it now.
    NO_ROOM,
    FAILED
  }

  private final PoolState state;
  private final SpaceGate gate;
  private final List<ZoneReader.Block> blocks;
  private final int from;
  private final int limit;
  private final int[] indexes;
  private int chosen;

  private End end = End.FAILED; // guarded by this
  private int next; // guarded by this
  private boolean ended; // guarded by this

  /// @param from the first of `blocks` to look at
  /// @param limit most blocks to move
  Relocation(
      PoolState state,
      SpaceGate gate,
      Log log,
      List<ZoneReader.Block> blocks,
      int from,
      int limit) {
    super(log);
    this.state = state;
    this.gate = gate;
    this.blocks = blocks;
    this.from = from;
    this.limit = limit;
    indexes = new int[limit];
  }

  @Override
  protected boolean admit() {
    for (int i = from; i < blocks.size() && chosen < limit; i++) {
      ZoneReader.Block block = blocks.get(i);
      if (block.intact()
          && state.segments().livesAt(block.segment(), block.block(), block.place())) {
        indexes[chosen++] = i;
        choose(block);
      }
    }
    if (chosen == 0) {
      end(End.NOTHING_LEFT, blocks.size());
      return false;
    }
    if (!gate.hasRoomToClean(chosen)) {
      end(End.NO_ROOM, from);
      return false;
    }
    return true;
  }

  @Override
  protected void apply() {
    Segments segments = state.segments();
    for (int i = 0; i < stored(); i++) {
      ZoneReader.Block block = block(i);
      segments.move(block.segment(), block.block(), place(i));
    }
    state.space().moved(stored());
    end(End.MOVED, indexes[stored() - 1] + 1);
  }

  @Override
  protected void fail(StorageException failure) {
    end(failure instanceof StorageException.OutOfSpace ? End.NO_ROOM : End.FAILED, from);
  }

  private synchronized void end(End how, int nextIndex) {
    end = how;
    next = nextIndex;
    ended = true;
    notifyAll();
  }

  /// Waits for the end.
  synchronized End await() {
    boolean interrupted = false;
    while (!ended) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return end;
  }

  /// The first block that was not looked at.
  synchronized int next() {
    return next;
  }

  /// Blocks that were moved.
  int moved() {
    return stored();
  }
}
