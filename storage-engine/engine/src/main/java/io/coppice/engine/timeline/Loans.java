package io.coppice.engine.timeline;

import io.coppice.engine.format.table.JournalRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The slots of a tier that the lists of other tiers reference, in ranges: a slot in one may have
/// been lent to that tier, others have not.
final class Loans {

  private final List<Loan> loans = new ArrayList<>(2);

  private static final class Loan {
    private final int borrower; // number of its hidden volume
    private final long begin;
    private long end;
    private boolean growing; // the next slot that is lent to it belongs here

    Loan(JournalRow.Loan row) {
      borrower = row.borrower();
      begin = row.begin();
      end = row.end();
      growing = row.growing();
    }
  }

  Loans(List<JournalRow.Loan> rows) {
    rows.forEach(row -> loans.add(new Loan(row)));
  }

  List<JournalRow.Loan> rows() {
    return loans.stream()
        .map(loan -> new JournalRow.Loan(loan.borrower, loan.begin, loan.end, loan.growing))
        .toList();
  }

  void add(int borrower, long slot) {
    for (Loan loan : loans) {
      if (loan.growing && loan.borrower == borrower) {
        loan.end = slot + 1;
        return;
      }
    }
    loans.add(new Loan(new JournalRow.Loan(borrower, slot, slot + 1, true)));
  }

  /// Ends all ranges.
  void endRanges() {
    loans.forEach(loan -> loan.growing = false);
  }

  /// Forgets what is not needed any more.
  ///
  /// @param fromSlot the first one that the tier has
  /// @param open the tiers that are not closed: nobody goes back to a point of another one
  void keepOnly(long fromSlot, Journal[] open) {
    loans.removeIf(loan -> loan.end <= fromSlot || find(open, loan.borrower) == null);
  }

  /// Whether a point of another tier from before a moment may need a slot, from one to before
  /// another.
  boolean isNeeded(long fromSlot, long toSlot, long before, Journal[] open) {
    for (Loan loan : loans) {
      if (loan.begin < toSlot && loan.end > fromSlot) {
        Journal borrower = find(open, loan.borrower);
        if (borrower != null && borrower.oldest().moment() < before) {
          return true;
        }
      }
    }
    return false;
  }

  private static @Nullable Journal find(Journal[] open, int number) {
    for (Journal journal : open) {
      if (journal.number() == number) {
        return journal;
      }
    }
    return null;
  }
}
