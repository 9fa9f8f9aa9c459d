package io.coppice.engine.testing;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The bases of the volumes and snapshots of a [MemoryEngine]. Guarded by the engine.
final class MemoryAncestry {

  private final Map<VolumeId, VolumeId> bases = new HashMap<>();

  /// Notes a new volume or snapshot.
  void made(VolumeInfo info) {
    VolumeId source = info.origin();
    if (source == null) {
      return;
    }
    if (info.kind() == VolumeKind.SNAPSHOT) {
      set(info.id(), bases.get(source));
      set(source, info.id());
    } else {
      set(info.id(), source);
    }
  }

  void reverted(VolumeId volume, VolumeId snapshot) {
    set(volume, snapshot);
  }

  /// Notes that one is gone: whoever went on from it goes on from what was before it.
  void deleted(VolumeId id) {
    VolumeId before = bases.remove(id);
    for (VolumeId each : Map.copyOf(bases).keySet()) {
      if (id.equals(bases.get(each))) {
        set(each, before);
      }
    }
  }

  Map<VolumeId, VolumeId> all() {
    return Map.copyOf(bases);
  }

  private void set(VolumeId volume, @Nullable VolumeId base) {
    if (base == null) {
      bases.remove(volume);
    } else {
      bases.put(volume, base);
    }
  }
}
