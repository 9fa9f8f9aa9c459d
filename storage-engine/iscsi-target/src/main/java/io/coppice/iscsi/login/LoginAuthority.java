package io.coppice.iscsi.login;

import io.coppice.scsi.transport.TargetDevice;
import java.util.Optional;

/// Who may log in to what.
public interface LoginAuthority {

  /// The target of that iSCSI name (lower case).
  Optional<TargetDevice> target(String name);

  /// The secret that an initiator must prove; empty if it need not prove any.
  ///
  /// @throws io.coppice.scsi.secret.SecretsLockedException if it has one that cannot be read
  Optional<String> secretOf(String initiatorName);

  /// The secret that this target proves to an initiator which asks for it; empty if there is none.
  Optional<String> mutualSecretOf(String initiatorName);
}
