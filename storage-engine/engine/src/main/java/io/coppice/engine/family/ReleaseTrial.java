package io.coppice.engine.family;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A trial of giving up versions one after another, on copies of their accounts. It tells what each
/// step releases. What is left in the end does not depend on the order.
///
/// It follows the rules of [Account]. It copies the accounts of the versions, of their parents and
/// of the children that become heirs, and of no others. All methods are called under the lock of
/// [Families].
final class ReleaseTrial {

  private final Families families;
  private final Map<Account, AccountCopy> copies = new HashMap<>();
  private final List<Release> releases = new ArrayList<>(); // by event
  private long work;

  ReleaseTrial(Families families) {
    this.families = families;
  }

  /// What is released, by event.
  List<Release> releases() {
    return releases;
  }

  /// A number that grows with the accounts and rows that it has looked at.
  long work() {
    return work;
  }

  boolean knows(Account account) {
    return copies.containsKey(account);
  }

  /// Gives up the version of a volume.
  void giveUp(Version version, int step) {
    AccountCopy at = copyOf(version.account);
    at.give();
    while (at.isGiven() && at.children() == 0) {
      release(step, at, at, at.own());
      at.close(releases.size() - 1);
      Account parent = at.parent();
      if (parent == null) {
        return;
      }
      AccountCopy above = copyOf(parent);
      above.childCloses(at.account());
      at = above;
    }
    if (at.isGiven() && at.children() == 1) {
      takeOver(copyOf(at.onlyChild()), at, step);
    }
  }

  private void takeOver(AccountCopy child, AccountCopy ghost, int step) {
    Account grandparent = ghost.parent();
    AccountCopy above = grandparent == null ? null : copyOf(grandparent);
    long released = child.takeOver(ghost, above, releases.size());
    work += ghost.account().hiddenRows() + child.account().hiddenRows();
    release(step, ghost, child, released);
  }

  private void release(int step, AccountCopy owner, AccountCopy hiding, long entries) {
    releases.add(
        new Release(
            this, step, releases.size(), owner, versionOf(owner), versionOf(hiding), entries));
  }

  private AccountCopy copyOf(Account account) {
    work++;
    return copies.computeIfAbsent(account, AccountCopy::new);
  }

  private Version versionOf(AccountCopy copy) {
    Version version = families.find(copy.account().id());
    if (version == null) {
      throw new IllegalStateException("an account without its version");
    }
    return version;
  }

  /// Whether the entries that are born in a version are of those that a release looks at.
  boolean isOf(Release release, int born) {
    Account account = families.accountOf(born);
    AccountCopy at = account == null ? null : copies.get(account);
    while (at != null && at != release.owner() && at.ended() < release.event()) {
      at = at.heir();
    }
    return at == release.owner();
  }

  /// Corrects the releases by an entry that has left the map of `from` and is not counted yet: it
  /// is no own entry of `from` any more, or `from` hides one more entry of `of`.
  void leaves(@Nullable Account from, @Nullable Account of) {
    AccountCopy left = from == null ? null : copies.get(from);
    AccountCopy owner = of == null ? null : copies.get(of);
    if (left == null || owner == null) {
      return;
    }
    if (left != owner) {
      int joined = joined(left, owner);
      if (joined == AccountCopy.NEVER) {
        return;
      }
      releases.get(joined).correct(1);
    }
    int closed = closed(left);
    if (closed != AccountCopy.NEVER) {
      releases.get(closed).correct(-1);
    }
  }

  /// The event by which two accounts become one.
  private static int joined(AccountCopy one, AccountCopy other) {
    AccountCopy x = one;
    AccountCopy y = other;
    int last = AccountCopy.NEVER;
    while (x != y) {
      AccountCopy earlier = x.ended() <= y.ended() ? x : y;
      AccountCopy heir = earlier.heir();
      if (heir == null) {
        return AccountCopy.NEVER;
      }
      last = earlier.ended();
      x = earlier == x ? heir : x;
      y = earlier == y ? heir : y;
    }
    return last;
  }

  /// The event by which the account that this one becomes in the end is closed.
  private static int closed(AccountCopy copy) {
    AccountCopy at = copy;
    for (AccountCopy heir = at.heir(); heir != null; heir = at.heir()) {
      at = heir;
    }
    return at.ended();
  }
}
