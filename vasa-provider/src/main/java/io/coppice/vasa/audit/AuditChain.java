package io.coppice.vasa.audit;

import io.coppice.engine.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionOperations;

/// The chain in the database, with its head in the pool. One process writes it. Safe for any
/// thread.
///
/// **The crash argument.** Rows are committed first, then the head is written into the pool, and
/// only then the callers get their answers.
///
/// - If the process ends before the commit, nothing happened, and nobody was told otherwise.
/// - If it ends between the two, the database is ahead of the pool. The rows beyond the head join
///   it and have valid hashes, which need the key, so the check accepts them, and the next start
///   moves the head. Someone who removes such rows is not found; no caller had an answer yet.
/// - A database that is behind the head, or has another entry there, was changed by somebody or
///   came from a backup. That is never a crash of ours. The chain goes on beyond the head then, so
///   that the gap stays, and begins with an entry that says so.
///
/// Removal for age is one transaction with the entry that says what was removed, so the first row
/// that is kept always has that entry behind it, or is the first one of all.
final class AuditChain {

  /// Most entries that are removed by one transaction.
  static final int REMOVED_AT_ONCE = 10_000;

  private static final Logger log = LoggerFactory.getLogger(AuditChain.class);

  /// Entries are removed a day after their time, so that not each one costs another one.
  private static final Duration GRACE = Duration.ofDays(1);

  private static final int SHARE_REMOVED = 10;

  private final AuditRows rows;
  private final HeadRecord head;
  private final AuditKey key;
  private final ChainCheck check;
  private final TransactionOperations transactions;
  private final InstantSource clock;

  /// The end, while it is known: null at first, and after each failure of the database.
  private @Nullable ChainHead tail;

  private volatile boolean headMissed;

  AuditChain(
      AuditRows rows,
      HeadRecord head,
      AuditKey key,
      ChainCheck check,
      TransactionOperations transactions,
      InstantSource clock) {
    this.rows = rows;
    this.head = head;
    this.key = key;
    this.check = check;
    this.transactions = transactions;
    this.clock = clock;
  }

  /// Whether the pool's head is behind because the pool does not take it.
  boolean isHeadMissed() {
    return headMissed;
  }

  /// Appends new records. Rows are durable on return.
  ///
  /// @param records at most [AuditRows#AT_ONCE] less one
  /// @throws org.springframework.dao.DataAccessException if the database fails; then all of them or
  ///   none may be there, and [#repeat] adds what is not
  void append(List<AuditRecord> records) {
    append(records, Set.of());
  }

  /// As [#append(List)], for records of which some may be in the chain already.
  synchronized void repeat(List<AuditRecord> records) {
    append(records, rows.known(records.stream().map(AuditRecord::id).collect(Collectors.toSet())));
  }

  private synchronized void append(List<AuditRecord> records, Set<UUID> known) {
    try {
      ChainHead from = tail;
      List<AuditRecord> news = new ArrayList<>();
      if (from == null) {
        from = resumed(news);
      }
      records.stream().filter(one -> !known.contains(one.id())).forEach(news::add);
      List<AuditEntry> entries = sealed(from, news);
      if (!entries.isEmpty()) {
        transactions.executeWithoutResult(_ -> rows.insert(entries));
      }
      moveTo(entries.isEmpty() ? from : ChainHead.of(entries.getLast()));
    } catch (RuntimeException | Error e) {
      tail = null;
      throw e;
    }
  }

  private List<AuditEntry> sealed(ChainHead from, List<AuditRecord> records) {
    List<AuditEntry> entries = new ArrayList<>();
    ChainHead at = from;
    for (AuditRecord recorded : records) {
      AuditEntry entry = key.seal(at, recorded);
      entries.add(entry);
      at = ChainHead.of(entry);
    }
    return entries;
  }

  /// The rows stay right without the head, so a pool that has stopped is no reason to lose them.
  private void moveTo(ChainHead end) {
    tail = end;
    try {
      if (!head.find().filter(end::equals).isPresent()) {
        head.put(end);
      }
      headMissed = false;
    } catch (StorageException e) {
      if (!headMissed) {
        log.atWarn().setCause(e).log("the head of the audit trail cannot be written to the pool");
      }
      headMissed = true;
    }
  }

