package io.coppice.vasa.approval;

import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.time.SeenTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// The changes that take two people. One asks, and another one approves or refuses within a day of
/// the time that has passed. Approving and the change itself are one transaction, so a crash leaves
/// both or neither.
@Service
public final class Approvals {

  /// How long a change can be approved.
  public static final Duration OPEN_FOR = Duration.ofHours(24);

  /// Most of them that wait at a time.
  public static final int MOST_OPEN = 100;

  private static final Duration KEPT = Duration.ofDays(365);

  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final List<ApprovedChange> kinds;
  private final ChangeLog changes;
  private final InstantSource clock;
  private final SeenTime time;

  public Approvals(
      JdbcClient jdbc,
      TransactionOperations transactions,
      List<ApprovedChange> kinds,
      ChangeLog changes,
      InstantSource clock,
      SeenTime time) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.kinds = List.copyOf(kinds);
    this.changes = changes;
    this.clock = clock;
    this.time = time;
  }

  private ApprovedChange kind(String action) {
    return kinds.stream()
        .filter(kind -> kind.action().equals(action))
        .findFirst()
        .orElseThrow(
            () ->
                VasaException.invalidArgument(
                        "expected one of %s, got '%s'"
                            .formatted(kinds.stream().map(ApprovedChange::action).toList(), action))
                    .about("action"));
  }

  /// Asks for a change. What nobody approved for a year is forgotten then.
  ///
  /// @throws VasaException (InvalidArgument) if there is no such change, or it cannot be wanted
  ///   now; (ResourceInUse) if [#MOST_OPEN] wait already
  public Approval ask(String action, String value, Approver asking) {
    String wanted = kind(action).checked(value);
    UUID id = UUID.randomUUID();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    transactions.executeWithoutResult(
        _ -> {
          requireRoom();
          jdbc.sql("delete from approval where expires_at < :old")
              .param("old", utc(time.now().minus(KEPT)))
              .update();
          jdbc.sql(
                  """
                  insert into approval
                    (id, action, value, state, asked_by, asked_name, asked_at, expires_at)
                  values (:id, :action, :value, 'OPEN', :by, :name, :at, :expires)
                  """)
              .param("id", id)
              .param("action", action)
              .param("value", wanted)
              .param("by", asking.account())
              .param("name", asking.name())
              .param("at", utc(now))
              .param("expires", utc(time.now().plus(OPEN_FOR)))
              .update();
          note(require(id), ChangeKind.NEW, "ApprovalAsked");
        });
    return require(id);
  }

  private void requireRoom() {
    int open =
        jdbc.sql("select count(*) from approval where state = 'OPEN' and expires_at > :now")
            .param("now", utc(time.now()))
            .query(Integer.class)
            .single();
    if (open >= MOST_OPEN) {
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected fewer than %d changes that wait to be approved".formatted(MOST_OPEN));
    }
  }

  /// Approves a change, and makes it.
  ///
  /// @throws VasaException (NotFound) if it is unknown; (ResourceInUse) if it is not open any more;
  ///   (PermissionDenied) if the same account asked for it; (InvalidArgument) if it cannot be made
  ///   any more
  public Approval approve(UUID id, Approver approving) {
    return ended(id, Approval.State.APPROVED, approving, "ApprovalApproved");
  }

  /// Refuses a change, also one's own.
  ///
  /// @throws VasaException (NotFound) if it is unknown; (ResourceInUse) if it is not open any more
  public Approval refuse(UUID id, Approver refusing) {
    return ended(id, Approval.State.REFUSED, refusing, "ApprovalRefused");
  }

  private Approval ended(UUID id, Approval.State state, Approver by, String message) {
    transactions.executeWithoutResult(
        _ -> {
          Approval open = requireOpen(id);
          if (state == Approval.State.APPROVED) {
            requireOther(open, by);
          }
          jdbc.sql(
                  """
                  update approval
                     set state = :state, ended_by = :by, ended_name = :name, ended_at = :at
                   where id = :id
                  """)
              .param("id", id)
              .param("state", state.name())
              .param("by", by.account())
              .param("name", by.name())
              .param("at", utc(clock.instant().truncatedTo(ChronoUnit.MICROS)))
              .update();
          note(require(id), ChangeKind.UPDATE, message);
          if (state == Approval.State.APPROVED) {
            ApprovedChange kind = kind(open.action());
            kind.make(kind.checked(open.value()));
          }
        });
    return require(id);
  }

  /// Two who approve at once take turns here.
  private Approval requireOpen(UUID id) {
    jdbc.sql("select id from approval where id = :id for update")
        .param("id", id)
        .query(UUID.class)
        .optional();
    Approval found = require(id);
    if (found.state() != Approval.State.OPEN) {
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected a change that waits to be approved, but %s is %s"
              .formatted(id, found.state().name().toLowerCase(Locale.ROOT)));
    }
    return found;
  }

  private static void requireOther(Approval open, Approver by) {
    if (open.asked().account().equals(by.account())) {
      throw new VasaException(
          new Fault.PermissionDenied(),
          "expected another account than that of %s, who asked for the change"
              .formatted(open.asked().name()));
    }
  }

  /// @throws VasaException (NotFound) if it is unknown
  public Approval require(UUID id) {
    return find("where id = :id", Map.of("id", id)).stream()
        .findFirst()
        .orElseThrow(() -> VasaException.notFound("there is no approval " + id));
  }

  /// All of them, the oldest first.
  public List<Approval> list() {
    return find("order by asked_at, id", Map.of());
  }

  private List<Approval> find(String where, Map<String, ?> parameters) {
    Instant now = time.now();
    return jdbc.sql("select * from approval " + where)
        .params(parameters)
        .query((row, _) -> approval(row, now))
        .list();
  }

  private Approval approval(ResultSet row, Instant now) throws SQLException {
    Instant expires = Objects.requireNonNull(instant(row, "expires_at"));
    Approval.State state = Approval.State.valueOf(row.getString("state"));
    UUID ended = row.getObject("ended_by", UUID.class);
    return new Approval(
        row.getObject("id", UUID.class),
        row.getString("action"),
        row.getString("value"),
        state == Approval.State.OPEN && !now.isBefore(expires) ? Approval.State.EXPIRED : state,
        new Approver(row.getObject("asked_by", UUID.class), row.getString("asked_name")),
        Objects.requireNonNull(instant(row, "asked_at")),
        time.onTheClock(expires),
        ended == null ? null : new Approver(ended, row.getString("ended_name")),
        instant(row, "ended_at"));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant)
        .orElse(null);
  }

  private static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  private void note(Approval approval, ChangeKind kind, String message) {
    changes.append(
        NewChange.of(
            ChangeTopic.ACCESS,
            kind,
            new NewChange.Subject(ObjectType.APPROVAL, approval.id().toString(), message),
            Map.of(
                "approval",
                approval.id().toString(),
                "action",
                approval.action(),
                "value",
                approval.value(),
                "asked",
                approval.asked().name(),
                "by",
                approval.ended() == null ? approval.asked().name() : approval.ended().name())));
  }
}
