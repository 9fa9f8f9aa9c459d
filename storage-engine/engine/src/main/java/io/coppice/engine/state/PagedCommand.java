package io.coppice.engine.state;

import io.coppice.engine.segment.Pages;
import java.util.List;

/// A command that moves blocks of segments whose pages must be in memory. The committer does not
/// read missing pages: it ends the command unsuccessfully.
public interface PagedCommand {

  /// Waits for the end; the committer brings it, whatever happens.
  ///
  /// @return pages that must be read before it is submitted again; empty if it did not end for want
  ///   of pages
  List<Pages.Missing> awaitMissing();
}