  /// The place from which the chain goes on.
  ///
  /// @param news gets a record of what is wrong, if something is
  private ChainHead resumed(List<AuditRecord> news) {
    Optional<ChainHead> kept = head.find();
    Optional<ChainHead> last = rows.last();
    if (kept.isEmpty() && last.isEmpty()) {
      head.put(ChainHead.EMPTY);
      return ChainHead.EMPTY;
    }
    ChainHead end = last.orElse(ChainHead.EMPTY);
    ChainHead known = kept.orElse(ChainHead.EMPTY);
    if (kept.isEmpty()) {
      return broken(news, end, 1, "the pool has no head of the chain, but there are entries.");
    }
    if (end.seq() < known.seq()) {
      return broken(
          news,
          known,
          end.seq() + 1,
          "entries %d to %d are missing.".formatted(end.seq() + 1, known.seq()));
    }
    if (known.seq() > 0 && !rows.headAt(known.seq()).equals(kept)) {
      return broken(news, end, known.seq(), "entry %d is another one.".formatted(known.seq()));
    }
    return end;
  }

  private ChainHead broken(List<AuditRecord> news, ChainHead from, long first, String sentence) {
    log.atError().addKeyValue("entry", first).log("the audit trail is broken: {}", sentence);
    news.add(
        AuditRecord.own(
            clock.instant(),
            ChainCheck.BROKEN,
            Outcome.FAILED,
            Detail.after("first", Long.toString(first)),
            Detail.after("sentence", sentence)));
    return from;
  }

  /// Removes entries that are too old, or too many, and leaves an entry that says which. At most
  /// [#REMOVED_AT_ONCE] of them; the last entry stays.
  ///
  /// @param youngest time before which an entry is too old
  /// @param most entries that are kept
  /// @return how many were removed
  long age(Instant youngest, int most) {
    AuditRows.Extent extent = rows.extent();
    long upTo = Math.min(wanted(extent, youngest, most), extent.last() - 1);
    upTo = Math.min(upTo, extent.first() + REMOVED_AT_ONCE - 1);
    if (extent.count() == 0 || upTo < extent.first()) {
      return 0;
    }
    Optional<ChainHead> end = rows.headAt(upTo);
    String fault =
        check
            .fault(upTo)
            .or(() -> end.isPresent() ? Optional.empty() : Optional.of("Entry is missing."))
            .orElse(null);
    return remove(extent.first(), end.orElse(new ChainHead(upTo, ChainHash.NONE)), fault);
  }

  private long wanted(AuditRows.Extent extent, Instant youngest, int most) {
    long upTo = 0;
    if (extent.count() > most) {
      upTo = extent.last() - most + most / SHARE_REMOVED;
    }
    boolean due =
        rows.oldest().filter(oldest -> oldest.isBefore(youngest.minus(GRACE))).isPresent();
    return due ? Math.max(upTo, rows.lastBefore(youngest).orElse(extent.last())) : upTo;
  }

  /// One transaction removes the rows and adds the entry that says so.
  private synchronized long remove(long first, ChainHead upTo, @Nullable String fault) {
    append(List.of()); // the end is known then
    ChainHead from = Objects.requireNonNull(tail);
    try {
      AuditEntry[] added = new AuditEntry[1];
      Integer count =
          transactions.execute(
              _ -> {
                int removed = rows.removeUpTo(upTo.seq());
                added[0] = key.seal(from, removal(first, upTo, removed, fault));
                rows.insert(List.of(added[0]));
                return removed;
              });
      moveTo(ChainHead.of(added[0]));
      return count == null ? 0 : count;
    } catch (RuntimeException | Error e) {
      tail = null;
      throw e;
    }
  }

  private AuditRecord removal(long first, ChainHead upTo, int count, @Nullable String fault) {
    List<Detail> details = new ArrayList<>();
    details.add(Detail.after("first", Long.toString(first)));
    details.add(Detail.after("last", Long.toString(upTo.seq())));
    details.add(Detail.after("count", Integer.toString(count)));
    details.add(Detail.after("hash", upTo.hash().hex()));
    if (fault != null) {
      details.add(Detail.after("fault", fault));
    }
    return AuditRecord.own(
        clock.instant(),
        ChainCheck.AGED_OUT,
        fault == null ? Outcome.DONE : Outcome.FAILED,
        details.toArray(Detail[]::new));
  }
}
