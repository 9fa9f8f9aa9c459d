package io.coppice.scsi;

import io.coppice.engine.StorageException;
import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.cdb.CdbDecoder;
import io.coppice.scsi.command.BlockCommands;
import io.coppice.scsi.command.EndpointCommands;
import io.coppice.scsi.command.PrimaryCommands;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.task.NexusState;
import io.coppice.scsi.task.Nexuses;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.task.UnitAttention;
import io.coppice.scsi.task.UnitNexus;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.OpenSession;
import io.coppice.scsi.transport.ScsiCommand;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.SessionOrigin;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.scsi.transport.TargetPort;
import io.coppice.scsi.transport.TaskManagement;
import io.coppice.scsi.transport.TaskManagementOutcome;
import io.coppice.scsi.transport.UnitAddress;
import io.coppice.scsi.unit.CompletionBarrier;
import io.coppice.scsi.unit.EndpointUnit;
import io.coppice.scsi.unit.InitiatorCounts;
import io.coppice.scsi.unit.LogicalUnit;
import io.coppice.scsi.unit.LunResolver;
import io.coppice.scsi.unit.Reserver;
import io.coppice.scsi.unit.TaskSet;
import io.coppice.scsi.unit.VolumeUnit;
import io.coppice.scsi.unit.WellKnownUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The router of one target: it brings each command to its logical unit.
///
/// A path (nexus and unit) is checked against the directory when it is opened, and closed when the
/// directory takes the unit away from the initiator. So a command needs one look-up. Opening first
/// publishes the path and its route (the LUN), then asks the directory again. Taking away first
/// changes the directory, then closes paths or routes. So one of the two always sees the other.
final class TaskRouter implements TargetDevice {

  private final TargetPort port;
  private final LunResolver resolver;
  private final PrimaryCommands primary;
  private final BlockCommands blocks;
  private final Nexuses all;
  private final InitiatorCounts initiators;
  private final Set<NexusState> nexuses = ConcurrentHashMap.newKeySet();
  private final Consumer<Task> starter = this::start;

  /// @param all the nexuses of both targets
  /// @param initiators the counts by initiator at both targets
  TaskRouter(
      TargetPort port,
      LunResolver resolver,
      PrimaryCommands primary,
      BlockCommands blocks,
      Nexuses all,
      InitiatorCounts initiators) {
    this.port = port;
    this.resolver = resolver;
    this.primary = primary;
    this.blocks = blocks;
    this.all = all;
    this.initiators = initiators;
  }

  @Override
  public String name() {
    return port.name();
  }

  @Override
  public boolean admits(String initiatorName) {
    return resolver.admits(initiatorName);
  }

  @Override
  public Optional<String> outOfService() {
    return resolver.outOfService();
  }

  @Override
  public Nexus attach(InitiatorPort initiator, SessionOrigin origin) {
    NexusState nexus = new NexusState(initiator, port, origin, initiators.enter(initiator.name()));
    nexuses.add(nexus);
    all.add(nexus);
    return nexus;
  }

  @Override
  public void detach(Nexus nexus, Runnable done) {
    NexusState state = (NexusState) nexus;
    state.close();
    CompletionBarrier drain =
        new CompletionBarrier(
            () -> {
              // Not before: a command that waits for the reservation must not see it free while
              // commands of this nexus still run.
              release(state);
              nexuses.remove(state);
              all.remove(state);
              initiators.leave(state.initiator().name());
              done.run();
            });
    for (UnitNexus path : state.paths()) {
      path.commands().close();
      path.commands().drain(_ -> true, true, drain);
    }
    for (UnitNexus path : state.leaving()) {
      path.commands().drain(_ -> true, true, drain);
    }
    drain.release();
  }

  private static void release(NexusState nexus) {
    for (UnitNexus path : nexus.paths()) {
      if (path.unit() instanceof VolumeUnit unit) {
        unit.reservations().release(nexus);
      }
    }
  }

  @Override
  public void execute(ScsiCommand command) {
    NexusState nexus = (NexusState) command.nexus();
    while (!nexus.isClosed()) {
      UnitNexus path = path(nexus, command.lun());
      if (path == null) {
        Cdb cdb = CdbDecoder.decode(command.cdb());
        UnitAddress address = UnitAddress.of(command.lun());
        command.completion().complete(primary.executeAbsent(command, address, cdb));
        return;
      }
      Task task = new Task(command, path, starter);
      switch (path.commands().add(task, command.attribute())) {
        case BEGIN -> start(task);
        case WAIT -> {}
        case REFUSED -> {
          nexus.close(path);
          continue;
        }
      }
      return;
    }
    command.completion().complete(ScsiResponse.of(ScsiStatus.TASK_ABORTED));
  }

