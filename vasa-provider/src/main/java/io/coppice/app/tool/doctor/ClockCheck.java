package io.coppice.app.tool.doctor;

import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.ClockJudge;
import io.coppice.vasa.verdict.Report;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The check of this machine's clock against that of the vCenter, or of a database elsewhere, and
/// for jumps that the provider has seen.
final class ClockCheck implements Check {

  @Override
  public void look(DoctorSubject site, Report report) {
    if (site.database().reached() && seenToJump(site)) {
      report.warn(
          "clock",
          "the provider saw it jump within the last day (see its events): set it by NTP servers;"
              + " schedules and retention go by the time that passed");
    }
    Optional<ServerAddress> vcenter = site.vcenter();
    if (vcenter.isPresent()) {
      vcenter(vcenter.get(), site, report);
    } else if (site.database().reached() && !site.settings().database().embedded()) {
      site.database()
          .rows("SELECT clock_timestamp()", row -> row.getTimestamp(1).toInstant())
          .forEach(there -> ClockJudge.compare("the database's", there, site.now(), report));
    } else {
      report.skip("clock", "compared with nothing: give --vcenter HOST");
    }
  }

  private static boolean seenToJump(DoctorSubject site) {
    return site
        .database()
        .rows(
            "SELECT status FROM alarm WHERE message_id = 'io.coppice.alarm.ClockJumped'"
                + " ORDER BY id DESC LIMIT 1",
            row -> row.getString(1))
        .stream()
        .anyMatch(status -> !status.equals("Green"));
  }

  private static void vcenter(ServerAddress vcenter, DoctorSubject site, Report report) {
    try {
      TlsAnswer answer = site.askVcenter();
      Instant begin = answer.leaf().getNotBefore().toInstant();
      if (answer.date().isPresent()) {
        ClockJudge.compare(
            "that of the vCenter " + vcenter, answer.date().get(), answer.received(), report);
      } else if (begin.isAfter(site.now())
          && ClockJudge.isTooMuch(Duration.between(site.now(), begin))) {
        ClockJudge.compare("the certificate of the vCenter " + vcenter, begin, site.now(), report);
      } else {
        report.skip("clock", "the vCenter %s does not return its time", vcenter);
      }
    } catch (IOException e) {
      report.fail(
          "vcenter",
          Cause.VCENTER,
          "The vCenter %s cannot be reached from here: %s.".formatted(vcenter, e.getMessage()),
          "correct --vcenter, the name service, or what filters the network between the two.");
    }
  }
}
