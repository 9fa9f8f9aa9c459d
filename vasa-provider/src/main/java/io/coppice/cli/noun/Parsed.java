package io.coppice.cli.noun;

import io.coppice.cli.failure.CommandFailedException;
import java.util.UUID;

/// Ids, read from what was typed.
final class Parsed {

  private Parsed() {}

  /// @throws CommandFailedException if the text is no UUID
  static UUID uuid(String label, String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw CommandFailedException.usage("expected %s as a UUID, got '%s'", label, text);
    }
  }
}
