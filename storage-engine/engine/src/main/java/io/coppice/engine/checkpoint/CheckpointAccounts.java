package io.coppice.engine.checkpoint;

import io.coppice.engine.family.Account;
import io.coppice.engine.family.Families;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.AccountTable;
import io.coppice.engine.format.FormatException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The accounts that a checkpoint has, on their way back to the versions.
public record CheckpointAccounts(AccountTable table) {

  /// Restores the numbers. Versions and pending reclaims must have been restored.
  ///
  /// @throws FormatException if they are not those of the versions that have an account
  public void restore(Families families) {
    Set<Integer> restored = new HashSet<>();
    for (AccountTable.Row row : table.rows()) {
      Account account = require(families, row.version());
      if (!restored.add(row.version())) {
        throw new FormatException("expected one account of version " + row.version());
      }
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

  private static Account require(Families families, int version) {
    Version found = families.find(version);
    if (found == null || !isOpen(found)) {
      throw new FormatException(
          "expected a version with an account, found version %d".formatted(version));
    }
    return found.account();
  }

  /// Whether a version has an account of its own, not only a part in another one's.
  public static boolean isOpen(@Nullable Version version) {
    return version != null
        && version.account().current() == version.account()
        && !version.account().isClosed();
  }
}
