package io.coppice.iscsi.login;

import io.coppice.scsi.transport.TargetDevice;
import java.util.Optional;

/// The authority on logins: the targets, and the secrets to be proven.
public interface LoginAuthority {

  /// The target of that iSCSI name (lower case).
  Optional<TargetDevice> target(String name);

  /// The secret that an initiator must prove; empty if it need not prove any.
  ///
  /// @throws io.coppice.scsi.secret.SecretsLockedException if it has one that cannot be read
  Optional<String> secretOf(String initiatorName);

  /// The secret that this target proves to an initiator that asks for it; empty if there is none.
  Optional<String> mutualSecretOf(String initiatorName);
}
