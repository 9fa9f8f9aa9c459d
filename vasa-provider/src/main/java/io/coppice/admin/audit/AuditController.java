package io.coppice.admin.audit;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.audit.AuditVerification;
import io.coppice.api.audit.AuditedCall;
import io.coppice.vasa.audit.AuditEntry;
import io.coppice.vasa.audit.AuditFilter;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.audit.ChainHead;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.FieldChange;
import io.coppice.vasa.audit.Outcome;
import io.coppice.vasa.audit.Verdict;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The entries of the audit trail, and the proof that they are whole. For administrators alone: an
/// entry tells what others do.
@RestController
final class AuditController {

  private static final Orders<AuditEntry> ORDERS =
      Orders.<AuditEntry>ofNumbers("-seq", AuditEntry::seq)
          .number("seq", AuditEntry::seq)
          .time("at", entry -> entry.recorded().at());

  /// What the database can compare.
  private static final Instant FIRST = Instant.EPOCH;

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private final AuditTrail trail;

  AuditController(AuditTrail trail) {
    this.trail = trail;
  }

  /// @param actor account, id of the token, or channel
  /// @param since earliest time
  /// @param until first time that is too late
  record AuditChoice(
      @Nullable String actor,
      @Nullable String action,
      @Nullable String outcome,
      @Nullable String object,
      @Nullable Instant since,
      @Nullable Instant until) {

    AuditFilter filter() {
      return new AuditFilter(
          actor,
          action,
          outcome == null ? null : parsed(outcome),
          object,
          checked("since", since),
          checked("until", until));
    }

    private static Outcome parsed(String outcome) {
      return Outcome.parse(outcome)
          .orElseThrow(
              () ->
                  RequestRejectedException.field(
                      "outcome",
                      "expected one of %s, got '%s'".formatted(Outcome.texts(), outcome)));
    }

    private static @Nullable Instant checked(String name, @Nullable Instant time) {
      if (time != null && (time.isBefore(FIRST) || time.isAfter(LAST))) {
        throw RequestRejectedException.field(
            name, "expected a time from %s to %s, got %s".formatted(FIRST, LAST, time));
      }
      return time;
    }
  }

  @GetMapping("/audit")
  @RequiredRole(Role.ADMIN)
  Page<AuditedCall> list(
      @ParameterObject @SortedBy({"-seq", "at"}) ListQuery query,
      @ParameterObject AuditChoice choice) {
    AuditFilter filter = choice.filter();
    return query.page(
        new ListQuery.Rows<>(
            (order, limit) -> trail.rows().page(filter, order, limit),
            () -> trail.rows().count(filter),
            ORDERS),
        part -> part.stream().map(AuditViews::of).toList());
  }

  @GetMapping("/audit/{seq}")
  @RequiredRole(Role.ADMIN)
  AuditedCall get(@PathVariable long seq) {
    return trail
        .rows()
        .find(seq)
        .map(AuditViews::of)
        .orElseThrow(() -> RequestRejectedException.notFound("audit entry", seq));
  }

  @GetMapping("/audit/verification")
  @RequiredRole(Role.ADMIN)
  AuditVerification verify() {
    Verdict found = trail.verify();
    ChainHead head = found.head();
    return new AuditVerification(
        found.isIntact(),
        found.sentence(),
        found.at(),
        found.entries(),
        found.first(),
        found.last(),
        found.removed(),
        found.firstBad(),
        head == null ? null : head.seq(),
        head == null ? null : head.hash().hex(),
        trail.entries().missed(),
        trail.entries().spooled());
  }

  /// The form of entries in JSON.
  private static final class AuditViews {

    private AuditViews() {}

    static AuditedCall of(AuditEntry entry) {
      var recorded = entry.recorded();
      var author = recorded.author();
      return new AuditedCall(
          entry.seq(),
          recorded.at(),
          recorded.channel().text(),
          new AuditedCall.AuditActor(
              author.account(), author.token(), author.certificate(), author.address()),
          recorded.action(),
          recorded.object(),
          recorded.outcome().text(),
          recorded.code(),
          recorded.trace(),
          values(entry, Detail.Part.ASKED),
          FieldChange.in(recorded).stream()
              .map(one -> new AuditedCall.AuditChange(one.field(), one.before(), one.after()))
              .toList(),
          values(entry, Detail.Part.BEFORE),
          values(entry, Detail.Part.AFTER),
          entry.previous().hex(),
          entry.hash().hex());
    }

    private static List<AuditedCall.AuditValue> values(AuditEntry entry, Detail.Part part) {
      return entry.recorded().details().stream()
          .filter(detail -> detail.part() == part && !FieldChange.isPart(entry.recorded(), detail))
          .map(detail -> new AuditedCall.AuditValue(detail.name(), detail.value()))
          .toList();
    }
  }
}
