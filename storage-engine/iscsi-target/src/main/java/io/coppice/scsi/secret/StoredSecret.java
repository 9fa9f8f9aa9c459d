package io.coppice.scsi.secret;

/// A secret that stands in the pool.
public sealed interface StoredSecret {

  /// @throws SecretsLockedException if it cannot be read
  String text();

  /// A secret that was read.
  record Known(String text) implements StoredSecret {

    /// Never the secret.
    @Override
    public String toString() {
      return "Known[]";
    }
  }

  /// A secret whose key is missing.
  record Locked(SecretsLockedException why) implements StoredSecret {

    @Override
    public String text() {
      throw why;
    }
  }
}
