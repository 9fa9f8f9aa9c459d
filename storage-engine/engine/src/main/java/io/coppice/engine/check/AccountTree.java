package io.coppice.engine.check;

import io.coppice.engine.format.table.VersionRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The accounts of the versions, and which account is above which. The family trees are taken as
/// they would be if all versions given up had been reclaimed.
final class AccountTree {

  private final Map<Integer, Integer> parents = new HashMap<>();
  private final Map<Integer, Integer> accountOf = new HashMap<>();

  AccountTree(List<VersionRow> versions, FamilyCheck lineage) {
    Set<Integer> ghosts = new HashSet<>();
    Map<Integer, Integer> above = new HashMap<>();
    for (VersionRow row : versions) {
      above.put(row.id(), row.parent());
      if (row.ghost()) {
        ghosts.add(row.id());
      }
    }
    List<Integer> deepestFirst =
        new ArrayList<>(versions.stream().map(VersionRow::id).toList()).reversed();
    // The accounts below each version, those next to it only.
    Map<Integer, List<Integer>> below = new HashMap<>();
    for (int version : deepestFirst) {
      List<Integer> next = below.getOrDefault(version, List.of());
      int account = version;
      if (ghosts.contains(version) && next.size() < 2) {
        account = next.isEmpty() ? 0 : next.getFirst();
      } else {
        next.forEach(child -> parents.put(child, version));
      }
      accountOf.put(version, account);
      if (account != 0) {
        below.computeIfAbsent(above.get(version), _ -> new ArrayList<>()).add(account);
      }
    }
  }

  /// The account that each version counts for, 0 for none.
  Map<Integer, Integer> accountOf() {
    return accountOf;
  }

  /// The account above, 0 if there is none.
  int parentOf(int account) {
    return parents.getOrDefault(account, 0);
  }
}
