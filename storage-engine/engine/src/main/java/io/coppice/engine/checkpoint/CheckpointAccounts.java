package io.coppice.engine.checkpoint;

import io.coppice.engine.family.Account;
import io.coppice.engine.family.Families;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The table of accounts of a checkpoint: the entries that each version holds alone.
public record CheckpointAccounts(List<CheckpointImage.AccountRow> rows) {

  private static final int ROW_BYTES = 24;
  private static final int HIDDEN_BYTES = 12;

  static void encode(List<CheckpointImage.AccountRow> rows, ByteSink out) {
    out.u32(rows.size());
    for (CheckpointImage.AccountRow row : rows) {
      out.u32(row.version()).u64(row.own()).u64(row.counted()).u32(row.hidden().size());
      row.hidden().forEach(hidden -> out.u32(hidden.above()).u64(hidden.entries()));
    }
  }

  /// @throws FormatException if a number is impossible
  static CheckpointAccounts decode(ByteSource in) {
    List<CheckpointImage.AccountRow> rows = new ArrayList<>();
    for (int n = in.count(ROW_BYTES); n > 0; n--) {
      int version = in.u32();
      long own = in.u64();
      long counted = in.u64();
      List<Account.Hidden> hidden = new ArrayList<>();
      for (int m = in.count(HIDDEN_BYTES); m > 0; m--) {
        hidden.add(new Account.Hidden(in.u32(), in.u64()));
      }
      if (own < 0 || counted < 0 || hidden.stream().anyMatch(row -> row.entries() < 0)) {
        throw new FormatException("expected numbers of entries, found less than 0");
      }
      rows.add(new CheckpointImage.AccountRow(version, own, counted, hidden));
    }
    return new CheckpointAccounts(rows);
  }

  /// Restores the numbers. Versions and pending reclaims must have been restored.
  ///
  /// @throws FormatException if they are not those of the versions that have an account
  public void restore(Families families) {
    Set<Integer> restored = new HashSet<>();
    for (CheckpointImage.AccountRow row : rows) {
      Account account = require(families, row.version());
      if (!restored.add(row.version())) {
        throw new FormatException("expected one account of version " + row.version());
      }
      account.restore(row.own(), row.counted());
      for (Account.Hidden hidden : row.hidden()) {
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
