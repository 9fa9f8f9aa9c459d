package io.coppice.engine.family;

import io.coppice.engine.map.Inner;
import io.coppice.engine.map.Node;
import io.coppice.engine.map.Ownership;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The family trees of versions, and the owners of the data that deleted versions left behind.
///
/// A deleted version becomes a ghost. A ghost without children is *freed*: all that it owns is
/// released. A ghost with one child is *merged* into it: data that the child does not see is
/// released, and the rest belongs to the child from then on, by an alias of the ids. A ghost with
/// more children waits. [Reclaimer] does the work in slices.
///
/// The data that each version holds alone is counted in its [Account].
///
/// Changed by the committer: structure, accounts and pending frees under this object's lock, which
/// is held for a whole record. Only the committer calls [#ownerNow].
public final class Families implements Ownership {

  /// A subtree whose blocks and nodes owned by `owner` are to be released, from block `cursor` on.
  ///
  /// @param version the ghost whose whole map this is; absent if its owner lives
  public record Free(
      int owner, Node node, long first, int level, long cursor, @Nullable Version version) {

    Free at(long block) {
      return new Free(owner, node, first, level, block, version);
    }
  }

  /// The merge under way. Before block `cursor`, `from` already counts as `to`.
  public record Merge(Version from, Version to, long cursor) {

    Merge at(long block) {
      return new Merge(from, to, block);
    }
  }

  private final Map<Integer, Version> versions = new HashMap<>();
  private final ArrayDeque<Free> frees = new ArrayDeque<>();
  private final ArrayDeque<Version> mergeable = new ArrayDeque<>();
  private @Nullable Merge merge;
  private volatile IntMap aliases = IntMap.EMPTY;
  private int nextId = 1;
  private boolean stuck;
  private int accountChanges; // guarded by this

  // Of which account entries were that were last asked about. Guarded by this.
  private int lastBorn;
  private @Nullable Account lastAccount;

  /// A version without parent and content.
  public synchronized Version create() {
    return add(null, null);
  }

  /// A version that begins with its parent's content.
  public synchronized Version childOf(Version parent) {
    return add(parent, parent.root());
  }

  private Version add(@Nullable Version parent, @Nullable Inner root) {
    Account above = parent == null ? null : parent.account;
    Version version = new Version(nextId++, parent, root, above);
    versions.put(version.id(), version);
    if (parent != null) {
      parent.children.add(version);
    }
    return version;
  }

  /// Whether a clone of this head may as well be a child of its parent: nothing was written since,
  /// and the parent belongs to a volume or snapshot.
  public boolean isUnchangedChild(Version head) {
    Version parent = head.parent;
    return parent != null && !parent.isGhost() && Node.same(parent.root(), head.root());
  }

  /// Notes that no volume is this version any more.
  public synchronized void abandon(Version version) {
    version.setGhost();
    version.meter(null);
    version.account.giveUp();
    accountChanges++;
    settle(version);
  }

  private void settle(Version version) {
    if (!version.isGhost() || (merge != null && merge.from == version)) {
      return;
    }
    if (version.children.isEmpty()) {
      Version parent = version.parent;
      if (parent != null) {
        parent.children.remove(version);
        version.parent = null;
      }
      free(version, 0);
      if (parent != null) {
        settle(parent);
      }
    } else if (version.children.size() == 1) {
      mergeable.add(version);
    }
  }

  private void free(Version version, long cursor) {
    Inner root = version.root();
    if (root == null) {
      forget(version);
    } else {
      frees.add(new Free(version.id(), root, 0, root.level(), cursor, version));
    }
  }

  /// Takes a subtree that left the map of `owner`, which lives on. Entries of it that are hidden
  /// from now on are counted when it is freed.
  public synchronized void detached(int owner, Node node, long first, int level) {
    frees.add(new Free(owner, node, first, level, first, null));
  }

  @Nullable Free nextFree() {
    return frees.peek();
  }

  synchronized void freeProgress(Free to) {
    frees.remove();
    frees.addFirst(to);
  }

  synchronized void freeDone() {
    Free done = frees.remove();
    if (done.version != null) {
      forget(done.version);
    }
  }

  /// Forgets a version that is gone, and the ids that had become it. A merge into it ends here: the
  /// data that the other version still owns is freed from the cursor on.
  private void forget(Version version) {
    Merge running = merge;
    if (running != null && running.to == version) {
      merge = null;
      running.from.children.clear();
      Version parent = running.from.parent;
      if (parent != null) {
        parent.children.remove(running.from);
        running.from.parent = null;
      }
      free(running.from, running.cursor);
      if (parent != null) {
        settle(parent);
      }
    }
    versions.remove(version.id());
    dropAliasesTo(version.id());
  }

  /// The merge to work on, a new one if none is under way; absent if there is no work.
  synchronized @Nullable Merge currentMerge() {
    while (merge == null && !mergeable.isEmpty()) {
      Version from = mergeable.remove();
      if (versions.get(from.id()) == from && from.children.size() == 1) {
        merge = new Merge(from, from.children.getFirst(), 0);
      }
    }
    return merge;
  }