  /// Opens the path that a LUN names; null if there is no unit for this initiator.
  private @Nullable UnitNexus open(NexusState nexus, LogicalUnitNumber lun) {
    UnitAddress address = UnitAddress.of(lun);
    String initiator = nexus.initiator().name();
    Optional<LogicalUnit> unit = resolver.resolve(initiator, address);
    if (unit.isEmpty()) {
      return null;
    }
    UnitNexus path;
    try {
      path = nexus.pathTo(unit.get());
    } catch (StorageException.NotFound e) {
      return null; // the volume was deleted while it was bound
    }
    nexus.addRoute(lun, path);
    if (!resolver.resolve(initiator, address).equals(unit) || nexus.isClosed()) {
      nexus.close(path);
      return null;
    }
    return path;
  }

  private void start(Task task) {
    try {
      Cdb cdb = CdbDecoder.decode(task.command().cdb());
      if (!(cdb instanceof Cdb.Read || cdb instanceof Cdb.Write)) {
        task.path().visited(System.nanoTime()); // those two take the time where they are counted
      }
      UnitAttention attention = task.path().takeFor(cdb);
      if (attention != null) {
        task.fail(attention.sense());
        if (task.isAborted()) {
          task.path().raise(attention); // it was answered TASK ABORTED, and told nobody
        }
      } else if (task.path().unit() instanceof VolumeUnit unit
          && unit.reservations().conflicts(task.nexus(), cdb)) {
        task.finish(ScsiResponse.of(ScsiStatus.RESERVATION_CONFLICT));
      } else {
        dispatch(task, cdb);
      }
    } catch (StorageException e) {
      task.failed(e);
    } catch (RuntimeException | Error e) {
      task.failUnexpectedly(e);
    }
  }

  private void dispatch(Task task, Cdb cdb) {
    switch (cdb) {
      case Cdb.Refused(SenseData sense) -> task.fail(sense);
      case Cdb.Primary command -> primary.execute(task, command);
      case Cdb.Block command -> {
        switch (task.path().unit()) {
          case VolumeUnit unit -> {
            if (unit.isSuspended()) {
              task.finish(ScsiResponse.of(ScsiStatus.BUSY));
            } else if (!unit.limiter().holdsBack(task, command)) {
              blocks.execute(task, unit, command);
            }
          }
          case EndpointUnit _ -> EndpointCommands.execute(task, command);
          case WellKnownUnit _ -> task.fail(AdditionalSense.INVALID_COMMAND_OPERATION_CODE);
        }
      }
    }
  }

  @Override
  public void manage(Nexus nexus, TaskManagement function, Consumer<TaskManagementOutcome> done) {
    NexusState state = (NexusState) nexus;
    switch (function) {
      case TaskManagement.AbortTask(LogicalUnitNumber lun, long tag) ->
          abort(state, lun, c -> c instanceof Task task && task.isTagged(tag), done);
      case TaskManagement.AbortTaskSet(LogicalUnitNumber lun) -> abort(state, lun, _ -> true, done);
      case TaskManagement.ClearTaskSet(LogicalUnitNumber lun) ->
          atUnit(state, lun, done, (unit, drain) -> clear(state, unit, drain));
      case TaskManagement.LogicalUnitReset(LogicalUnitNumber lun) ->
          atUnit(state, lun, done, this::reset);
      case TaskManagement.TargetWarmReset _, TaskManagement.TargetColdReset _ ->
          resetAll(state, done);
      case TaskManagement.ClearAca _ -> done.accept(TaskManagementOutcome.FUNCTION_REJECTED);
    }
  }

  private void abort(
      NexusState nexus,
      LogicalUnitNumber lun,
      Predicate<TaskSet.InFlight> which,
      Consumer<TaskManagementOutcome> done) {
    // A task that has already ended is not an error: initiators take "does not exist" for one.
    CompletionBarrier drain = barrier(done);
    UnitNexus path = path(nexus, lun);
    int ending = 0;
    if (path != null) {
      path.commands().drain(which, true, drain);
    } else {
      for (UnitNexus old : nexus.leaving()) { // the unit was taken away, its commands may still run
        ending += old.commands().drain(which, true, drain);
      }
    }
    if (path == null && ending == 0) {
      done.accept(TaskManagementOutcome.INCORRECT_LOGICAL_UNIT_NUMBER);
    } else {
      drain.release();
    }
  }

  private static CompletionBarrier barrier(Consumer<TaskManagementOutcome> done) {
    return new CompletionBarrier(() -> done.accept(TaskManagementOutcome.FUNCTION_COMPLETE));
  }

