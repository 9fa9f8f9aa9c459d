package io.coppice.engine.clean;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.MovedCommand;
import io.coppice.engine.log.SurvivorRoom;
import io.coppice.engine.log.ZoneBlock;
import io.coppice.engine.segment.PageContent;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.PagedCommand;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SurvivorZones;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// A set of blocks that are stable in a zone of survivors. Their names go into the log; then
/// readers find them there. Blocks that died meanwhile are passed over.
///
/// While they were written, a checkpoint may have stored the pages of their segments, and memory
/// may have dropped them. Then nothing goes into the log before they have been read once more. From
/// [#admit] to [#apply] they stay: they are due for the next checkpoint, and the cleaner's thread,
/// inside an epoch, is a reader for which even that one keeps what it has stored.
final class Publication extends MovedCommand implements PagedCommand {

  private final PoolState state;
  private final SurvivorZones survivors;
  private final SurvivorRoom room;
  private final List<ZoneBlock> blocks;
  private final Collection<PageContent> pages;
  private final CompletableFuture<Boolean> moved = new CompletableFuture<>();
  private List<Pages.Missing> missing = List.of(); // written before `moved` is complete

  /// @param pages of segments that were read for it
  Publication(
      PoolState state,
      SurvivorZones survivors,
      SurvivorRoom room,
      List<ZoneBlock> blocks,
      Collection<PageContent> pages) {
    super(room, blocks);
    this.state = state;
    this.survivors = survivors;
    this.room = room;
    this.blocks = blocks;
    this.pages = pages;
  }

  @Override
  protected boolean admit() {
    state.pages().with(pages, this::keepAll);
    if (!missing.isEmpty()) {
      moved.complete(false);
      return false;
    }
    return true;
  }

  private void keepAll() {
    List<Integer> segments = blocks.stream().map(ZoneBlock::segment).distinct().toList();
    missing = state.pages().missing(segments);
    if (missing.isEmpty()) {
      segments.forEach(state.pages()::keep);
    }
  }

  @Override
  protected void apply() {
    Segments segments = state.segments();
    long first = (long) room.zone() * segments.blocksPerZone();
    for (int i = 0; i < blocks.size(); i++) {
      segments.move(blocks.get(i).segment(), blocks.get(i).block(), first + room.blockOf(i));
    }
    survivors.stable(room, blocks.size());
    state.space().moved(blocks.size());
    moved.complete(true);
  }

  @Override
  protected void fail(StorageException failure) {
    moved.complete(false);
  }

  /// Waits for the end; the committer brings it, whatever happens.
  ///
  /// @return whether readers look there now
  boolean await() {
    return moved.join();
  }

  @Override
  public List<Pages.Missing> awaitMissing() {
    return await() ? List.of() : missing;
  }
}
