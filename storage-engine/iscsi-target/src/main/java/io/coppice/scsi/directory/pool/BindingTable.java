package io.coppice.scsi.directory.pool;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The bindings by volume and host, and the places that bindings moved from: at most one of each
/// for a pair.
///
/// Lookups take no lock, and changes are made one at a time. A lookup finds a volume's places as
/// they were before a change or as they are after it: a place that stays, or that becomes a former
/// one, can always be found.
final class BindingTable {

  private record Places(Map<HostId, Binding> bound, Map<HostId, Binding> former) {

    static final Places NONE = new Places(Map.of(), Map.of());

    boolean isEmpty() {
      return bound.isEmpty() && former.isEmpty();
    }

    Stream<Binding> of(HostId host) {
      return Stream.of(bound, former).flatMap(places -> Stream.ofNullable(places.get(host)));
    }

    Stream<Binding> all() {
      return Stream.of(bound, former).flatMap(places -> places.values().stream());
    }
  }

  private final ConcurrentSkipListMap<VolumeId, Places> byVolume = new ConcurrentSkipListMap<>();

  private Places placesOf(VolumeId volume) {
    return byVolume.getOrDefault(volume, Places.NONE);
  }

  List<Binding> bound() {
    return byVolume.values().stream().flatMap(places -> places.bound.values().stream()).toList();
  }

  List<Binding> boundOf(VolumeId volume) {
    return List.copyOf(placesOf(volume).bound.values());
  }

  List<Binding> boundOf(HostId host) {
    return byVolume.values().stream()
        .flatMap(places -> Stream.ofNullable(places.bound.get(host)))
        .toList();
  }

  Optional<Binding> boundOf(HostId host, VolumeId volume) {
    return Optional.ofNullable(placesOf(volume).bound.get(host));
  }

  List<Binding> former() {
    return byVolume.values().stream().flatMap(places -> places.former.values().stream()).toList();
  }

  Optional<Binding> formerOf(HostId host, VolumeId volume) {
    return Optional.ofNullable(placesOf(volume).former.get(host));
  }

  /// The places of both kinds.
  List<Binding> of(VolumeId volume) {
    return placesOf(volume).all().toList();
  }

  List<Binding> of(HostId host) {
    return byVolume.values().stream().flatMap(places -> places.of(host)).toList();
  }

  Stream<Binding> of(HostId host, VolumeId volume) {
    return placesOf(volume).of(host);
  }

  boolean isBound(VolumeId volume) {
    return !placesOf(volume).bound.isEmpty();
  }

  Set<VolumeId> boundVolumes() {
    return byVolume.keySet().stream().filter(this::isBound).collect(Collectors.toSet());
  }

  /// Replaces the places of a volume, in one step.
  void put(VolumeId volume, Collection<Binding> bound, Collection<Binding> former) {
    Places places = new Places(byHost(bound), byHost(former));
    if (places.isEmpty()) {
      byVolume.remove(volume);
    } else {
      byVolume.put(volume, places);
    }
  }

  private static Map<HostId, Binding> byHost(Collection<Binding> bindings) {
    return bindings.stream()
        .collect(Collectors.toUnmodifiableMap(Binding::host, Function.identity()));
  }
}
