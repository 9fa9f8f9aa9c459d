package io.coppice.vasa.fault;

import java.util.List;
import java.util.Map;

/// The 23 faults of VASA 2.0 (`fault` schema), and those of replication in 3.0 that stand in the
/// result of a group or fault domain. The record's simple name is the fault's name on the wire. A
/// fault that the operation's list lacks reaches the client as [StorageFault].
public sealed interface Fault {

  /// Name on the wire.
  default String name() {
    return getClass().getSimpleName();
  }

  /// The activation of a standby provider failed.
  record ActivateProviderFailed() implements Fault {}

  /// This provider is not the active one for the entity.
  record InactiveProvider(String entityId, String entityType) implements Fault {}

  /// Two virtual volumes are not related as the operation needs.
  record IncompatibleVolume() implements Fault {}

  /// An argument is missing, malformed or out of range.
  record InvalidArgument() implements Fault {}

  /// Certificates or revocation lists that were refused, as PEM text.
  record InvalidCertificate(List<String> certificates, List<String> revocationLists)
      implements Fault {
    public InvalidCertificate {
      certificates = List.copyOf(certificates);
      revocationLists = List.copyOf(revocationLists);
    }

    public InvalidCertificate() {
      this(List.of(), List.of());
    }
  }

  /// Wrong user name or password.
  record InvalidLogin() implements Fault {}

  /// A storage profile is malformed or cannot be met.
  record InvalidProfile() implements Fault {}

  /// No session, or none that this client may use: it calls `setContext` and repeats the call.
  record InvalidSession() implements Fault {}

  /// A statistics manifest is not one that was offered.
  record InvalidStatisticsContext() implements Fault {}

  /// Alarms after the client's last id are no longer kept.
  record LostAlarm() implements Fault {}

  /// Events after the client's last id are no longer kept.
  record LostEvent() implements Fault {}

  /// The task is past the point where it can be withdrawn.
  record NotCancellable() implements Fault {}

  /// No such object.
  record NotFound() implements Fault {}

  /// The provider does not offer the operation.
  record NotImplemented() implements Fault {}

  /// The operation is offered, but not for this object or these values.
  record NotSupported() implements Fault {}

  /// Not enough space or another resource is used up.
  record OutOfResource() implements Fault {}

  /// The caller may not do this.
  record PermissionDenied() implements Fault {}

  /// The object is bound, exported or otherwise in use.
  record ResourceInUse() implements Fault {}

  /// The virtual volume has as many snapshots as it may have.
  record SnapshotTooMany() implements Fault {}

  /// Any other failure here.
  ///
  /// @param messageId key into the Fault catalog
  /// @param parameters values for the message
  record StorageFault(String messageId, Map<String, String> parameters) implements Fault {
    public StorageFault {
      parameters = Map.copyOf(parameters);
    }

    public StorageFault(String messageId) {
      this(messageId, Map.of());
    }
  }

  /// The snapshot was not taken in the time that the caller gave.
  record Timeout() implements Fault {}

  /// A batch is longer than the provider takes.
  record TooMany(long maxBatchSize) implements Fault {}

  /// The provider cannot take the call now; the client repeats it later.
  record VasaProviderBusy() implements Fault {}

  /// The same identifier came before in this call (3.0).
  record DuplicateEntry() implements Fault {}

  /// The call belongs to the other end of the replication (3.0).
  record InvalidFunctionTarget() implements Fault {}

  /// The group is in another state than the change needs (3.0).
  ///
  /// @param current the state that it has
  /// @param desired those from which the change is possible
  record InvalidReplicationState(String current, List<String> desired) implements Fault {
    public InvalidReplicationState {
      desired = List.copyOf(desired);
    }
  }

  /// There is no replica that the change could use (3.0).
  record NoValidReplica() implements Fault {}

  /// The provider at the other end is not reached (3.0).
  record PeerNotReachable() implements Fault {}

  /// The group is being synchronized (3.0).
  ///
  /// @param task the task that does it
  record SyncOngoing(String task) implements Fault {}

  /// The group is in the state that was asked for (3.0). It stands among the warnings of a change
  /// that succeeds.
  record AlreadyDone() implements Fault {}

  /// There is no target that the group replicates to (3.0).
  record NoReplicationTarget() implements Fault {}
}
