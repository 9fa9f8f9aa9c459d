package io.coppice.vasa.audit;

import java.util.HexFormat;

/// The hash of an entry.
///
/// @param hex 64 hex digits, lower case
public record ChainHash(String hex) {

  /// Length in bytes.
  static final int BYTES = 32;

  /// The hash before the first entry.
  static final ChainHash NONE = new ChainHash("00".repeat(BYTES));

  /// @throws IllegalArgumentException if it is no such text
  public ChainHash {
    if (!hex.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException(
          "expected 64 hex digits of a hash, got %d characters".formatted(hex.length()));
    }
  }

  static ChainHash of(byte[] bytes) {
    return new ChainHash(HexFormat.of().formatHex(bytes));
  }

  byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  @Override
  public String toString() {
    return hex;
  }
}
