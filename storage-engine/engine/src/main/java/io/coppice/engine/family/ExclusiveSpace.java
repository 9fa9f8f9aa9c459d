package io.coppice.engine.family;

import io.coppice.engine.map.EpochGate;
import io.coppice.engine.map.NodeCache;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// The entries that versions hold alone, read from their accounts as of one moment. The caller is
/// inside an epoch, which this may leave and enter again ([CutWalk]).
///
/// If subtrees that are not counted yet were reclaimed before they were looked at, the look begins
/// again, with less to look at.
public final class ExclusiveSpace {

  private final Families families;
  private final CutWalk cutWalk;

  /// @param stay of the caller
  public ExclusiveSpace(Families families, NodeCache cache, EpochGate.Stay stay) {
    this.families = families;
    cutWalk = new CutWalk(families, cache, stay);
  }

  /// The entries of one version.
  ///
  /// @param mapped entries with an address in its map
  /// @param unique those that only it holds
  public record Held(long mapped, long unique) {}

  /// @param terms whose sum is wanted, `entries` as far as it is counted
  /// @param cuts subtrees whose entries it does not include yet
  private record Look(
      long mapped, long entries, List<Account.Term> terms, List<Families.Free> cuts, int changes) {}

  /// The entries that `version`, a volume's version, holds alone.
  public Held of(Version version) {
    while (true) {
      Look look;
      synchronized (families) {
        look = look(version);
      }
      if (look.cuts.isEmpty()) {
        return new Held(look.mapped, look.entries);
      }
      OptionalLong missing = missing(look);
      synchronized (families) {
        if (missing.isPresent() && look.changes == families.accountChanges()) {
          return new Held(look.mapped, look.entries + missing.getAsLong());
        }
      }
    }
  }

  private Look look(Version version) {
    List<Account.Term> terms = version.account.unique();
    List<Families.Free> cuts = new ArrayList<>();
    for (Families.Free free : families.waitingFrees()) {
      if (free.version() == null
          && terms.stream().anyMatch(term -> term.in() == families.accountOf(free.owner()))) {
        cuts.add(free);
      }
    }
    return new Look(
        version.mapped(),
        terms.stream().mapToLong(Account.Term::value).sum(),
        terms,
        cuts,
        families.accountChanges());
  }

  /// The change that cut-off subtrees make to the sum of these terms.
  ///
  /// @return absent if some of it has been reclaimed before it was looked at
  private OptionalLong missing(Look look) {
    long[] sum = new long[1];
    boolean whole =
        cutWalk.walk(
            look.cuts,
            (from, of) -> {
              for (Account.Term term : look.terms) {
                if (term.in() == from && term.of() == of) {
                  sum[0] += from == of ? -1 : 1;
                }
              }
            });
    return whole ? OptionalLong.of(sum[0]) : OptionalLong.empty();
  }
}
