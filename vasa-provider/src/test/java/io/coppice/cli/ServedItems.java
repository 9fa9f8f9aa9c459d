package io.coppice.cli;

import java.util.UUID;

/// The items of lists as REST serves them.
final class ServedItems {

  private ServedItems() {}

  static String job(UUID about, String state, String error) {
    return """
        {"id": "revert:%s", "name": "revert", "state": "%s", "progress": 40,
         "created": "2026-01-01T00:00:00Z", "error": %s}"""
        .formatted(about, state, error);
  }

  static String event(long id, String sentence) {
    return """
        {"id": %d, "at": "2026-01-01T00:00:00Z", "sentence": "%s", "type": "t", "message": "m",
         "parameters": {}, "vvols": []}"""
        .formatted(id, sentence);
  }
}
