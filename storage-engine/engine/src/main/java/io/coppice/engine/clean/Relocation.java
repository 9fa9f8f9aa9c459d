package io.coppice.engine.clean;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.Log;
import io.coppice.engine.log.RelocateCommand;
import io.coppice.engine.log.SurvivorRoom;
import io.coppice.engine.log.ZoneBlock;
import io.coppice.engine.segment.PageContent;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.PagedCommand;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SpaceGate;
import io.coppice.engine.state.SurvivorZones;
import io.coppice.engine.thread.Uninterrupted;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A number of living blocks of a zone that are to be stored once more, chosen when its turn comes.
/// They go into a zone of survivors, which the cleaner's thread writes ([#room]). If there is none,
/// they go into the log, and blocks that die meanwhile are not moved.
final class Relocation extends RelocateCommand implements PagedCommand {

  /// The outcome of a relocation.
  enum End {
    /// There is [#room] for [#survivors]; there may be more.
    CHOSEN,
    /// Blocks were moved through the log; there may be more.
    MOVED,
    /// Nothing yet: the pages that [#missing] names must be read first.
    UNREAD,
    /// None of the offered blocks lives, from the first one on.
    NOTHING_LEFT,
    /// The log has no zone for it now.
    NO_ROOM,
    FAILED
  }

  private final PoolState state;
  private final SpaceGate gate;
  private final SurvivorZones zones;
  private final List<ZoneBlock> blocks;
  private final int from;
  private final int limit;
  private final Collection<PageContent> pages;
  private final int[] indexes;
  private List<Pages.Missing> missing = List.of();
  private int chosen;

  private End end = End.FAILED; // guarded by this
  private int next; // guarded by this
  private boolean ended; // guarded by this
  private @Nullable SurvivorRoom room; // guarded by this

  /// @param from the first of `blocks` to look at
  /// @param limit most blocks to move
  /// @param pages of segments that were read for it
  Relocation(
      PoolState state,
      SpaceGate gate,
      SurvivorZones zones,
      Log log,
      List<ZoneBlock> blocks,
      int from,
      int limit,
      Collection<PageContent> pages) {
    super(log);
    this.state = state;
    this.gate = gate;
    this.zones = zones;
    this.blocks = blocks;
    this.from = from;
    this.limit = limit;
    this.pages = pages;
    indexes = new int[limit];
  }

  @Override
  protected boolean admit() {
    state.pages().with(pages, this::chooseAll);
    if (chosen == 0 && !missing.isEmpty()) {
      end(End.UNREAD, from);
      return false;
    }
    if (chosen == 0) {
      end(End.NOTHING_LEFT, blocks.size());
      return false;
    }
    if (!gate.admitToClean(chosen)) {
      end(End.NO_ROOM, from);
      return false;
    }
    return !takeRoom();
  }

  private boolean takeRoom() {
    int fitting = Math.min(chosen, zones.room());
    SurvivorRoom taken = fitting == 0 ? null : zones.take(fitting);
    if (taken == null) {
      return false;
    }
    chosen = fitting;
    synchronized (this) {
      room = taken;
    }
    end(End.CHOSEN, indexes[fitting - 1] + 1);
    return true;
  }

  /// Stops at the first block that is not known here to live or not.
  private void chooseAll() {
    for (int i = from; i < blocks.size() && chosen < limit; i++) {
      ZoneBlock block = blocks.get(i);
      missing = state.pages().missing(List.of(block.segment()));
      if (!missing.isEmpty()) {
        return;
      }
      if (block.intact()
          && state.segments().livesAt(block.segment(), block.block(), block.place())) {
        indexes[chosen++] = i;
        choose(block);
        state.pages().keep(block.segment());
      }
    }
  }

  @Override
  protected void apply() {
    Segments segments = state.segments();
    for (int i = 0; i < stored(); i++) {
      ZoneBlock block = block(i);
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
    Uninterrupted.await(
        () -> {
          while (!ended) {
            wait();
          }
        });
    return end;
  }

  /// The room for the survivors.
  synchronized SurvivorRoom room() {
    return Objects.requireNonNull(room);
  }

  /// The blocks for which there is room.
  synchronized List<ZoneBlock> survivors() {
    return chosen().subList(0, chosen);
  }

  /// The first block that was not looked at.
  synchronized int next() {
    return next;
  }

  @Override
  public List<Pages.Missing> awaitMissing() {
    return await() == End.UNREAD ? missing : List.of();
  }

  /// Blocks that were moved through the log.
  int moved() {
    return stored();
  }
}
