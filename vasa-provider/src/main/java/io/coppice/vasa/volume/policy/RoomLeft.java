package io.coppice.vasa.volume.policy;

import io.coppice.engine.VolumeSpace;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.space.SpaceStatistics;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/// The room that is left in containers and in the pool while volumes are given their space one
/// after the other, in thought. Containers and pool are looked at once, when the first one asks.
///
/// For one thread.
final class RoomLeft {

  private final SpaceStatistics spaces;
  private final Containers containers;
  private final Map<UUID, Long> free = new HashMap<>();
  private long inPool = -1;

  RoomLeft(SpaceStatistics spaces, Containers containers) {
    this.spaces = spaces;
    this.containers = containers;
  }

  /// The bytes that may still be written in a container; 0 if it is unknown.
  long in(UUID container) {
    if (inPool < 0) {
      inPool = 0;
      spaces
          .ofContainers(containers.list())
          .forEach(
              (id, content) -> {
                free.put(id, content.space().free());
                inPool = content.space().physicalFree();
              });
    }
    return Math.min(free.getOrDefault(container, 0L), inPool);
  }

  /// The bytes to be set aside for a volume that is thin now: all but those that it holds alone.
  long needed(VirtualVolume volume) {
    long held = spaces.find(volume.id()).map(VolumeSpace::unique).orElse(0L);
    return Math.max(0, volume.sizeInBytes() - held);
  }

  /// Takes bytes of a container that has been asked for.
  void take(UUID container, long bytes) {
    free.merge(container, -bytes, Long::sum);
    inPool -= Math.min(bytes, inPool);
  }
}
