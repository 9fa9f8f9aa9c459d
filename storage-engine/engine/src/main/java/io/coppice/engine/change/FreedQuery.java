package io.coppice.engine.change;

import io.coppice.engine.FreedSpace;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.family.Release;
import io.coppice.engine.family.Releases;
import io.coppice.engine.family.Releases.Given;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.map.EpochGate;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The question what deleting volumes in an order gives back.
///
/// The committer plans it from the accounts, a portion of families at a time. What the plan does
/// not tell is read from maps on the caller's thread. If volumes were deleted, reverted or
/// snapshotted meanwhile so that the plan is no longer true, the question is asked again.
final class FreedQuery {

  /// Accounts and rows that the committer looks at in one go: some tenths of a millisecond.
  private static final int PORTION = 2000;

  private static final int ATTEMPTS = 5;

  private final OpenPool pool;
  private final MapQueries queries;

  FreedQuery(OpenPool pool, MapQueries queries) {
    this.pool = pool;
    this.queries = queries;
  }

  /// Answers for as many of the volumes as give back `enough` bytes, or for all of them.
  FreedSpace inOrder(Collection<VolumeId> ids, long enough) {
    List<VolumeId> order = List.copyOf(new LinkedHashSet<>(ids));
    if (order.size() > StorageEngine.MAX_FREED) {
      throw new StorageException.InvalidRequest(
          "Expected at most %d volumes and snapshots at once, got %d."
              .formatted(StorageEngine.MAX_FREED, order.size()));
    }
    for (int i = 0; i < ATTEMPTS; i++) {
      FreedSpace answer = attempt(order, enough);
      if (answer != null) {
        return answer;
      }
    }
    throw new StorageException.Overtaken(
        "Volumes of the same families were changed %d times while the answer was looked for."
            .formatted(ATTEMPTS));
  }

  private @Nullable FreedSpace attempt(List<VolumeId> order, long enough) {
    Map<Integer, List<Item>> families = new LinkedHashMap<>();
    for (int step = 0; step < order.size(); step++) {
      VolumeState volume = queries.require(order.get(step));
      add(families, volume, step);
      for (VolumeState hidden : pool.state().hiddenOf(volume)) { // what its journal keeps goes, too
        add(families, hidden, step);
      }
    }
    try (EpochGate.Stay stay = pool.state().epochs().stay()) {
      Releases releases = new Releases(pool.state().families(), pool.state().nodes(), stay);
      if (!plan(releases, List.copyOf(families.values())) || !releases.settle()) {
        return null;
      }
      FreedSpace answer = count(releases, order, enough);
      return answer != null && releases.holds() ? answer : null;
    }
  }

  private static void add(Map<Integer, List<Item>> families, VolumeState volume, int step) {
    families.computeIfAbsent(volume.family(), _ -> new ArrayList<>()).add(new Item(volume, step));
  }

  private record Item(VolumeState volume, int step) {}

  /// @return false if a volume has been deleted
  private boolean plan(Releases releases, List<List<Item>> families) {
    int planned = 0;
    while (planned < families.size()) {
      List<List<Item>> rest = families.subList(planned, families.size());
      int more = pool.questions().ask(() -> planPortion(pool.state(), releases, rest));
      if (more == 0) {
        return false;
      }
      planned += more;
    }
    return true;
  }

  private static int planPortion(PoolState state, Releases releases, List<List<Item>> families) {
    List<List<Given>> next = new ArrayList<>();
    int items = 0;
    for (List<Item> family : families) {
      if (items >= PORTION) {
        break;
      }
      if (family.stream().anyMatch(item -> item.volume.isDeleted())) {
        return 0;
      }
      // What waits for its slot in a journal is in no map, and would be missing in the answer.
      family.forEach(item -> state.oldBlocks().settle(item.volume));
      next.add(family.stream().map(item -> new Given(item.volume.head(), item.step)).toList());
      items += family.size();
    }
    return releases.plan(next, PORTION);
  }

  private @Nullable FreedSpace count(Releases releases, List<VolumeId> order, long enough) {
    FreedBlocks freed =
        new FreedBlocks(releases, pool.state().segments().counts(), pool.questions());
    List<Release> all = releases.inOrder();
    List<FreedSpace.Step> steps = new ArrayList<>();
    int next = 0;
    long before = 0;
    for (int step = 0; step < order.size() && before < enough; step++) {
      while (next < all.size() && all.get(next).step() == step) {
        if (!freed.add(all.get(next++))) {
          return null;
        }
      }
      before = freed.blocks() * PoolLayout.BLOCK;
      steps.add(new FreedSpace.Step(order.get(step), before));
    }
    return new FreedSpace(steps, releases.isReclaimPending() && freed.leavesPlacements());
  }
}
