package io.coppice.iscsi.session;

import io.coppice.iscsi.command.ScsiCommands;
import io.coppice.iscsi.command.ScsiTask;
import io.coppice.iscsi.connection.CommandWindow;
import io.coppice.iscsi.connection.Connection;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.SerialNumber;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.scsi.transport.TaskManagement;
import io.coppice.scsi.transport.TaskManagementOutcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The task management functions of one session (RFC 7143 §11.5, §11.6). Commands that the device
/// has not seen end here, the others at the device. The response leaves when all of them have
/// ended. Belongs to the connection's event loop.
final class TaskManagementRequests {

  /// Functions in progress at once; more are refused.
  private static final int PENDING_MAX = 32;

  private static final int ABORT_TASK = 1;
  private static final int COLD_RESET = 7;
  private static final int TASK_REASSIGN = 8;

  private static final int COMPLETE = 0;
  private static final int TASK_DOES_NOT_EXIST = 1;
  private static final int LUN_DOES_NOT_EXIST = 2;
  private static final int REASSIGNMENT_NOT_SUPPORTED = 4;
  private static final int NOT_SUPPORTED = 5;
  private static final int REJECTED = 255;

  private final Connection connection;
  private final Sessions sessions;
  private final ScsiCommands commands;
  private final CommandWindow window;
  private final TargetDevice device;
  private final Nexus nexus;
  private int pending;

  TaskManagementRequests(
      Connection connection,
      Sessions sessions,
      ScsiCommands commands,
      CommandWindow window,
      TargetDevice device,
      Nexus nexus) {
    this.connection = connection;
    this.sessions = sessions;
    this.commands = commands;
    this.window = window;
    this.device = device;
    this.nexus = nexus;
  }

  void perform(InitiatorPdu.TaskManagement pdu) {
    if (pending >= PENDING_MAX) {
      answer(pdu, REJECTED);
    } else if (pdu.function() == ABORT_TASK) {
      abort(pdu);
    } else if (pdu.function() == TASK_REASSIGN) {
      answer(pdu, REASSIGNMENT_NOT_SUPPORTED);
    } else {
      Optional<TaskManagement> function = functionOf(pdu);
      if (function.isEmpty()) {
        answer(pdu, NOT_SUPPORTED);
        return;
      }
      commands.dropCollecting(task -> isCovered(pdu, task));
      manage(pdu, function.get(), task -> isCovered(pdu, task));
    }
  }

  private void abort(InitiatorPdu.TaskManagement pdu) {
    ScsiTask task = commands.find(pdu.referencedTaskTag());
    if (task == null) {
      answer(pdu, abortOfNone(pdu));
      return;
    }
    if (!isAtUnitOf(pdu, task)) {
      // It runs at another unit: "complete" would promise that nothing more of it comes.
      answer(pdu, TASK_DOES_NOT_EXIST);
      return;
    }
    if (task.state() == ScsiTask.State.COLLECTING) {
      commands.dropCollecting(it -> it == task);
      answer(pdu, COMPLETE);
      return;
    }
    manage(
        pdu,
        new TaskManagement.AbortTask(
            new LogicalUnitNumber(pdu.lun()), Integer.toUnsignedLong(pdu.referencedTaskTag())),
        it -> it == task);
  }

  /// The response to the abort of a command that is not there.
  ///
  /// If its answer crosses the abort, the initiator will see that the command was done: it does not
  /// exist any more. If the initiator has seen the answer and still aborts, the function is
  /// complete: initiators take anything else for a fault of the target. A command that never came
  /// does not exist. If its number is still open, it counts as received so that later commands need
  /// not wait, and the function is complete (RFC 7143 §11.5.1).
  private int abortOfNone(InitiatorPdu.TaskManagement pdu) {
    if (connection.writer().isAnswerInFlight(pdu.referencedTaskTag(), pdu.expStatSn())) {
      return TASK_DOES_NOT_EXIST;
    }
    if (commands.hasPassed(pdu)) {
      return COMPLETE;
    }
    boolean isOpen =
        SerialNumber.within(pdu.refCmdSn(), window.expCmdSn(), window.maxCmdSn())
            && SerialNumber.before(pdu.refCmdSn(), pdu.cmdSn());
    if (isOpen) {
      window.skip(pdu.refCmdSn());
    }
    return isOpen ? COMPLETE : TASK_DOES_NOT_EXIST;
  }

  private void manage(
      InitiatorPdu.TaskManagement pdu, TaskManagement function, Predicate<ScsiTask> covered) {
    pending++;
    commands.markAborted(covered, true);
    device.manage(
        nexus, function, outcome -> connection.complete(() -> end(pdu, outcome, covered)));
  }

  private static Optional<TaskManagement> functionOf(InitiatorPdu.TaskManagement pdu) {
    LogicalUnitNumber lun = new LogicalUnitNumber(pdu.lun());
    return switch (pdu.function()) {
      case 2 -> Optional.of(new TaskManagement.AbortTaskSet(lun));
      case 3 -> Optional.of(new TaskManagement.ClearAca(lun));
      case 4 -> Optional.of(new TaskManagement.ClearTaskSet(lun));
      case 5 -> Optional.of(new TaskManagement.LogicalUnitReset(lun));
      case 6 -> Optional.of(new TaskManagement.TargetWarmReset());
      case COLD_RESET -> Optional.of(new TaskManagement.TargetColdReset());
      default -> Optional.empty();
    };
  }

  /// Whether a function takes out a command that the device has not seen.
  private static boolean isCovered(InitiatorPdu.TaskManagement pdu, ScsiTask task) {
    return switch (pdu.function()) {
      case 2, 4, 5 -> isAtUnitOf(pdu, task);
      case 6, COLD_RESET -> true;
      default -> false;
    };
  }

  /// Whether a command is at the logical unit that a request names, in whichever form either names
  /// it.
  private static boolean isAtUnitOf(InitiatorPdu.TaskManagement pdu, ScsiTask task) {
    return new LogicalUnitNumber(pdu.lun())
        .addressesSameAs(new LogicalUnitNumber(task.pdu().lun()));
  }

  private void answer(InitiatorPdu.TaskManagement pdu, int response) {
    connection
        .writer()
        .write(new TargetPdu.TaskManagementResponse(pdu.initiatorTaskTag(), response));
  }

  /// Ends a function that has ended at the device.
  private void end(
      InitiatorPdu.TaskManagement pdu, TaskManagementOutcome outcome, Predicate<ScsiTask> covered) {
    pending--;
    if (connection.isClosed()) {
      return;
    }
    boolean isColdReset =
        pdu.function() == COLD_RESET && outcome != TaskManagementOutcome.FUNCTION_REJECTED;
    // Before the answer: sessions that the initiator opens after hearing of the reset stay.
    List<Session> reset = isColdReset ? sessions.of(nexus.initiator().name(), device) : List.of();
    // Commands that still run were not ended, or came later: they are answered.
    commands.markAborted(covered, false);
    answer(
        pdu,
        switch (outcome) {
          case FUNCTION_COMPLETE -> COMPLETE;
          case FUNCTION_REJECTED -> REJECTED;
          case INCORRECT_LOGICAL_UNIT_NUMBER -> LUN_DOES_NOT_EXIST;
        });
    if (isColdReset) {
      // RFC 7143 §11.5.1 has the target close all its sessions. We close those of the asker, who
      // hears of it first: a host can disturb no other.
      connection.closeAfterFlush();
      reset.forEach(session -> session.connection().drop());
    }
  }
}
