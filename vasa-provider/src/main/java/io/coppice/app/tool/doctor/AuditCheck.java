package io.coppice.app.tool.doctor;

import io.coppice.vasa.verdict.Report;
import java.util.List;

/// The check for what the provider has found wrong with its audit trail. It reads the alarm; the
/// proof itself is `audit verify`.
final class AuditCheck implements Check {

  private static final String NEWEST =
      """
      SELECT status, parameter_values FROM alarm
       WHERE object_type = 'StorageProcessor' AND type = 'Manageability' ORDER BY id DESC LIMIT 1
      """;

  /// An alarm, in the words of the provider.
  private record Found(String status, String what) {}

  @Override
  public void look(DoctorSubject site, Report report) {
    if (!site.database().reached()) {
      report.skip("audit", "its entries are in the database");
      return;
    }
    List<Found> alarms =
        site.database()
            .rows(
                NEWEST,
                row ->
                    new Found(
                        row.getString(1), String.join(" ", (String[]) row.getArray(2).getArray())));
    if (alarms.isEmpty() || alarms.getFirst().status().equals("Green")) {
      report.ok("audit", "the provider has found nothing wrong with the trail");
    } else {
      Found found = alarms.getFirst();
      report.warn(
          "audit",
          "%s; see docs/audit.md",
          found.what().endsWith(".")
              ? found.what().substring(0, found.what().length() - 1)
              : found.what());
    }
  }
}
