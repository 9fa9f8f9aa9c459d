package io.coppice.admin.metrics;

import io.coppice.admin.SystemFacts;
import io.coppice.admin.health.Planes;
import io.coppice.vasa.session.VasaSessions;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// The process: its version, its two planes, its certificates and the sessions of VASA.
@Component
@Order(3)
final class ProcessMetrics implements MetricSource {

  private final SystemFacts facts;
  private final Planes planes;
  private final CertificateEnds certificates;
  private final VasaSessions sessions;
  private final InstantSource clock;

  ProcessMetrics(
      SystemFacts facts,
      Planes planes,
      CertificateEnds certificates,
      VasaSessions sessions,
      InstantSource clock) {
    this.facts = facts;
    this.planes = planes;
    this.certificates = certificates;
    this.sessions = sessions;
    this.clock = clock;
  }

  @Override
  public void addTo(Sheet sheet) {
    sheet.info(
        "coppice_build_info",
        "The software that runs; always 1.",
        Labels.of("version", facts.version(), "java", Runtime.version().toString()));
    addPlane(sheet, "data", planes.data().ready());
    addPlane(sheet, "control", planes.control().ready());
    Instant now = clock.instant();
    certificates
        .now()
        .forEach(
            (name, end) ->
                sheet.gauge(
                    "coppice_certificate_expiry_seconds",
                    "Time until a certificate ends; negative once it has ended.",
                    Duration.between(now, end).toSeconds(),
                    Labels.of("certificate", name)));
    sheet.gauge("coppice_vasa_sessions", "Open sessions of VASA.", sessions.count());
  }

  private static void addPlane(Sheet sheet, String plane, boolean ready) {
    sheet.gauge(
        "coppice_plane_ready",
        "1 while a plane is ready: data serves volumes, control answers calls.",
        ready ? 1 : 0,
        Labels.of("plane", plane));
  }
}
