package io.coppice.engine.family;

import io.coppice.engine.format.table.AccountTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The number of entries that a version holds alone. It is counted as if all versions given up were
/// reclaimed at once. A ghost with one child counts for that child as soon as it has no other. A
/// ghost without children counts for no version, however long its blocks wait for [Reclaimer].
///
/// Two kinds of numbers are kept. *Own entries* are entries of the version's map that were born in
/// it. *Hidden entries* are entries of the parent's map that were replaced in this one, by the
/// account that they belong to. A version without children holds its own entries alone. With one
/// child, it holds alone what that child hides of them. With more children it holds nothing alone:
/// it would stay as a ghost. When a ghost starts to count for its child, the entries of the ghost
/// that the child hides are gone. The ghost's other own entries become the child's, and the child
/// hides what either hid.
///
/// There are never more numbers than replaced entries. The committer changes them under the lock of
/// [Families]; readers hold that lock.
public final class Account {

  private final int id;
  private final List<Account> children = new ArrayList<>();
  private @Nullable Account parent;
  private @Nullable Account heir;
  private boolean given;
  private boolean closed;
  private long own;
  private long counted;

  // What is hidden: entries[i] of above[i], which may have become another account since.
  private Account[] above = {};
  private long[] entries = {};
  private int size;
  private int last;

  Account(int id, @Nullable Account parent) {
    this.id = id;
    this.parent = parent;
    if (parent != null) {
      parent.children.add(this);
    }
  }

  /// The version that it is the account of.
  public int id() {
    return id;
  }

  public @Nullable Account parent() {
    return parent;
  }

  List<Account> children() {
    return children;
  }

  /// Whether no volume is the version any more.
  boolean isGiven() {
    return given;
  }

  /// Own entries, including those in subtrees that were cut out and are not counted yet.
  public long own() {
    return own;
  }

  /// Most of its own entries that may be of blocks with several placements.
  public long counted() {
    return counted;
  }

  /// Whether no version is left for which it could count.
  public boolean isClosed() {
    return closed;
  }

  /// The account that this one counts for by now: itself, or the one it was merged into.
  public Account current() {
    Account at = this;
    while (at.heir != null) {
      at = at.heir;
    }
    if (heir != null) {
      heir = at;
    }
    return at;
  }

  // ---- entries

  void placed(long more, long ofCounted) {
    own += more;
    counted += ofCounted;
  }

  /// Notes that a walk found no block with several placements among the own entries, as they were
  /// when `then` such entries were assumed.
  void foundNoneCounted(long then) {
    counted = Math.max(0, counted - then);
  }

  /// Notes that entries of `account` left the map.
  public void replaced(Account account, long number) {
    if (account == this) {
      own -= number;
    } else {
      hide(account, number);
    }
  }

  private void hide(Account account, long number) {
    if (last >= size || above[last] != account) {
      last = 0;
      while (last < size && above[last] != account) {
        last++;
      }
      if (last == size) {
        if (size == above.length) {
          above = Arrays.copyOf(above, 2 * size + 2);
          entries = Arrays.copyOf(entries, 2 * size + 2);
        }
        above[size++] = account;
      }
    }
    entries[last] += number;
  }

  /// Number of hidden entries of an account above.
  long hides(Account account) {
    long sum = 0;
    for (int i = 0; i < size; i++) {
      if (above[i].current() == account) {
        sum += entries[i];
      }
    }
    return sum;
  }

  /// All that is hidden, one row for each account.
  public List<AccountTable.Hidden> hidden() {
    List<AccountTable.Hidden> rows = new ArrayList<>();
    settleNames();
    for (int i = 0; i < size; i++) {
      rows.add(new AccountTable.Hidden(above[i].id, entries[i]));
    }
    return rows;
  }

  /// The receiver of hidden entries.
  interface Hidden {
    void entries(Account of, long number);
  }

  /// Shows what is hidden; an account may come several times.
  void eachHidden(Hidden told) {
    for (int i = 0; i < size; i++) {
      if (entries[i] != 0) {
        told.entries(above[i].current(), entries[i]);
      }
    }
  }

  /// Number of rows that [#eachHidden] shows at most.
  int hiddenRows() {
    return size;
  }

  // Accounts that have become one are named once.
  private void settleNames() {
    int n = size;
    Account[] oldAbove = above.clone();
    long[] oldEntries = entries.clone();
    size = 0;
    Arrays.fill(entries, 0);
    for (int i = 0; i < n; i++) {
      if (oldEntries[i] != 0) {
        hide(oldAbove[i].current(), oldEntries[i]);
      }
    }
  }

  // ---- the tree

  /// Notes that no volume is this version any more.
  void giveUp() {
    given = true;
    settle();
  }

  private void settle() {
    if (!given) {
      return;
    }
    if (children.isEmpty()) {
      Account above = parent;
      closed = true;
      parent = null;
      if (above != null) {
        above.children.remove(this);
        above.settle();
      }
    } else if (children.size() == 1) {
      children.getFirst().takeOver(this);
    }
  }

  private void takeOver(Account ghost) {
    own += ghost.own - hides(ghost);
    counted += ghost.counted;
    settleNames();
    for (int i = 0; i < size; i++) {
      if (above[i] == ghost) {
        entries[i] = 0;
      }
    }
    for (int i = 0; i < ghost.size; i++) {
      hide(ghost.above[i].current(), ghost.entries[i]);
    }
    Account grandparent = ghost.parent;
    parent = grandparent;
    if (grandparent != null) {
      grandparent.children.remove(ghost);
      grandparent.children.add(this);
    }
    ghost.heir = this;
    ghost.parent = null;
    ghost.children.clear();
    ghost.above = new Account[0];
    ghost.entries = new long[0];
    ghost.size = 0;
    settleNames();
  }

  /// The number of entries of `of` that `in` does not hold; if they are the same, that it holds.
  record Term(Account in, Account of) {

    long value() {
      return in == of ? of.own : in.hides(of);
    }
  }

  /// The terms of the entries that only this version holds; none if it holds nothing alone.
  List<Term> unique() {
    return switch (children.size()) {
      case 0 -> List.of(new Term(this, this));
      case 1 -> List.of(new Term(children.getFirst(), this));
      default -> List.of();
    };
  }

  // ---- what a checkpoint restores

  /// Restores the numbers from the tables of a checkpoint.
  public void restore(long ownEntries, long countedEntries) {
    own = ownEntries;
    counted = countedEntries;
  }

  public void restoreHidden(Account account, long number) {
    hide(account, number);
  }
}
