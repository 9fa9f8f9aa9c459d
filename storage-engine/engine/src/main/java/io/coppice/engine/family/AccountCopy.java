package io.coppice.engine.family;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A copy of an [Account] that a [ReleaseTrial] changes in place of it. Made and changed under the
/// lock of [Families].
final class AccountCopy {

  /// In place of an event: it still counts for a version.
  static final int NEVER = Integer.MAX_VALUE;

  private final Account account;
  private @Nullable Account parent;
  private boolean given;
  private long own;
  private long counted;
  private int ended = NEVER;
  private @Nullable AccountCopy heir;

  // Itself and the accounts that became it.
  private final List<Account> names = new ArrayList<>();

  // Of the children, what differs from the account.
  private int children;
  private final Set<Account> gone = new HashSet<>();
  private final List<Account> added = new ArrayList<>();

  // Absent until it is needed.
  private @Nullable Map<Account, Long> hidden;

  AccountCopy(Account account) {
    this.account = account;
    parent = account.parent();
    given = account.isGiven();
    own = account.own();
    counted = account.counted();
    children = account.children().size();
    names.add(account);
  }

  Account account() {
    return account;
  }

  @Nullable Account parent() {
    return parent;
  }

  boolean isGiven() {
    return given;
  }

  void give() {
    given = true;
  }

  long own() {
    return own;
  }

  /// Most of its own entries that may be of blocks with several placements.
  long counted() {
    return counted;
  }

  int children() {
    return children;
  }

  /// The event at which it became another account, or closed; [#NEVER] if it did neither.
  int ended() {
    return ended;
  }

  /// The copy that it became part of; absent if it closed or still counts.
  @Nullable AccountCopy heir() {
    return heir;
  }

  /// Whether no other account became it.
  boolean isSingle() {
    return names.size() == 1;
  }

  /// The child that is left, of one.
  Account onlyChild() {
    for (Account child : added) {
      if (!gone.contains(child)) {
        return child;
      }
    }
    for (Account child : account.children()) {
      if (!gone.contains(child)) {
        return child;
      }
    }
    throw new IllegalStateException("expected one child, found none");
  }

  void childCloses(Account child) {
    gone.add(child);
    children--;
  }

  private void childIsTakenOver(Account child, Account by) {
    gone.add(child);
    added.add(by);
  }

  void close(int event) {
    ended = event;
  }

  /// Takes over its parent, a ghost with no other child.
  ///
  /// @param above the copy of the ghost's parent, if it has one
  /// @return entries of the ghost that this hides, which nobody sees any more
  long takeOver(AccountCopy ghost, @Nullable AccountCopy above, int event) {
    long released = 0;
    for (Account name : ghost.names) {
      Long number = hidden().remove(name);
      released += number == null ? 0 : number;
    }
    ghost.hidden().forEach((of, number) -> hidden().merge(of, number, Long::sum));
    own += ghost.own - released;
    counted += ghost.counted;
    names.addAll(ghost.names);
    parent = ghost.parent;
    if (above != null) {
      above.childIsTakenOver(ghost.account, account);
    }
    ghost.ended = event;
    ghost.heir = this;
    return released;
  }

  private Map<Account, Long> hidden() {
    Map<Account, Long> known = hidden;
    if (known == null) {
      Map<Account, Long> rows = new HashMap<>();
      account.eachHidden((of, number) -> rows.merge(of, number, Long::sum));
      hidden = rows;
      return rows;
    }
    return known;
  }
}
