package io.coppice.vasa.audit;

import io.coppice.vasa.audit.AuditRows.Row;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionOperations;

/// The check of the whole chain: it reads every entry, computes its hash anew, and compares the end
/// with the head in the pool.
///
/// | What was done to the rows | How it is found |
/// |---|---|
/// | one was changed | its hash is another one |
/// | one was removed or added in the middle | a number is missing or twice, or the hashes do not join |
/// | the last ones were removed | the head in the pool is beyond them |
/// | some were added at the end | their hashes need the key |
/// | all were written anew | the hashes need the key; with the key, the head in the pool differs |
/// | the first ones were removed | no entry of the provider says that it removed them |
///
/// Rows beyond the head are right if their hashes are: the provider writes the head after the rows,
/// and may have ended between the two ([AuditChain]).
public final class ChainCheck {

  /// The provider's own records about its trail.
  static final String AGED_OUT = "audit.age-out";

  static final String BROKEN = "audit.broken";

  private static final int AT_ONCE = 1000;

  private final AuditRows rows;
  private final HeadRecord head;
  private final AuditKey key;
  private final TransactionOperations transactions;
  private final InstantSource clock;

  /// @param transactions each reads one state of the database
  public ChainCheck(
      AuditRows rows,
      HeadRecord head,
      AuditKey key,
      TransactionOperations transactions,
      InstantSource clock) {
    this.rows = rows;
    this.head = head;
    this.key = key;
    this.transactions = transactions;
    this.clock = clock;
  }

  /// Checks everything that is kept. Takes some 2 s for 100,000 entries.
  public Verdict check() {
    Optional<ChainHead> known = head.find(); // first: rows come before their head
    return Objects.requireNonNull(
        transactions.execute(
            _ -> {
              Walk walk = new Walk(known.orElse(null));
              List<Row> part = rows.after(0, AT_ONCE);
              while (!part.isEmpty() && walk.goesOn()) {
                part.forEach(walk::see);
                part = rows.after(part.getLast().seq(), AT_ONCE);
              }
              walk.end();
              return walk.verdict();
            }));
  }

  /// The first entry of some that is wrong, before they are removed.
  ///
  /// @param upTo number of the last one
  /// @return a sentence; empty if all are right
  Optional<String> fault(long upTo) {
    Walk walk = new Walk(null);
    List<Row> part = rows.after(0, AT_ONCE);
    while (!part.isEmpty() && walk.goesOn()) {
      part.stream().filter(row -> row.seq() <= upTo).forEach(walk::see);
      part = part.getLast().seq() >= upTo ? List.of() : rows.after(part.getLast().seq(), AT_ONCE);
    }
    return Optional.ofNullable(walk.bad);
  }

  /// One walk along the chain.
  private final class Walk {

    private final @Nullable ChainHead known;

    /// Ends of what was removed, by the number of the last entry of each.
    private final Map<Long, String> removals = new HashMap<>();

    private long entries;
    private long removed;
    private long first;
    private @Nullable ChainHash beforeFirst;
    private @Nullable AuditEntry last;
    private @Nullable AuditEntry atHead;
    private @Nullable String bad;
    private long firstBad;

    Walk(@Nullable ChainHead known) {
      this.known = known;
    }

    boolean goesOn() {
      return bad == null;
    }

    private void broken(long seq, String sentence) {
      if (bad == null) {
        bad = sentence;
        firstBad = seq;
      }
    }

    void see(Row row) {
      AuditEntry entry = row.entry();
      if (!goesOn()) {
        return;
      }
      if (entry == null || row.version() != AuditEncoding.VERSION) {
        broken(row.seq(), "Entry %d cannot be read: it was changed.".formatted(row.seq()));
      } else if (isInPlace(entry) && isGenuine(entry)) {
        note(entry);
      }
    }

