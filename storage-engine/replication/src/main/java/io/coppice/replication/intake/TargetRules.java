package io.coppice.replication.intake;

import io.coppice.replication.PoolName;
import io.coppice.replication.ReplicationException;
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
}
