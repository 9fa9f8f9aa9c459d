package io.coppice.iscsi.login;

import io.coppice.scsi.secret.InitiatorSecrets;
import java.util.Optional;

/// The CHAP secrets of initiators. Asked on an event loop: must not block. Safe for any thread.
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

  /// The secret that this target proves in turn to an initiator which asks for it; it must differ
  /// from the other one. Asked only for initiators that have a secret of their own.
  ///
  /// @return empty if there is none: such a login then fails
  default Optional<String> mutualSecretOf(String initiatorName) {
    return Optional.empty();
  }
}
