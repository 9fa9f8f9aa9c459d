package io.coppice.vasa.task;

import io.coppice.vasa.audit.AuditLog;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.AuditRows;
import io.coppice.vasa.audit.Author;
import io.coppice.vasa.audit.Channel;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/// The ends of tasks that outlived the calls that began them, as entries of the audit trail: what
/// became of the task, who began it, and which entry says so.
///
/// The transaction that ends a task leaves its end due in the task's row. A round of housekeeping
/// writes the entry, and then takes the mark away. A crash before the entry leaves the mark, and
/// the next round writes it. A crash between the two leaves both; the id of the record follows from
/// that of the task, so the next round finds the entry and only takes the mark away.
@Service
public final class TaskEnds {

  /// The action of such an entry.
  public static final String ACTION = "job.end";

  private static final int AT_ONCE = 100;

  /// The time in which the entry about the begin is waited for: a call writes it when it answers.
  /// After a crash there is none.
  private static final Duration WAIT = Duration.ofMinutes(1);

  private static final String CANCELLED = "Cancelled";

  private final TaskRepository tasks;
  private final AuditLog entries;
  private final AuditRows rows;
  private final InstantSource clock;

  public TaskEnds(JdbcClient jdbc, AuditLog entries, AuditRows rows, InstantSource clock) {
    this.tasks = new TaskRepository(jdbc);
    this.entries = entries;
    this.rows = rows;
    this.clock = clock;
  }

  /// The begin of a task, as its row remembers it.
  ///
  /// @param account of the one who began it; null for a task from before it was remembered
  /// @param recorded id of the record of the call that began it; null for none
  record Begun(VasaTask task, @Nullable String account, @Nullable UUID recorded) {}

  /// Writes the ends that are due, some at a time.
  ///
  /// @return how many were written
  public int writeDue() {
    int written = 0;
    for (Begun one : tasks.endsDue(AT_ONCE)) {
      written += settled(one) ? 1 : 0;
    }
    return written;
  }

  private boolean settled(Begun one) {
    UUID id = idOf(one.task());
    boolean known = rows.seqOf(id).isPresent();
    if (!known) {
      Optional<Long> first = Optional.ofNullable(one.recorded()).flatMap(rows::seqOf);
      if (first.isEmpty() && one.recorded() != null && isYoung(one.task())) {
        return false;
      }
      entries.append(recorded(id, one, first));
    }
    tasks.endNoted(one.task().id());
    return !known;
  }

  private boolean isYoung(VasaTask task) {
    Instant end = task.finished();
    Instant now = clock.instant();
    return end != null && !end.isAfter(now) && end.plus(WAIT).isAfter(now);
  }

  private static UUID idOf(VasaTask task) {
    return UUID.nameUUIDFromBytes((ACTION + " " + task.id()).getBytes(StandardCharsets.UTF_8));
  }

  private AuditRecord recorded(UUID id, Begun one, Optional<Long> first) {
    VasaTask task = one.task();
    List<Detail> details = new ArrayList<>();
    details.add(Detail.asked("job", task.id()));
    details.add(Detail.asked("begunBy", one.account()));
    details.add(Detail.asked("begunAt", task.started().toString()));
    details.add(Detail.asked("begunEntry", first.map(String::valueOf).orElse(null)));
    details.add(Detail.after("endedAt", String.valueOf(task.finished())));
    if (task.state() instanceof TaskState.Failed failed) {
      details.add(Detail.after("reason", failed.message()));
    }
    return new AuditRecord(
        id,
        clock.instant(),
        Channel.COPPICE,
        Author.COPPICE,
        ACTION,
        task.volume() == null ? task.id() : task.volume().toString(),
        null,
        outcome(task.state()),
        code(task.state()),
        details);
  }

  /// A cancelled task is refused: it was ended by a client, not by a failure.
  private static Outcome outcome(TaskState state) {
    return switch (state) {
      case TaskState.Success _ -> Outcome.DONE;
      case TaskState.Cancelled _ -> Outcome.REFUSED;
      case TaskState.Failed _ -> Outcome.FAILED;
      case TaskState.Queued _, TaskState.Running _ ->
          throw new IllegalStateException("expected a task that has ended, got " + state);
    };
  }

  private static @Nullable String code(TaskState state) {
    return switch (state) {
      case TaskState.Failed failed -> failed.fault().name();
      case TaskState.Cancelled _ -> CANCELLED;
      default -> null;
    };
  }
}
