package io.coppice.vasa.alarm;

import io.coppice.engine.StorageEngine;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.audit.Verdict;
import io.coppice.vasa.audit.syslog.SyslogForwarder;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.inventory.Inventory;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Service;

/// The watch over the audit trail: one alarm, for the worst of what is wrong with it. A broken
/// chain comes before calls that are missing in it, and these before a syslog server that is away.
@Service
public final class AuditWatch {

  private static final String WHAT = "what";

  private final AuditTrail trail;
  private final SyslogForwarder syslog;
  private final Alarms.Subject subject;

  public AuditWatch(AuditTrail trail, SyslogForwarder syslog, StorageEngine engine) {
    this.trail = trail;
    this.syslog = syslog;
    this.subject =
        new Alarms.Subject(
            "Manageability", "StorageProcessor", Inventory.processorId(engine.pool().id()), null);
  }

  Optional<Alarms.Report> look() {
    return broken().or(this::missed).or(this::unsent);
  }

  private Optional<Alarms.Report> broken() {
    return trail
        .lastVerdict()
        .filter(verdict -> !verdict.isIntact())
        .map(Verdict::sentence)
        .map(what -> report(RaisedAlarm.Status.RED, "AuditBroken", what));
  }

  private Optional<Alarms.Report> missed() {
    long missed = trail.entries().missed();
    if (missed > 0) {
      return Optional.of(
          report(
              RaisedAlarm.Status.RED,
              "AuditMissed",
              "%d calls since the start could be recorded at no place.".formatted(missed)));
    }
    return trail.entries().isHeadMissed()
        ? Optional.of(
            report(
                RaisedAlarm.Status.YELLOW,
                "AuditMissed",
                "The pool does not take the head of the chain."))
        : Optional.empty();
  }

  private Optional<Alarms.Report> unsent() {
    return syslog.obstacle().map(what -> report(RaisedAlarm.Status.YELLOW, "AuditUnsent", what));
  }

  private Alarms.Report report(RaisedAlarm.Status status, String message, String what) {
    return Alarms.Report.of(subject, status, message, Map.of(WHAT, what));
  }
}
