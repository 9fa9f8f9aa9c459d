package io.coppice.engine.state;

import io.coppice.engine.segment.Pages;
import java.util.List;

/// A command that moves blocks of segments of which the pages must be in memory, and that the
/// committer ends unsuccessfully instead of reading them.
public interface NeedsPages {

  /// Waits for the end; the committer brings it, whatever happens.
  ///
  /// @return pages that must be read before it is submitted once more; none if it did not end for
  ///   want of them
  List<Pages.Missing> awaitMissing();
}
