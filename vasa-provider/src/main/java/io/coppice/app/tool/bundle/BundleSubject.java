package io.coppice.app.tool.bundle;

import java.io.IOException;

/// The provider that a bundle is about, as it is seen from where the bundle is made.
interface BundleSubject extends Answers {

  /// Whether a process has the pool open.
  boolean isOpen();

  /// The stacks of the threads of the process that has the pool open.
  ///
  /// @throws IOException if there are none, with the reason
  String threads() throws IOException;

  /// All settings with their values and where these come from.
  String settings();

  /// The report of the doctor.
  ///
  /// @throws IOException if there is none, with the reason
  String doctor() throws IOException;
}
