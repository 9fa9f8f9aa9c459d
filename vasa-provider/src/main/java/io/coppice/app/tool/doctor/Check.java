package io.coppice.app.tool.doctor;

import io.coppice.vasa.verdict.Report;

/// A check of one topic. It changes nothing.
@FunctionalInterface
interface Check {

  /// Reports the findings about `site`, at least one outcome.
  void look(DoctorSubject site, Report report);
}
