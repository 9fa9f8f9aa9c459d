package io.coppice.scsi;

import io.coppice.scsi.parameter.UnmapList;
import java.util.List;

/// UNMAP: one run after the other.
final class UnmapRun extends Steps {

  private final VolumeUnit unit;
  private final List<UnmapList.Run> runs;
  private int next;

  UnmapRun(Task task, VolumeUnit unit, List<UnmapList.Run> runs) {
    super(task);
    this.unit = unit;
    this.runs = runs;
  }

  @Override
  void step() {
    while (next < runs.size() && runs.get(next).blocks() == 0) {
      next++;
    }
    if (next == runs.size()) {
      task().succeeded();
      return;
    }
    UnmapList.Run run = runs.get(next++);
    long offset = run.lba() * VolumeUnit.BLOCK_SIZE;
    unit.volume().unmap(offset, run.blocks() * VolumeUnit.BLOCK_SIZE, this);
  }
}
