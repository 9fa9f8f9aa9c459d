package io.coppice.admin.volume;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.volume.Labels;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The names of volumes that administrators make. A new one is the only one of its kind in its
/// container. Hosts name the volumes of virtual machines as they like, so those do not count.
@Component
final class VolumeNames {

  private final VirtualVolumes volumes;

  /// Held from the look for a name until a volume has it. Only this process makes volumes.
  private final ReentrantLock naming = new ReentrantLock();

  VolumeNames(VirtualVolumes volumes) {
    this.volumes = volumes;
  }

  /// The metadata of a volume or snapshot to be made.
  ///
  /// @param labels null for none
  static Map<String, String> metadata(String name, @Nullable Map<String, @Nullable String> labels) {
    Map<String, String> metadata =
        new HashMap<>(labels == null ? Map.of() : Labels.metadata(labels));
    metadata.put(VmId.NAME_KEY, name);
    return metadata;
  }

  /// The result of a call that makes a volume of this name.
  ///
  /// @throws RequestRejectedException (409 `name-taken`) if the container has one
  <T> T claim(UUID container, String name, Supplier<T> making) {
    naming.lock();
    try {
      checkFree(container, name, null);
      return making.get();
    } finally {
      naming.unlock();
    }
  }

  /// Runs a change of a volume, which may give it a name, while no other one is named or labelled.
  ///
  /// @param name which it gets; null for none
  /// @throws RequestRejectedException (409 `name-taken`) if another one of its container has it
  void whileKept(VirtualVolume volume, @Nullable String name, Runnable change) {
    naming.lock();
    try {
      if (name != null) {
        checkFree(volume.container(), name, volume.id());
      }
      change.run();
    } finally {
      naming.unlock();
    }
  }

  // Two, because older names need not be unique.
  private void checkFree(UUID container, String name, @Nullable VolumeId itself) {
    for (VirtualVolume other : volumes.page(VolumeChoice.plain(container, name), 2)) {
      if (!other.id().equals(itself)) {
        throw RequestRejectedException.conflict(
            "name-taken",
            "name",
            "expected a name that no volume of container %s has, but '%s' is that of %s"
                .formatted(container, name, other.id()));
      }
    }
  }
}
