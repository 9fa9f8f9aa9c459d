package io.coppice.engine.family;

import io.coppice.engine.map.EpochGate;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.map.Node;
import io.coppice.engine.map.NodeCache;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongConsumer;

/// The entries that versions hold alone, read from their accounts as of one moment. The caller is
/// inside an epoch. This leaves and enters it again after each [MapReader#LEAVES_AT_ONCE] leaves.
///
/// The caller's thread looks through subtrees that were cut out of a map whole and are not counted
/// yet. They do not change any more, and the committer waits for no caller. Over a gap only the
/// position is kept. If the reclaimer has gone further meanwhile, the part before it may be gone,
/// and the look begins again, with less to look at.
public final class ExclusiveSpace {

  private final Families families;
  private final NodeCache cache;
  private final EpochGate.Stay stay;
  private boolean renewed; // since it was made

  /// @param stay of the caller
  public ExclusiveSpace(Families families, NodeCache cache, EpochGate.Stay stay) {
    this.families = families;
    this.cache = cache;
    this.stay = stay;
  }

  /// The entries of one version.
  ///
  /// @param mapped entries with an address in its map
  /// @param unique those that only it holds
  public record Held(long mapped, long unique) {}

  /// The entries that are released when a version is given up.
  ///
  /// @param entries how many are released
  /// @param pieces where they stand
  /// @param counted whether any of them may be of blocks with several placements
  public record Freed(long entries, List<Piece> pieces, boolean counted) {}

  /// The entries of an account that are in the map of one version and not in that of another.
  ///
  /// @param in the version whose own entries they are
  /// @param hiding the version that hides them; the same one: they are hidden by none
  /// @param thought how many of the own entries are thought to be of counted blocks
  public record Piece(Version in, Version hiding, long thought) {}

  /// @param terms whose sum is wanted, `entries` as far as it is counted
  /// @param cuts subtrees whose entries it does not include yet
  private record Look(
      long mapped,
      long entries,
      List<Account.Term> terms,
      List<Piece> pieces,
      List<Families.Free> cuts,
      int changes) {}

  /// The entries that `version`, a volume's version, holds alone.
  public Held of(Version version) {
    Look look = sum(version, Account::unique);
    return new Held(look.mapped, look.entries);
  }

  /// The entries that are released when `version`, a volume's version, is given up.
  public Freed freedBy(Version version) {
    Look look = sum(version, Account::freed);
    boolean counted = look.pieces.stream().anyMatch(piece -> piece.thought > 0);
    return new Freed(look.entries, look.pieces, counted);
  }

  private Look sum(Version version, Function<Account, List<Account.Term>> figure) {
    while (true) {
      Look look;
      synchronized (families) {
        look = look(version, figure.apply(version.account));
      }
      if (look.cuts.isEmpty()) {
        return look;
      }
      OptionalLong missing = missing(look);
      synchronized (families) {
        if (missing.isPresent() && look.changes == families.accountChanges()) {
          return new Look(
              look.mapped,
              look.entries + missing.getAsLong(),
              look.terms,
              look.pieces,
              List.of(),
              look.changes);
        }
      }
    }
  }

  private Look look(Version version, List<Account.Term> terms) {
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
        terms.stream().map(this::piece).toList(),
        cuts,
        families.accountChanges());
  }

  private Piece piece(Account.Term term) {
    Version in = families.find(term.of().id());
    Version hiding = families.find(term.in().id());
    if (in == null || hiding == null) {
      throw new IllegalStateException("an account without its version");
    }
    return new Piece(in, hiding, term.of().counted());
  }

  /// The change that cut-off subtrees make to the sum of these terms.
  ///
  /// @return absent if some of it has been reclaimed before it was looked at
  private OptionalLong missing(Look look) {
    long[] sum = new long[1];
    Map<Node, Long> cursors = null; // present: as they were when the epoch was entered again
    int leaves = 0;
    for (Families.Free cut : look.cuts) {
      long end = cut.first() + Geometry.span(cut.level());
      CutEntries entries = new CutEntries(cut, look.terms, sum);
      long at = cut.cursor();
      while (at < end) {
        if (leaves >= MapReader.LEAVES_AT_ONCE) {
          stay.renew();
          cursors = cursors();
          leaves = 0;
        }
        if (cursors != null && cursors.getOrDefault(cut.node(), Long.MAX_VALUE) > at) {
          return OptionalLong.empty();
        }
        MapReader.Subtree piece = new MapReader.Subtree(cut.node(), cut.level(), at, end);
        at = MapReader.entries(cache, piece, null, entries, MapReader.LEAVES_AT_ONCE - leaves);
        leaves += entries.takeLeaves();
      }
    }
    return OptionalLong.of(sum[0]);
  }

  /// The progress of all pending frees.
  private Map<Node, Long> cursors() {
    Map<Node, Long> cursors = new IdentityHashMap<>();
    synchronized (families) {
      families.waitingFrees().forEach(free -> cursors.put(free.node(), free.cursor()));
    }
    return cursors;
  }

  private final class CutEntries implements MapReader.Entries {
    private final Families.Free cut;
    private final List<Account.Term> terms;
    private final long[] sum;
    private final List<Integer> born = new ArrayList<>();
    private int leaves;

    CutEntries(Families.Free cut, List<Account.Term> terms, long[] sum) {
      this.cut = cut;
      this.terms = terms;
      this.sum = sum;
    }

    @Override
    public boolean isPassedOver(int owner) {
      return false;
    }

    @Override
    public void entry(long address, int bornIn) {
      born.add(bornIn);
    }

    @Override
    public void leafEnds() {
      synchronized (families) {
        Account from = families.accountOf(cut.owner());
        for (int bornIn : born) {
          Account of = families.accountOf(bornIn);
          for (Account.Term term : terms) {
            if (term.in() == from && term.of() == of) {
              sum[0] += from == of ? -1 : 1;
            }
          }
        }
      }
      born.clear();
      leaves++;
    }

    /// Number of leaves since the last call.
    int takeLeaves() {
      int seen = leaves;
      leaves = 0;
      return seen;
    }
  }

  /// Shows the addresses of a piece's entries, as the maps are when it comes to them.
  ///
  /// @return false if one of the two versions is reclaimed, or about to be: the addresses shown are
  ///   then incomplete
  public boolean entries(Piece piece, LongConsumer addresses) {
    MapReader.Entries shown =
        new MapReader.Entries() {
          @Override
          public boolean isPassedOver(int owner) {
            return !isOf(piece, owner);
          }

          @Override
          public void entry(long address, int born) {
            if (isOf(piece, born)) {
              addresses.accept(address);
            }
          }
        };
    long at = 0;
    while (at < Geometry.BLOCKS) {
      if (renewed && !(families.isWhole(piece.in) && families.isWhole(piece.hiding))) {
        return false;
      }
      MapReader.Subtree rest =
          new MapReader.Subtree(piece.in.root(), Geometry.ROOT_LEVEL, at, Geometry.BLOCKS);
      Inner other = piece.in == piece.hiding ? null : piece.hiding.root();
      at = MapReader.entries(cache, rest, other, shown, MapReader.LEAVES_AT_ONCE);
      stay.renew();
      renewed = true;
    }
    return true;
  }

  private boolean isOf(Piece piece, int born) {
    synchronized (families) {
      return families.accountOf(born) == piece.in.account;
    }
  }

  /// Notes that none of a version's own entries was found to be of a counted block.
  public void foundNoneCounted(Piece piece) {
    synchronized (families) {
      piece.in.account.foundNoneCounted(piece.thought);
    }
  }
}
