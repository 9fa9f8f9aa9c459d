package io.coppice.scsi.secret;

import java.util.Optional;

/// The CHAP secrets that a transport asks for at login, on an event loop: calls must not block.
/// Safe for any thread.
@FunctionalInterface
public interface InitiatorSecrets {

  /// The secret that an initiator must prove; empty if it may log in without one.
  ///
  /// @param initiatorName iSCSI name; compared in lower case
  /// @throws SecretsLockedException if there is one that cannot be read
  Optional<String> chapSecret(String initiatorName);

  /// The secret that the target proves in turn to an initiator that asks for it. It must differ
  /// from the other one. Asked for only if the initiator has a secret of its own.
  ///
  /// @return empty if there is none: such a login then fails
  default Optional<String> mutualChapSecret(String initiatorName) {
    return Optional.empty();
  }
}
