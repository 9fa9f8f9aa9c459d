package io.coppice.admin.event;

import io.coppice.api.iscsi.IscsiSession;
import io.coppice.api.system.ChangedObject;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ObjectType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The begins and ends of iSCSI sessions since somebody began to look: changes of an initiator's
/// sessions as a whole, at most one a second for each initiator. What comes meanwhile is in the
/// next one. Safe for any thread.
final class SessionChanges {

  /// The type of the changed objects; their ids are names of initiators.
  static final String TYPE = ObjectType.ISCSI_SESSION.text();

  private static final long PAUSE_NANOS = 1_000_000_000L;

  private final Supplier<List<IscsiSession>> sessions;
  private final LongSupplier nanos;

  // Guarded by this.
  private final RecentChanges<ChangedObject> changes = new RecentChanges<>();
  private final Map<String, Told> told = new HashMap<>();

  /// A session over one connection: after a new login it is another one.
  private record Link(String isid, @Nullable String target, String address) {}

  /// The links of an initiator as they were last told, and when.
  private record Told(Set<Link> links, long at) {}

  /// @param nanos a time that only goes on
  SessionChanges(Supplier<List<IscsiSession>> sessions, LongSupplier nanos) {
    this.sessions = sessions;
    this.nanos = nanos;
  }

  /// Forgets what was seen before, and takes the sessions of now as known.
  synchronized void begin() {
    told.clear();
    long before = nanos.getAsLong() - PAUSE_NANOS;
    current().forEach((initiator, links) -> told.put(initiator, new Told(links, before)));
  }

  /// Compares the sessions with those that were told.
  ///
  /// @return whether there is anything to tell
  synchronized boolean look() {
    long before = changes.last();
    long now = nanos.getAsLong();
    Map<String, Set<Link>> current = current();
    Set<String> initiators = new TreeSet<>(current.keySet());
    initiators.addAll(told.keySet());
    for (String initiator : initiators) {
      compare(initiator, current.getOrDefault(initiator, Set.of()), now);
    }
    return changes.last() != before;
  }

  private void compare(String initiator, Set<Link> links, long now) {
    Told last = told.getOrDefault(initiator, new Told(Set.of(), now - PAUSE_NANOS));
    if (now - last.at() < PAUSE_NANOS) {
      return; // a later look tells what it is then
    }
    if (!links.equals(last.links())) {
      ChangeKind kind =
          switch (Integer.signum(links.size() - last.links().size())) {
            case 1 -> ChangeKind.NEW;
            case -1 -> ChangeKind.DELETE;
            default -> ChangeKind.UPDATE;
          };
      changes.add(new ChangedObject(TYPE, initiator, kind.wireName()));
      told.put(initiator, new Told(links, now));
    } else if (links.isEmpty()) {
      told.remove(initiator);
    }
  }

  private Map<String, Set<Link>> current() {
    Map<String, Set<Link>> all = new HashMap<>();
    for (IscsiSession one : sessions.get()) {
      all.computeIfAbsent(one.initiator(), _ -> new HashSet<>())
          .add(new Link(one.isid(), one.target(), one.address()));
    }
    return all;
  }

  /// The number of the last change.
  synchronized long last() {
    return changes.last();
  }

  /// The kept changes after one, in their order.
  synchronized List<ChangedObject> after(long number) {
    return changes.after(number);
  }
}
