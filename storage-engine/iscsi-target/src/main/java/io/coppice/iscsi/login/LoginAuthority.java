package io.coppice.iscsi.login;

import io.coppice.scsi.secret.InitiatorSecrets;
import io.coppice.scsi.transport.TargetDevice;
import java.util.Optional;

/// The authority on logins: the targets, and the secrets to be proven.
public interface LoginAuthority extends InitiatorSecrets {

  /// The target of that iSCSI name (lower case).
  Optional<TargetDevice> target(String name);
}
