package io.coppice.admin.openid;

import io.coppice.admin.problem.TraceId;
import io.coppice.vasa.audit.AuditLog;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.Author;
import io.coppice.vasa.audit.Channel;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.Outcome;
import io.coppice.vasa.session.LogThrottle;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The entries of the audit trail about ends of logins. Refused ones are recorded once a minute for
/// each address, with a count, as those of other strangers are.
@Component
final class LoginAudit {

  private static final String ACTION = "GET " + OpenIdController.CALLBACK;
  private static final String NOBODY = "nobody";

  private final AuditLog entries;
  private final InstantSource clock;
  private final LogThrottle refused;

  LoginAudit(AuditLog entries, InstantSource clock) {
    this.entries = entries;
    this.clock = clock;
    this.refused = new LogThrottle(Duration.ofMinutes(1), clock);
  }

  /// Records that a session is open.
  void opened(HttpServletRequest request, String name) {
    append(request, name, Outcome.DONE, null, List.of());
  }

  /// Records that no session was opened.
  ///
  /// @param code of the problem
  void refused(HttpServletRequest request, Outcome outcome, String code) {
    long times = refused.count(request.getRemoteAddr());
    if (times > 0) {
      append(request, NOBODY, outcome, code, List.of(Detail.asked("times", Long.toString(times))));
    }
  }

  private void append(
      HttpServletRequest request,
      String name,
      Outcome outcome,
      @Nullable String code,
      List<Detail> more) {
    List<Detail> details = new ArrayList<>(more);
    details.add(Detail.asked("loginSource", OpenIdLogin.SOURCE));
    entries.append(
        new AuditRecord(
            UUID.randomUUID(),
            clock.instant(),
            Channel.REST,
            new Author(name, null, null, request.getRemoteAddr()),
            ACTION,
            null,
            TraceId.of(request),
            outcome,
            code,
            details));
  }
}
