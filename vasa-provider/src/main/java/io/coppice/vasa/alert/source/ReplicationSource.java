package io.coppice.vasa.alert.source;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.replication.lag.LagWatch;
import io.coppice.vasa.replication.lag.Trouble;
import io.coppice.vasa.time.TimeText;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Replication groups that are late, fail or are paused for long, and peers whose certificate ends.
public final class ReplicationSource implements AlertSource {

  private final LagWatch watch;

  public ReplicationSource(LagWatch watch) {
    this.watch = watch;
  }

  @Override
  public String name() {
    return "replication";
  }

  @Override
  public boolean needsDatabase() {
    return false;
  }

  @Override
  public List<AlertFinding> look() {
    return watch.look().stream().map(ReplicationSource::finding).toList();
  }

  private static AlertFinding finding(Trouble trouble) {
    return switch (trouble) {
      case Trouble.Late late ->
          ofGroup(late, "lag", "ReplicationLate", Map.of("name", late.name(), "what", late.what()));
      case Trouble.Failing failing ->
          ofGroup(
              failing,
              "failures",
              "ReplicationFails",
              Map.of(
                  "name", failing.name(), "count", "" + failing.count(), "what", failing.what()));
      case Trouble.Paused paused ->
          ofGroup(
              paused,
              "pause",
              "ReplicationPaused",
              Map.of(
                  "name",
                  paused.name(),
                  "time",
                  TimeText.words(paused.time()),
                  "rpo",
                  TimeText.words(paused.rpo())));
      case Trouble.CertificateEnding ending -> certificate(ending);
    };
  }

  private static AlertFinding ofGroup(
      Trouble.OfGroup trouble, String what, String message, Map<String, String> parameters) {
    UUID id = trouble.group();
    return new AlertFinding(
        "replication-%s:%s".formatted(what, id),
        severity(trouble),
        new AlertSubject("replication-group", id.toString(), trouble.name(), null),
        message,
        parameters);
  }

  private static AlertFinding certificate(Trouble.CertificateEnding ending) {
    String until = ending.until().toString();
    return new AlertFinding(
        "replication-certificate:" + ending.peer(),
        severity(ending),
        new AlertSubject("peer", ending.peer().toString(), ending.name(), null),
        "PeerCertificateEnds",
        Map.of(
            "name",
            ending.name(),
            "what",
            ending.isGrave()
                ? "it ended at %s.".formatted(until)
                : "it ends at %s.".formatted(until)));
  }

  private static AlertSeverity severity(Trouble trouble) {
    return trouble.isGrave() ? AlertSeverity.CRITICAL : AlertSeverity.WARNING;
  }
}
