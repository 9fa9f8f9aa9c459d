package io.coppice.app.tool.doctor;

/// Looks at one topic. It changes nothing.
@FunctionalInterface
interface Check {

  /// Reports what it sees of `site`, at least one outcome.
  void look(Site site, Report report);
}
