package io.coppice.scsi.secret;

import java.util.Optional;

/// The secrets that the transport asks for at login. Safe for any thread; never blocks.
public interface InitiatorSecrets {

  /// The CHAP secret that an initiator must prove; empty if it may log in without one.
  ///
  /// @param initiatorName iSCSI name; compared in lower case
  /// @throws io.coppice.scsi.secret.SecretsLockedException if there is one that cannot be read
  Optional<String> chapSecret(String initiatorName);

  /// The secret by which the target proves itself to that initiator in mutual CHAP; empty if there
  /// is none.
  Optional<String> mutualChapSecret(String initiatorName);
}
