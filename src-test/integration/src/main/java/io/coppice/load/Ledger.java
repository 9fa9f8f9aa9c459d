package io.coppice.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The knowledge of the hosts about the provider: what was acknowledged, and what is under way and
/// may have happened or not. Ids are those of the wire, `rfc4122.…`. Safe for several threads.
///
/// Every entry is made unsure before the call that changes it and sure after its answer, so that at
/// any moment the provider has to agree with what is sure.
final class Ledger {

  /// One host's bind of one volume.
  record Bound(String host, String volume) {}

  /// The state of the provider, as its rows or its pool hold it.
  ///
  /// @param ready ids of volumes with their names
  /// @param prepared ids of snapshots that were prepared and not taken, with their parents
  /// @param bindings with the number of binds
  record Seen(
      Map<String, String> ready, Map<String, String> prepared, Map<Bound, Integer> bindings) {}

  private final Map<String, Boolean> volumes = new ConcurrentHashMap<>();
  private final Map<String, Boolean> prepared = new ConcurrentHashMap<>();
  private final Map<Bound, Boolean> bindings = new ConcurrentHashMap<>();
  private final Set<String> making = ConcurrentHashMap.newKeySet();
  private final Set<String> preparing = ConcurrentHashMap.newKeySet();
  private final Set<String> abandoned = ConcurrentHashMap.newKeySet();

  void making(String name) {
    making.add(name);
  }

  void made(String name, String id) {
    volumes.put(id, true);
    making.remove(name);
  }

  void deleting(String id) {
    volumes.put(id, false);
  }

  void deleted(String id) {
    volumes.remove(id);
  }

  void preparing(String parent) {
    preparing.add(parent);
  }

  void prepared(String parent, String snapshot) {
    prepared.put(snapshot, true);
    preparing.remove(parent);
  }

  /// A preparation was not answered: if it happened, nobody knows its id, and it waits for its end.
  void abandon(String parent) {
    abandoned.add(parent);
  }

  void taking(Collection<String> snapshots) {
    snapshots.forEach(id -> prepared.put(id, false));
  }

  void taken(Collection<String> snapshots) {
    snapshots.forEach(id -> volumes.put(id, true));
    snapshots.forEach(prepared::remove);
  }

  void notTaken(Collection<String> snapshots) {
    snapshots.forEach(prepared::remove);
  }

  void changing(Bound bound) {
    bindings.put(bound, false);
  }

  void bound(Bound bound) {
    bindings.put(bound, true);
  }

  void unbound(Bound bound) {
    bindings.remove(bound);
  }

  int volumes() {
    return volumes.size();
  }

  int bindings() {
    return bindings.size();
  }

  /// In what the provider's view differs from what is sure, one sentence each.
  List<String> differences(String whose, Seen seen) {
    List<String> found = new ArrayList<>();
    volumes.forEach(
        (id, sure) -> {
          if (sure && !seen.ready().containsKey(id)) {
            found.add("lost volume: %s is not in the %s".formatted(id, whose));
          }
        });
    seen.ready()
        .forEach(
            (id, name) -> {
              boolean unsure = making.contains(name) || prepared.containsKey(id);
              if (!volumes.containsKey(id) && !unsure) {
                found.add("orphan: %s '%s' is in the %s".formatted(id, name, whose));
              }
            });
    seen.prepared()
        .forEach(
            (id, parent) -> {
              boolean unsure = preparing.contains(parent) || abandoned.contains(parent);
              if (!prepared.containsKey(id) && !unsure) {
                found.add("orphan: prepared snapshot %s is in the %s".formatted(id, whose));
              }
            });
    bindings.forEach(
        (bound, sure) -> {
          if (sure && seen.bindings().getOrDefault(bound, 0) != 1) {
            found.add(
                "lost binding: %s counts %d in the %s"
                    .formatted(bound, seen.bindings().getOrDefault(bound, 0), whose));
          }
        });
    seen.bindings()
        .forEach(
            (bound, count) -> {
              if (!bindings.containsKey(bound)) {
                found.add("orphan: %s counts %d in the %s".formatted(bound, count, whose));
              }
            });
    return found;
  }
}