  /// Ends commands at the unit of a LUN, and answers when they have ended.
  private void atUnit(
      NexusState nexus,
      LogicalUnitNumber lun,
      Consumer<TaskManagementOutcome> done,
      BiConsumer<LogicalUnit, CompletionBarrier> work) {
    UnitNexus path = path(nexus, lun);
    if (path == null) {
      done.accept(TaskManagementOutcome.INCORRECT_LOGICAL_UNIT_NUMBER);
      return;
    }
    CompletionBarrier drain = barrier(done);
    work.accept(path.unit(), drain);
    drain.release();
  }

  private void clear(NexusState nexus, LogicalUnit unit, CompletionBarrier drain) {
    for (NexusState other : nexuses) {
      UnitNexus at = other.existingPathTo(unit);
      if (at != null && at.commands().drain(_ -> true, true, drain) > 0 && other != nexus) {
        at.raise(UnitAttention.COMMANDS_CLEARED);
      }
    }
  }

  /// Resets every unit that the nexus has addressed: a host can disturb no unit that it does not
  /// reach.
  private void resetAll(NexusState nexus, Consumer<TaskManagementOutcome> done) {
    CompletionBarrier drain = barrier(done);
    nexus.paths().forEach(path -> reset(path.unit(), drain));
    drain.release();
  }

  /// Aborts what runs at the unit. Its SPC-2 reservation ends when nothing of that runs any more,
  /// and what MODE SELECT changed is as it was before.
  private void reset(LogicalUnit unit, CompletionBarrier whole) {
    whole.retain();
    Reserver holder = unit instanceof VolumeUnit volume ? volume.reservations().holder() : null;
    CompletionBarrier drain =
        new CompletionBarrier(
            () -> {
              if (unit instanceof VolumeUnit volume) {
                volume.reset(holder);
              }
              nexuses.forEach(nexus -> nexus.copies().forgetAt(unit));
              whole.release();
            });
    for (NexusState nexus : nexuses) {
      UnitNexus path = nexus.existingPathTo(unit);
      if (path != null) {
        path.commands().drain(_ -> true, true, drain);
        path.raise(UnitAttention.RESET);
      }
    }
    drain.release();
  }

  private @Nullable UnitNexus path(NexusState nexus, LogicalUnitNumber lun) {
    UnitNexus path = nexus.route(lun);
    return path != null ? path : open(nexus, lun);
  }

  /// The sessions that are open, or that end and have commands under way.
  List<OpenSession> sessions() {
    return nexuses.stream()
        .map(nexus -> new OpenSession(nexus.initiator(), nexus.origin()))
        .toList();
  }

  /// The sessions that have addressed a unit and may still do so.
  List<OpenSession> sessionsAt(LogicalUnit unit) {
    return nexuses.stream()
        .filter(nexus -> nexus.existingPathTo(unit) != null)
        .map(nexus -> new OpenSession(nexus.initiator(), nexus.origin()))
        .toList();
  }

  /// The unit of an endpoint.
  Optional<LogicalUnit> endpointUnit(int lun) {
    return resolver.endpoint(lun);
  }

  /// Forgets the unit of an endpoint that is gone.
  ///
  /// @return the unit, if somebody has addressed it
  Optional<LogicalUnit> removeEndpointUnit(int lun) {
    return resolver.removeEndpoint(lun);
  }

  /// Raises a unit attention for those initiators, on one unit or on all.
  void raise(UnitAttention attention, Set<String> initiators, Optional<LogicalUnit> unit) {
    for (NexusState nexus : nexuses) {
      if (initiators.contains(nexus.initiator().name())) {
        for (UnitNexus path : nexus.paths()) {
          if (unit.isEmpty() || unit.get() == path.unit()) {
            path.raise(attention);
          }
        }
      }
    }
  }

  /// Takes the LUNs of one address away from those initiators' paths to a unit, which they also
  /// reach at another one. The drain waits for what still runs there.
  void closeRoutes(
      LogicalUnit unit, UnitAddress address, Set<String> initiators, CompletionBarrier drain) {
    for (NexusState nexus : nexuses) {
      UnitNexus path = nexus.existingPathTo(unit);
      if (path != null && initiators.contains(nexus.initiator().name())) {
        nexus.removeRoutes(lun -> UnitAddress.of(lun).equals(address));
        path.commands().drain(_ -> true, false, drain);
      }
    }
  }

  /// Closes those initiators' paths to a unit; the departure waits for what still runs there.
  void closePaths(LogicalUnit unit, Set<String> initiators, UnitRevocation departure) {
    for (NexusState nexus : nexuses) {
      UnitNexus path = nexus.existingPathTo(unit);
      if (path != null && initiators.contains(nexus.initiator().name())) {
        nexus.close(path);
        departure.add(nexus);
        path.commands().drain(_ -> true, false, departure.drain());
      }
    }
  }
}
