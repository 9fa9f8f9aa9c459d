package io.coppice.engine.recovery;

import io.coppice.engine.family.Account;
import io.coppice.engine.family.Families;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.table.AccountTable;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The accounts that a checkpoint has, on their way back to the versions.
record RestoredAccounts(AccountTable table) {

  /// Restores the numbers. Versions and pending reclaims must have been restored.
  ///
  /// @throws FormatException if they are not those of the versions that have an account
  void restore(Families families) {
    Set<Integer> restored = new HashSet<>();
    for (AccountTable.Row row : table.rows()) {
      Account account = require(families, row.version());
      if (!restored.add(row.version())) {
        throw new FormatException("expected one account of version " + row.version());
      }
      check(row);
      account.restore(row.own(), row.counted());
      for (AccountTable.Hidden hidden : row.hidden()) {
        account.restoreHidden(require(families, hidden.above()), hidden.entries());
      }
    }
    for (Version version : families.versions()) {
      if (isOpen(version) && !restored.contains(version.id())) {
        throw new FormatException("expected an account of version " + version.id());
      }
    }
  }

  private static void check(AccountTable.Row row) {
    if (row.own() < 0
        || row.counted() < 0
        || row.hidden().stream().anyMatch(hidden -> hidden.entries() < 0)) {
      throw new FormatException("expected numbers of entries, found less than 0");
    }
  }

  private static Account require(Families families, int version) {
    Version found = families.find(version);
    if (found == null || !isOpen(found)) {
      throw new FormatException(
          "expected a version with an account, found version %d".formatted(version));
    }
    return found.account();
  }

  /// Whether a version has an account of its own, not only a part in another one's.
  static boolean isOpen(@Nullable Version version) {
    return version != null
        && version.account().current() == version.account()
        && !version.account().isClosed();
  }
}
