package io.coppice.iscsi.login;

import io.coppice.scsi.secret.InitiatorSecrets;
import java.util.Optional;

/// The CHAP secrets of initiators. They are asked for on an event loop: calls must not block. Safe
/// for any thread.
@FunctionalInterface
public interface ChapSecrets {

  /// The secret that an initiator must prove at login.
  ///
  /// @param initiatorName lower case
  /// @return empty if it may log in without one
  /// @throws io.coppice.scsi.secret.SecretsLockedException if it has one that cannot be read
  Optional<String> secretOf(String initiatorName);

  /// The secrets that the device server keeps.
  static ChapSecrets from(InitiatorSecrets secrets) {
    return new ChapSecrets() {
      @Override
      public Optional<String> secretOf(String initiatorName) {
        return secrets.chapSecret(initiatorName);
      }

      @Override
      public Optional<String> mutualSecretOf(String initiatorName) {
        return secrets.mutualChapSecret(initiatorName);
      }
    };
  }

  /// The secret that this target proves in turn to an initiator that asks for it. It must differ
  /// from the other one. Asked for only if the initiator has a secret of its own.
  ///
  /// @return empty if there is none: such a login then fails
  default Optional<String> mutualSecretOf(String initiatorName) {
    return Optional.empty();
  }
}
