package io.coppice.vasa.housekeeping;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.export.temporary.TemporaryExports;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.volume.Orphan;
import io.coppice.vasa.volume.OrphanChoice;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Service;

/// The list of what nobody seems to need any more. It only shows: whether something is needed,
/// whoever made it knows better. Nothing is on it that is bound, exported, locked or being copied,
/// or that a temporary export still has.
@Service
public final class Orphans {

  private final VolumeStore store;
  private final TemporaryExports exports;
  private final OrphanSettings settings;

  public Orphans(VolumeStore store, TemporaryExports exports, OrphanSettings settings) {
    this.store = store;
    this.exports = exports;
    this.settings = settings;
  }

  /// The first that may be orphans, as far as the database knows; [#unneeded] are those that are.
  ///
  /// @param order by `created`, by `name` or by `size`
  public List<Orphan> candidates(OrphanChoice chosen, RowOrder order, int limit) {
    return store.orphans().page(chosen, store.now().minus(settings.after()), order, limit);
  }

  /// Those of some candidates that nobody uses, in their order.
  public List<Orphan> unneeded(List<Orphan> candidates) {
    Set<VolumeId> served = exports.clones();
    return candidates.stream()
        .filter(one -> !served.contains(one.volume().id()))
        .filter(one -> !store.isUsed(one.volume().id()))
        .toList();
  }

  /// Bytes that the pool gets back when this one alone is deleted; empty if it is gone already, or
  /// its family changes all the time.
  public Optional<Long> frees(VolumeId id) {
    try {
      return Optional.of(store.engine().freedIfDeleted(List.of(id)).bytes());
    } catch (StorageException.NotFound | StorageException.Overtaken e) {
      return Optional.empty();
    }
  }
}
