package io.coppice.scsi.task;

import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.unit.CompletionBarrier;
import io.coppice.scsi.unit.LogicalUnit;
import io.coppice.scsi.unit.TaskSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// The open nexuses of all targets. Safe for any thread.
public final class Nexuses {

  private final Set<NexusState> open = ConcurrentHashMap.newKeySet();

  public void add(NexusState nexus) {
    open.add(nexus);
  }

  public void remove(NexusState nexus) {
    open.remove(nexus);
  }

  /// Raises a unit attention at a unit, for those nexuses that have addressed it.
  public void raise(UnitAttention attention, LogicalUnit unit, Predicate<NexusState> which) {
    for (NexusState nexus : open) {
      UnitNexus path = which.test(nexus) ? nexus.existingPathTo(unit) : null;
      if (path != null) {
        path.raise(attention);
      }
    }
  }

  /// Raises a unit attention at every unit that those nexuses have addressed by such a LUN.
  public void raiseAt(
      UnitAttention attention, Predicate<NexusState> which, Predicate<LogicalUnitNumber> address) {
    for (NexusState nexus : open) {
      if (which.test(nexus)) {
        nexus.pathsAt(address).forEach(path -> path.raise(attention));
      }
    }
  }

  /// Aborts commands at a unit; the drain waits for them.
  public void abort(
      LogicalUnit unit,
      Predicate<NexusState> which,
      Predicate<TaskSet.InFlight> commands,
      CompletionBarrier drain) {
    for (NexusState nexus : open) {
      UnitNexus path = which.test(nexus) ? nexus.existingPathTo(unit) : null;
      if (path != null) {
        path.commands().drain(commands, true, drain);
      }
    }
  }
}
