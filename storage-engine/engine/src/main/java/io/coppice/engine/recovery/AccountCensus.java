package io.coppice.engine.recovery;

import io.coppice.engine.family.Account;
import io.coppice.engine.family.Families;
import io.coppice.engine.family.Version;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.state.PoolState;
import org.jspecify.annotations.Nullable;

/// The count that fills the accounts of a pool from its maps, once, after a writer without
/// accounts. The next checkpoint stores them. It reads the nodes that a version does not share with
/// the one above. Versions and pending reclaims must have been restored.
final class AccountCensus {

  private final PoolState state;
  private final Families families;

  AccountCensus(PoolState state) {
    this.state = state;
    families = state.families();
  }

  void run() {
    for (Version version : families.versions()) {
      if (RestoredAccounts.isOpen(version)) {
        count(version);
      }
    }
    // A subtree that was cut out of a map counts until Reclaimer comes to it.
    for (Families.Free free : families.frees()) {
      Account account = free.version() == null ? families.accountOf(free.owner()) : null;
      if (account != null) {
        long end = free.first() + Geometry.span(free.level());
        MapReader.Subtree piece =
            new MapReader.Subtree(free.node(), free.level(), free.cursor(), end);
        MapReader.entries(state.nodes(), piece, null, counting(account, -1));
      }
    }
  }

  private void count(Version version) {
    Account account = version.account();
    Account above = account.parent();
    Version parent = above == null ? null : families.find(above.id());
    if (parent == null) {
      families.placed(version, version.mapped(), 0);
    } else {
      MapReader.entries(
          state.nodes(),
          MapReader.Subtree.of(version.root()),
          parent.root(),
          new Counting() {
            @Override
            public void entry(long address, int born) {
              families.placed(version, families.accountOf(born) == account ? 1 : 0, 0);
            }
          });
      MapReader.entries(
          state.nodes(), MapReader.Subtree.of(parent.root()), version.root(), counting(account, 1));
    }
    if (state.segments().counts().size() > 0) {
      families.placed(version, 0, account.own());
    }
  }

  /// Entries that are gone from the map of `account`, or are so already.
  private Counting counting(Account account, int sign) {
    return new Counting() {
      @Override
      public void entry(long address, int born) {
        @Nullable Account of = families.accountOf(born);
        if (of != null) {
          account.replaced(of, sign);
        }
      }
    };
  }

  private abstract static class Counting implements MapReader.Entries {
    @Override
    public boolean isPassedOver(int owner) {
      return false;
    }
  }
}
