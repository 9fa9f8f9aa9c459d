package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.SnapshotLocks;
import io.coppice.vasa.approval.ApprovedChange;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.time.TimeText;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// The limit to the length of a lock: 30 days at first. Lowering it counts at once, for locks that
/// are set from then on. Raising it takes two people. A database that was made anew has 30 days.
@Component
public final class LockLimit implements ApprovedChange {

  private static final Duration SHORTEST = Duration.ofMinutes(1);

  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final ChangeLog changes;

  public LockLimit(JdbcClient jdbc, TransactionOperations transactions, ChangeLog changes) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.changes = changes;
  }

  /// The longest time from now for which a snapshot may be locked.
  public Duration longest() {
    return Duration.ofSeconds(
        jdbc.sql("select longest_s from lock_limit").query(Long.class).single());
  }

  /// Lowers the limit.
  ///
  /// @throws VasaException (InvalidArgument) if it is higher than now, or below a minute
  public void lower(Duration wanted) {
    if (wanted.compareTo(SHORTEST) < 0 || wanted.getNano() != 0) {
      throw VasaException.invalidArgument(
              "expected a limit of %s or more in whole seconds, got %s"
                  .formatted(TimeText.iso(SHORTEST), TimeText.iso(wanted)))
          .about("maxLock");
    }
    transactions.executeWithoutResult(
        _ -> {
          Duration now = longest();
          if (wanted.compareTo(now) > 0) {
            throw VasaException.invalidArgument(
                    "expected a limit of at most %s, as it is now, got %s: raising it takes two accounts (POST /approvals)"
                        .formatted(TimeText.iso(now), TimeText.iso(wanted)))
                .about("maxLock");
          }
          if (!wanted.equals(now)) {
            set(wanted);
          }
        });
  }

  private void set(Duration wanted) {
    jdbc.sql("update lock_limit set longest_s = :s").param("s", wanted.toSeconds()).update();
    changes.append(
        NewChange.of(
            ChangeTopic.CONFIG,
            ChangeKind.UPDATE,
            new NewChange.Subject(ObjectType.LOCK_LIMIT, "max-lock", "LockLimitUpdate"),
            Map.of("limit", TimeText.iso(wanted))));
  }

  @Override
  public String action() {
    return "raise-max-lock";
  }

  @Override
  public String checked(String value) {
    Duration wanted = parsed(value);
    Duration now = longest();
    if (wanted.compareTo(now) <= 0
        || wanted.compareTo(SnapshotLocks.LONGEST) > 0
        || wanted.getNano() != 0) {
      throw VasaException.invalidArgument(
              "expected a limit above %s, as it is now, and up to %d days in whole seconds, got '%s'"
                  .formatted(TimeText.iso(now), SnapshotLocks.LONGEST.toDays(), value))
          .about("value");
    }
    return TimeText.iso(wanted);
  }

  private static Duration parsed(String value) {
    try {
      return Duration.parse(value);
    } catch (DateTimeException e) {
      throw new VasaException(
              VasaException.invalidArgument("").fault(),
              "expected a length of time such as P60D, got '%s'".formatted(value),
              e)
          .about("value");
    }
  }

  @Override
  public void make(String value) {
    set(parsed(value));
  }
}
