package io.coppice.scsi.directory.pool;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// The bindings by volume and host, at most one for each pair. Lookups take no lock; changes are
/// made one at a time.
final class BindingTable {

  private final ConcurrentSkipListMap<VolumeId, Map<HostId, Binding>> byVolume =
      new ConcurrentSkipListMap<>();

  List<Binding> all() {
    return byVolume.values().stream().flatMap(hosts -> hosts.values().stream()).toList();
  }

  List<Binding> of(VolumeId volume) {
    return List.copyOf(byVolume.getOrDefault(volume, Map.of()).values());
  }

  List<Binding> of(HostId host) {
    return byVolume.values().stream()
        .flatMap(hosts -> Optional.ofNullable(hosts.get(host)).stream())
        .toList();
  }

  Optional<Binding> of(HostId host, VolumeId volume) {
    return Optional.ofNullable(byVolume.getOrDefault(volume, Map.of()).get(host));
  }

  boolean has(VolumeId volume) {
    return byVolume.containsKey(volume);
  }

  Set<VolumeId> volumes() {
    return byVolume.keySet();
  }

  /// Replaces the bindings of a volume.
  void put(VolumeId volume, Collection<Binding> bindings) {
    if (bindings.isEmpty()) {
      byVolume.remove(volume);
      return;
    }
    Map<HostId, Binding> hosts = new TreeMap<>();
    bindings.forEach(binding -> hosts.put(binding.host(), binding));
    byVolume.put(volume, Map.copyOf(hosts));
  }
}