  void mergeProgress(Merge to) {
    merge = to;
  }

  /// Ends a merge: all of `from` is released or the child's. From now on its id means the child.
  synchronized void mergeDone(Merge done) {
    merge = null;
    Version from = done.from;
    Version to = done.to;
    to.parent = from.parent;
    if (from.parent != null) {
      from.parent.children.remove(from);
      from.parent.children.add(to);
    }
    versions.remove(from.id());
    aliases = aliases.replacing(from.id(), to.id()).with(from.id(), to.id());
    to.addOwned(from.owned());
    to.addShared(from.shared());
  }

  private void dropAliasesTo(int id) {
    if (aliases.size() == 0) {
      return;
    }
    int[] pairs = aliases.pairs();
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      if (resolve(pairs[i]) != id) {
        kept.add(pairs[i]);
        kept.add(pairs[i + 1]);
      }
    }
    aliases = IntMap.of(kept.stream().mapToInt(Integer::intValue).toArray());
  }

  /// The version that `id` has become by completed merges.
  int resolve(int id) {
    IntMap map = aliases;
    int now = id;
    for (int next = map.get(now); next != 0; next = map.get(now)) {
      now = next;
    }
    return now;
  }

  @Override
  public int ownerNow(int version, long end) {
    int now = resolve(version);
    Merge running = merge;
    return running != null && now == running.from.id() && end <= running.cursor
        ? running.to.id()
        : now;
  }

  // ---- accounts

  /// The account of entries born in `born`; absent if it counts for no version any more.
  public @Nullable Account accountOf(int born) {
    Account account = lastBorn == born ? lastAccount : null;
    if (account == null) {
      Version version = holderOf(born);
      if (version == null) {
        return null;
      }
      account = version.account;
      lastBorn = born;
      lastAccount = account;
    }
    Account now = account.current();
    return now.isClosed() ? null : now;
  }

  /// Adds `more` own entries to a head, `ofCounted` of them of blocks with several placements.
  public void placed(Version head, long more, long ofCounted) {
    head.account.placed(more, ofCounted);
  }

  /// Notes that the block of an entry born in `born` is to have a second placement.
  public void placedAgain(int born) {
    Account account = accountOf(born);
    if (account != null) {
      account.placed(0, 1);
    }
  }

  /// Notes that an entry born in `born` left the map of `head`.
  public void replaced(Version head, int born) {
    Account account = born == head.id() ? head.account : accountOf(born);
    if (account != null) {
      head.account.replaced(account, 1);
    }
  }

  /// A number that changes whenever entries come to be of another account.
  int accountChanges() {
    return accountChanges;
  }

  /// The version that the placements born in `id` count for; absent if it is gone.
  public @Nullable Version holderOf(int id) {
    return versions.get(resolve(id));
  }

  public @Nullable Version find(int id) {
    return versions.get(id);
  }

  /// Whether nothing of the map of a version has been released, or is about to be.
  synchronized boolean isWhole(Version version) {
    Merge running = merge;
    return stuck
        || versions.get(version.id()) == version
            && (running == null || running.from != version)
            && !(version.isGhost() && version.children.isEmpty());
  }

  /// Whether anything waits to be reclaimed.
  public boolean isReclaimPending() {
    return !stuck && (!frees.isEmpty() || merge != null || !mergeable.isEmpty());
  }

  /// Notes that the next data to be reclaimed cannot be read: reclaiming stops until the next open.
  void stuck() {
    stuck = true;
  }

  boolean isStuck() {
    return stuck;
  }

  // ---- what a checkpoint stores and restores

  public Collection<Version> versions() {
    return versions.values();
  }

  public List<Free> frees() {
    return List.copyOf(frees);
  }

  /// The same, under this object's lock.
  Iterable<Free> waitingFrees() {
    return frees;
  }

  public @Nullable Merge merge() {
    return merge;
  }

  public int[] aliasPairs() {
    return aliases.pairs();
  }

  public int nextId() {
    return nextId;
  }

  /// Restores a version; its parent, if any, must be there already.
  public Version restore(int id, @Nullable Version parent, @Nullable Inner root, boolean ghost) {
    Version version = new Version(id, parent, root, parent == null ? null : parent.account);
    versions.put(id, version);
    if (parent != null) {
      parent.children.add(version);
    }
    if (ghost) {
      version.setGhost();
    }
    return version;
  }

  /// Restores the rest, and finds the data to be reclaimed.
  public void restore(int[] aliasPairs, List<Free> waiting, @Nullable Merge running, int next) {
    versions.values().stream().filter(Version::isGhost).forEach(v -> v.account.giveUp());
    aliases = IntMap.of(aliasPairs);
    frees.addAll(waiting);
    merge = running;
    nextId = next;
    for (Version version : versions.values()) {
      if (version.isGhost()
          && version.children.size() == 1
          && (running == null || running.from != version)) {
        mergeable.add(version);
      }
    }
  }
}
