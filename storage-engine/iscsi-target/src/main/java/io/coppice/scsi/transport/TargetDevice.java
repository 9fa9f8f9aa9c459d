package io.coppice.scsi.transport;

import java.util.Optional;
import java.util.function.Consumer;

/// A SCSI target device with one target port, as the transport sees it.
///
/// Safe for any thread. Order of each command: unit attention, reservation, CDB, range, execution.
public interface TargetDevice {

  /// iSCSI name.
  String name();

  /// Whether an initiator of that name would see any logical unit here. Discovery shows only such
  /// targets; at others login is refused (status 0202h).
  ///
  /// @param initiatorName lower case
  boolean admits(String initiatorName);

  /// The reason why nothing is served here now, in one sentence: logins are refused with it (status
  /// 0301h). Empty while I/O is served.
  Optional<String> outOfService();

  /// Opens an I_T nexus and queues unit attention 29h/00h on it. The caller has ended an older one
  /// of the same initiator port (session reinstatement).
  default Nexus attach(InitiatorPort initiator) {
    return attach(initiator, SessionOrigin.UNKNOWN);
  }

  /// Does the same as [#attach], with the origin of the session.
  Nexus attach(InitiatorPort initiator, SessionOrigin origin);

  /// Ends a nexus. It takes out its commands, waits for those that can no longer be taken out,
  /// releases its SPC-2 reservations, then calls `done`. After that no command of it will touch a
  /// volume.
  void detach(Nexus nexus, Runnable done);

  /// Starts a command; never blocks. Commands of one nexus and logical unit begin in the order of
  /// the calls.
  void execute(ScsiCommand command);

  /// Starts a task management function; never blocks. `done` is called when every command that it
  /// ends has completed or was taken out: no write of theirs arrives later.
  void manage(Nexus nexus, TaskManagement function, Consumer<TaskManagementOutcome> done);
}
