package io.coppice.engine.family;

import io.coppice.engine.map.EpochGate;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.map.NodeCache;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/// The entries that are released when versions are given up in an order. The caller is inside an
/// epoch, which this leaves and enters again after each [MapReader#LEAVES_AT_ONCE] leaves.
///
/// A caller lets the committer plan, in portions, each as of one moment. It then settles what was
/// cut out of maps before, looks at entries, and asks whether the plan still holds.
public final class Releases {

  private final Families families;
  private final NodeCache cache;
  private final EpochGate.Stay stay;
  private final List<Portion> portions = new ArrayList<>();
  private boolean reclaimPending;
  private boolean renewed; // since it was made

  /// A version that is given up.
  ///
  /// @param step its place in the order
  public record Given(Version version, int step) {}

  /// A part of the plan, as of one moment.
  ///
  /// @param cuts subtrees whose entries its accounts do not tell yet
  private record Portion(
      ReleaseTrial trial, List<Given> given, List<Families.Free> cuts, int changes) {}

  /// @param stay of the caller
  public Releases(Families families, NodeCache cache, EpochGate.Stay stay) {
    this.families = families;
    this.cache = cache;
    this.stay = stay;
  }

  /// Committer only: plans a portion, until it has looked at a number of accounts and rows.
  ///
  /// @param next versions that are given up, of one family each; a family is never divided
  /// @return how many of the families it has planned
  public int plan(List<List<Given>> next, long mostWork) {
    synchronized (families) {
      ReleaseTrial trial = new ReleaseTrial(families);
      List<Given> given = new ArrayList<>();
      int planned = 0;
      while (planned < next.size() && trial.work() < mostWork) {
        List<Given> family = next.get(planned++);
        given.addAll(family);
        family.forEach(each -> trial.giveUp(each.version, each.step));
      }
      portions.add(new Portion(trial, given, cutsOf(trial), families.accountChanges()));
      reclaimPending |= families.isReclaimPending();
      return planned;
    }
  }

  private List<Families.Free> cutsOf(ReleaseTrial trial) {
    List<Families.Free> cuts = new ArrayList<>();
    for (Families.Free free : families.waitingFrees()) {
      if (free.version() == null) {
        Account from = families.accountOf(free.owner());
        if (from != null && trial.knows(from)) {
          cuts.add(free);
        }
      }
    }
    return cuts;
  }

  /// Whether deleted data waited to be reclaimed when it was planned. Until then it has placements
  /// of blocks.
  public boolean isReclaimPending() {
    return reclaimPending;
  }

  /// Looks through what was cut out of maps and is not counted yet.
  ///
  /// @return false if some of it was reclaimed before it was looked at
  public boolean settle() {
    for (Portion portion : portions) {
      if (!portion.cuts.isEmpty()) {
        renewed = true;
        if (!new CutWalk(families, cache, stay).walk(portion.cuts, portion.trial::leaves)) {
          return false;
        }
      }
    }
    return true;
  }

  /// All releases, in the order of the steps.
  public List<Release> inOrder() {
    List<Release> all = new ArrayList<>();
    portions.forEach(portion -> all.addAll(portion.trial.releases()));
    all.sort(Comparator.comparingInt(Release::step)); // stable: those of a step as they come about
    return all;
  }

  /// Shows the addresses of what is released, as the maps are when it comes to them.
  ///
  /// @return false if one of the two versions is reclaimed, or about to be: the addresses shown are
  ///   then incomplete
  public boolean entries(Release release, LongConsumer addresses) {
    MapReader.Entries shown =
        new MapReader.Entries() {
          @Override
          public boolean isPassedOver(int owner) {
            return !isOf(release, owner);
          }

          @Override
          public void entry(long address, int born) {
            if (isOf(release, born)) {
              addresses.accept(address);
            }
          }
        };
    Version in = release.in();
    Version hiding = release.hiding();
    long at = 0;
    while (at < Geometry.BLOCKS) {
      if (renewed && !(families.isWhole(in) && families.isWhole(hiding))) {
        return false;
      }
      MapReader.Subtree rest =
          new MapReader.Subtree(in.root(), Geometry.ROOT_LEVEL, at, Geometry.BLOCKS);
      Inner other = release.isOfAll() ? null : hiding.root();
      at = MapReader.entries(cache, rest, other, shown, MapReader.LEAVES_AT_ONCE);
      stay.renew();
      renewed = true;
    }
    return true;
  }

  private boolean isOf(Release release, int born) {
    synchronized (families) {
      return release.isOf(born);
    }
  }

  /// Notes that nothing of what is released was found to be of a block with several placements.
  public void foundNoneCounted(Release release) {
    if (release.isOfAll() && release.owner().isSingle()) {
      synchronized (families) {
        release.owner().account().foundNoneCounted(release.counted());
      }
    }
  }

  /// Whether nothing has happened since to the accounts that it was planned from but writes.
  public boolean holds() {
    for (Portion portion : portions) {
      synchronized (families) {
        if (portion.changes != families.accountChanges() && !isLike(portion)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isLike(Portion portion) {
    ReleaseTrial again = new ReleaseTrial(families);
    for (Given each : portion.given) {
      if (each.version.isGhost()) {
        return false;
      }
      again.giveUp(each.version, each.step);
    }
    List<Release> then = portion.trial.releases();
    List<Release> now = again.releases();
    if (then.size() != now.size()) {
      return false;
    }
    for (int i = 0; i < then.size(); i++) {
      if (!then.get(i).isLike(now.get(i))) {
        return false;
      }
    }
    return true;
  }
}
