package io.coppice.app.tool.bundle;

import java.io.IOException;

/// The answers of a running provider.
@FunctionalInterface
interface Answers {

  /// The body of the answer to a GET.
  ///
  /// @throws IOException if there is none, or it is a refusal
  String ask(String path) throws IOException;
}
