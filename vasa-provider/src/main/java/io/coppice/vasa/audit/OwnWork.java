package io.coppice.vasa.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The account of what the provider changes by itself, by schedule or to mend. Features tell it
/// what they did, and it writes one entry for each kind of work: at once after a rest, and then
/// once in a period, with the counts of all that was done meanwhile. So work of each second does
/// not push out what people did. Safe for any thread.
///
/// What is not written yet is lost if the process is killed. The changes themselves are events, in
/// the transactions that made them.
public final class OwnWork {

  /// Most names of what was done in one entry.
  static final int MOST_NAMES = 16;

  /// Most failures in one entry, each with its name and reason.
  static final int MOST_FAILURES = 32;

  private final Consumer<AuditRecord> entries;
  private final Duration period;
  private final InstantSource clock;
  private final Map<String, Tally> open = new TreeMap<>();
  private final Map<String, Instant> written = new HashMap<>();

  /// @param entries takes a record; returns when it is stable
  /// @param period time between two entries about one kind of work
  public OwnWork(Consumer<AuditRecord> entries, Duration period, InstantSource clock) {
    this.entries = entries;
    this.period = period;
    this.clock = clock;
  }

  /// Counts work that was done; nothing if `count` is 0.
  ///
  /// @param work its kind, as the action of the entry, such as `snapshots.take`
  public synchronized void done(String work, int count) {
    if (count > 0) {
      tally(work).done += count;
    }
  }

  /// Counts one piece of work that was done.
  ///
  /// @param name what it was about
  public synchronized void done(String work, String name) {
    Tally tally = tally(work);
    tally.done++;
    if (tally.names.size() < MOST_NAMES) {
      tally.names.add(name);
    }
  }

  /// Counts one piece of work that failed.
  ///
  /// @param name what it was about
  /// @param reason one sentence
  public synchronized void failed(String work, String name, String reason) {
    Tally tally = tally(work);
    tally.failed++;
    if (tally.failures.size() < MOST_FAILURES) {
      tally.failures.add(name + ": " + reason);
    }
  }

  private Tally tally(String work) {
    return open.computeIfAbsent(work, _ -> new Tally(clock.instant()));
  }

  /// Writes what is due.
  void writeDue() {
    write(false);
  }

  /// Writes everything, at the end of the process.
  public void writeAll() {
    write(true);
  }

  private void write(boolean all) {
    Instant now = clock.instant();
    List<AuditRecord> due = new ArrayList<>();
    synchronized (this) {
      for (String work : List.copyOf(open.keySet())) {
        Tally tally = open.get(work);
        if (tally != null && (all || isDue(written.get(work), now))) {
          due.add(tally.recorded(work, now));
          open.remove(work);
          written.put(work, now);
        }
      }
    }
    due.forEach(entries);
  }

  /// After a clock that was put back, what was written in its future does not count.
  private boolean isDue(@Nullable Instant last, Instant now) {
    return last == null || last.isAfter(now) || !last.plus(period).isAfter(now);
  }

  /// The sum of one kind of work since its last entry.
  private static final class Tally {

    private final Instant since;
    private final List<String> names = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private long done;
    private long failed;

    Tally(Instant since) {
      this.since = since;
    }

    AuditRecord recorded(String work, Instant now) {
      List<Detail> details = new ArrayList<>();
      details.add(Detail.after("since", since.toString()));
      details.add(Detail.after("done", Long.toString(done)));
      details.add(Detail.after("failed", Long.toString(failed)));
      names.forEach(name -> details.add(Detail.after("name", name)));
      failures.forEach(failure -> details.add(Detail.after("failure", failure)));
      if (failed > failures.size()) {
        details.add(Detail.after("failuresLeftOut", Long.toString(failed - failures.size())));
      }
      return new AuditRecord(
          UUID.randomUUID(),
          now,
          Channel.COPPICE,
          Author.COPPICE,
          work,
          null,
          null,
          failed > 0 ? Outcome.FAILED : Outcome.DONE,
          null,
          details);
    }
  }
}
