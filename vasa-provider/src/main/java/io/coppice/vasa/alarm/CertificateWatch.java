package io.coppice.vasa.alarm;

import io.coppice.engine.StorageEngine;
import io.coppice.vasa.certificate.ProviderCertificate;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.inventory.Inventory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// The watch over the life of the certificate that the VASA port serves. It reports, by alarm and
/// in the log, that the certificate ends within 90, 30 and 7 days. One thread.
@Service
public final class CertificateWatch {

  private static final Logger log = LoggerFactory.getLogger(CertificateWatch.class);

  /// Nearest first.
  private static final List<Integer> DAYS = List.of(7, 30, 90);

  private final ProviderCertificate certificate;
  private final Alarms.Subject subject;
  private final InstantSource clock;
  private Optional<Integer> logged = Optional.empty();

  public CertificateWatch(
      ProviderCertificate certificate, StorageEngine engine, InstantSource clock) {
    this.certificate = certificate;
    this.subject =
        new Alarms.Subject(
            "Manageability", "StorageArray", Inventory.arrayId(engine.pool().id()), null);
    this.clock = clock;
  }

  /// Looks how long the certificate is valid. Logs it if a limit was passed since the last look.
  Optional<Alarms.Report> look() {
    Instant until = certificate.current().leaf().getNotAfter().toInstant();
    Duration left = Duration.between(clock.instant(), until);
    Optional<Integer> within =
        DAYS.stream().filter(days -> left.compareTo(Duration.ofDays(days)) <= 0).findFirst();
    if (within.isPresent() && !within.equals(logged)) {
      log.atWarn()
          .addKeyValue("until", until)
          .log("the certificate that is served ends within {} days", within.get());
    }
    logged = within;
    return within.map(
        days ->
            Alarms.Report.of(
                subject,
                days == 7 ? RaisedAlarm.Status.RED : RaisedAlarm.Status.YELLOW,
                message(days),
                Map.of("until", until.toString())));
  }

  private static String message(int days) {
    return switch (days) {
      case 7 -> "CertificateEnds7";
      case 30 -> "CertificateEnds30";
      default -> "CertificateEnds90";
    };
  }
}
