package io.coppice.vasa.alert.source;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The life of the certificates: a warning 30 days before the end of one, critical 7 days before.
public final class CertificateSource implements AlertSource {

  private static final Duration SOON = Duration.ofDays(30);
  private static final Duration VERY_SOON = Duration.ofDays(7);

  private final Supplier<Map<String, Instant>> ends;
  private final InstantSource clock;

  /// @param ends of each certificate, by its name
  public CertificateSource(Supplier<Map<String, Instant>> ends, InstantSource clock) {
    this.ends = ends;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "certificates";
  }

  @Override
  public boolean needsDatabase() {
    return false;
  }

  @Override
  public List<AlertFinding> look() {
    Instant now = clock.instant();
    List<AlertFinding> findings = new ArrayList<>();
    ends.get()
        .forEach(
            (name, end) -> {
              Duration left = Duration.between(now, end);
              if (left.compareTo(SOON) <= 0) {
                findings.add(
                    new AlertFinding(
                        "certificate:" + name,
                        left.compareTo(VERY_SOON) <= 0
                            ? AlertSeverity.CRITICAL
                            : AlertSeverity.WARNING,
                        new AlertSubject("certificate", name, name, null),
                        "CertificateEnds",
                        Map.of("certificate", name, "until", end.toString())));
              }
            });
    return findings;
  }
}
