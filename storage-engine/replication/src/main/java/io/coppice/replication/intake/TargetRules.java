package io.coppice.replication.intake;

import io.coppice.replication.PoolName;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import java.util.UUID;

/// The rules by which a pool lets others replicate to it.
public interface TargetRules {

  /// Lets a pool connect.
  ///
  /// @throws ReplicationException (FORBIDDEN) if it may not
  void admit(PoolName peer);

  /// Lets a pool send cycles of a group.
  ///
  /// @throws ReplicationException (FORBIDDEN) if it may not; (STATE) if the group takes none now,
  ///   such as after a fail-over
  void admit(PoolName peer, UUID group);

  /// Answers the control plane of another pool.
  ///
  /// @throws ReplicationException that the other one gets as the answer; (STATE) for a subject that
  ///   is not known here
  default String answer(PoolName peer, String subject, String text) {
    throw new ReplicationException(
        Reason.STATE,
        "Expected a subject that this pool knows, got %s: upgrade the older pool."
            .formatted(subject));
  }

  /// Hears that a replica has become whole here.
  default void received(PoolName peer, UUID group, UUID cycle) {}
}
