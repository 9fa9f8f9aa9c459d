package io.coppice.engine.log;

import io.coppice.engine.format.LogRecord;
import java.util.List;

/// A command, whole in one batch, that names the new places of blocks that [SurvivorWriter] stored.
public abstract class MovedCommand extends Command {

  private final SurvivorRoom room;
  private final List<ZoneBlock> blocks;

  /// @param blocks as they were written to `room`
  protected MovedCommand(SurvivorRoom room, List<ZoneBlock> blocks) {
    this.room = room;
    this.blocks = blocks;
  }

  @Override
  protected final boolean isOfHost() {
    return false;
  }

  @Override
  protected final boolean append(Batch batch) {
    if (!batch.hasRoom(blocks.size() * LogRecord.movedLength(1))) { // at worst one for each
      return false;
    }
    for (int from = 0; from < blocks.size(); ) {
      int run = RelocateCommand.run(blocks, from);
      batch.moved(room, room.blockOf(from), blocks.subList(from, from + run));
      from += run;
    }
    return true;
  }
}
