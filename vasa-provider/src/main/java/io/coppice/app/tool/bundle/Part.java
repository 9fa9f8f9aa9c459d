package io.coppice.app.tool.bundle;

import java.io.IOException;

/// A part of a bundle.
///
/// @param name of its file
record Part(String name, Text text) {

  /// A gatherer of the text of a part.
  @FunctionalInterface
  interface Text {

    /// @throws IOException if there is none, with the reason
    String gather() throws IOException;
  }
}
