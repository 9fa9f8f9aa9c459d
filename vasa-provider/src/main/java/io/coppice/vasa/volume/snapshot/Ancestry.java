package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// The ancestry of volumes and snapshots: which one each of them goes on from.
@Service
public final class Ancestry {

  private final StorageEngine engine;

  public Ancestry(VolumeStore store) {
    engine = store.engine();
  }

  /// As [StorageEngine#bases], without what is in the recycle bin: whoever goes on from that goes
  /// on from what is before it.
  public Map<VolumeId, VolumeId> bases() {
    Map<VolumeId, VolumeId> all = engine.bases();
    Map<VolumeId, VolumeId> bases = new HashMap<>();
    for (VolumeId volume : all.keySet()) {
      VolumeId base = shown(all.get(volume), all);
      if (base != null) {
        bases.put(volume, base);
      }
    }
    return bases;
  }

  private @Nullable VolumeId shown(@Nullable VolumeId from, Map<VolumeId, VolumeId> all) {
    VolumeId at = from;
    while (at != null && engine.find(at).map(PoolAttributes::isBinned).orElse(true)) {
      at = all.get(at);
    }
    return at;
  }
}