    private boolean isInPlace(AuditEntry entry) {
      AuditEntry before = last;
      if (before == null) {
        first = entry.seq();
        beforeFirst = entry.previous();
        return true;
      }
      if (entry.seq() != before.seq() + 1) {
        broken(
            before.seq() + 1,
            "Entries %d to %d are missing.".formatted(before.seq() + 1, entry.seq() - 1));
      } else if (!entry.previous().equals(before.hash())) {
        broken(
            entry.seq(),
            "Entry %d does not follow entry %d: one of them was replaced."
                .formatted(entry.seq(), before.seq()));
      }
      return goesOn();
    }

    private boolean isGenuine(AuditEntry entry) {
      if (!entry.key().equals(key.id())) {
        broken(
            entry.seq(),
            "Entry %d was written with the key %s, but the one here is %s: put the file audit.key back from a backup."
                .formatted(entry.seq(), entry.key(), key.id()));
      } else if (!key.hash(entry.seq(), entry.previous(), entry.recorded()).equals(entry.hash())) {
        broken(
            entry.seq(),
            "Entry %d has another hash than its content: it was changed or added."
                .formatted(entry.seq()));
      }
      return goesOn();
    }

    private void note(AuditEntry entry) {
      entries++;
      last = entry;
      if (known != null && entry.seq() == known.seq()) {
        atHead = entry;
      }
      AuditRecord recorded = entry.recorded();
      if (recorded.isOwn(AGED_OUT)) {
        removals.put(number(recorded, "last"), recorded.value("hash").orElse(""));
        removed = Math.max(removed, number(recorded, "last"));
        recorded.value("fault").ifPresent(fault -> broken(number(recorded, "first"), fault));
      } else if (recorded.isOwn(BROKEN)) {
        broken(
            number(recorded, "first"),
            "The provider found the chain broken at %s: %s"
                .formatted(recorded.at(), recorded.value("sentence").orElse("")));
      }
    }

    private static long number(AuditRecord recorded, String name) {
      return recorded.value(name).map(Long::parseLong).orElse(0L);
    }

    void end() {
      if (goesOn()) {
        checkBeginning();
      }
      if (goesOn()) {
        checkEnd();
      }
    }

    private void checkBeginning() {
      ChainHash before = beforeFirst;
      if (before == null) {
        return;
      }
      boolean begins = first == 1 && before.equals(ChainHash.NONE);
      boolean continues = before.hex().equals(removals.get(first - 1));
      if (!begins && !continues) {
        long from = 1 + removals.keySet().stream().filter(end -> end < first).reduce(0L, Math::max);
        broken(
            from,
            "Entries %d to %d are missing, and no entry says that they were removed for their age."
                .formatted(from, Math.max(from, first - 1)));
      }
    }

    private void checkEnd() {
      ChainHead pool = known;
      long end = last == null ? 0 : last.seq();
      if (pool == null) {
        if (end > 0) {
          broken(1, "The pool has no head of the chain, but there are entries.");
        }
      } else if (end < pool.seq()) {
        broken(
            end + 1,
            "Entries %d to %d are missing: the pool's head is %d."
                .formatted(end + 1, pool.seq(), pool.seq()));
      } else if (pool.seq() > 0 && (atHead == null || !atHead.hash().equals(pool.hash()))) {
        broken(
            pool.seq(),
            "Entry %d is another one than the pool's head: the chain was written anew."
                .formatted(pool.seq()));
      }
    }

    Verdict verdict() {
      long end = last == null ? 0 : last.seq();
      String wrong = bad;
      return new Verdict(
          clock.instant(),
          wrong == null ? whole(end) : wrong,
          entries,
          first,
          end,
          removed,
          wrong == null ? null : firstBad,
          known);
    }

    private String whole(long end) {
      return entries == 0
          ? "The chain is whole: there are no entries yet."
          : "The chain is whole: entries %d to %d, the head in the pool is %d."
              .formatted(first, end, known == null ? 0 : known.seq());
    }
  }
}
