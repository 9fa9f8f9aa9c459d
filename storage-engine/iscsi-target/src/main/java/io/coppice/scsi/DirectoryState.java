package io.coppice.scsi;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// The directory's records as the device server looks them up.
///
/// Lookups take no lock and may run during a change; the `refresh` methods, which read a part of
/// the records again, and [#numbers] belong to whoever holds the directory's lock.
final class DirectoryState {

  private final DirectoryRecords records;
  private final NumberSpace numbers;
  private final ConcurrentSkipListMap<Integer, ProtocolEndpoint> endpoints =
      new ConcurrentSkipListMap<>();
  private final ConcurrentHashMap<HostId, Set<String>> hosts = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, HostId> hostOf = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, String> secrets = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, String> mutualSecrets = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<VolumeId, Map<HostId, Binding>> bindings =
      new ConcurrentSkipListMap<>();
  private final ConcurrentHashMap<Long, VolumeId> byNumber = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<VolumeId, Export> exports = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<Integer, Export> byLun = new ConcurrentSkipListMap<>();

  DirectoryState(DirectoryRecords records, NumberSpace numbers) {
    this.records = records;
    this.numbers = numbers;
    refreshEndpoints();
    records.hosts().forEach(this::put);
    secrets.putAll(records.secrets());
    mutualSecrets.putAll(records.mutualSecrets());
    records.freed().forEach(f -> numbers.free(f.endpoint(), f.number(), f.when()));
    records.bindings(this::endpoint).forEach(this::put);
    records.exports().values().forEach(this::put);
  }

  NumberSpace numbers() {
    return numbers;
  }

  Collection<ProtocolEndpoint> endpoints() {
    return endpoints.values();
  }

  Optional<ProtocolEndpoint> endpointAt(int lun) {
    return Optional.ofNullable(endpoints.get(lun));
  }

  private ProtocolEndpoint endpoint(int lun) {
    return endpointAt(lun)
        .orElseThrow(() -> new IllegalStateException("expected an endpoint at LUN " + lun));
  }

  boolean isDeclared(HostId host) {
    return hosts.containsKey(host);
  }

  Map<HostId, Set<String>> hosts() {
    return Collections.unmodifiableMap(hosts);
  }

  Set<String> initiatorsOf(HostId host) {
    return hosts.getOrDefault(host, Set.of());
  }

  /// @param initiator in lower case
  Optional<HostId> hostOf(String initiator) {
    return Optional.ofNullable(hostOf.get(initiator));
  }

  Optional<String> secretOf(String initiator) {
    return Optional.ofNullable(secrets.get(initiator.toLowerCase(Locale.ROOT)));
  }

  Optional<String> mutualSecretOf(String initiator) {
    return Optional.ofNullable(mutualSecrets.get(initiator.toLowerCase(Locale.ROOT)));
  }

  List<Binding> bindings() {
    return bindings.values().stream().flatMap(m -> m.values().stream()).toList();
  }

  List<Binding> bindingsOf(VolumeId volume) {
    return List.copyOf(bindings.getOrDefault(volume, Map.of()).values());
  }

  List<Binding> bindingsOf(HostId host) {
    return bindings.values().stream()
        .flatMap(m -> Optional.ofNullable(m.get(host)).stream())
        .toList();
  }

  Optional<Binding> bindingOf(HostId host, VolumeId volume) {
    return Optional.ofNullable(bindings.getOrDefault(volume, Map.of()).get(host));
  }

  /// The binding that makes a number of an endpoint answer a host.
  Optional<Binding> bindingAt(HostId host, int endpoint, int number) {
    return Optional.ofNullable(byNumber.get(place(endpoint, number)))
        .flatMap(volume -> bindingOf(host, volume))
        .filter(b -> b.endpoint().lun() == endpoint && b.subsidiary() == number);
  }

  Collection<Export> exports() {
    return byLun.values();
  }

  Optional<Export> exportOf(VolumeId volume) {
    return Optional.ofNullable(exports.get(volume));
  }

  Optional<Export> exportAt(int lun) {
    return Optional.ofNullable(byLun.get(lun));
  }

  /// Whether a volume is bound for the initiator's host.
  boolean bindsFor(String initiator, VolumeId volume) {
    return hostOf(initiator).flatMap(host -> bindingOf(host, volume)).isPresent();
  }

  /// Whether a volume is exported to the initiator.
  boolean exportsTo(String initiator, VolumeId volume) {
    return exportOf(volume).filter(e -> e.initiators().contains(initiator)).isPresent();
  }

  boolean isUsed(VolumeId volume) {
    return bindings.containsKey(volume) || exports.containsKey(volume);
  }

  /// Every volume that somebody reaches.
  Set<VolumeId> usedVolumes() {
    Set<VolumeId> used = new TreeSet<>(bindings.keySet());
    used.addAll(exports.keySet());
    return used;
  }

  void refreshEndpoints() {
    records.endpoints().forEach(e -> endpoints.put(e.lun(), e));
  }

  void refresh(HostId host) {
    records.initiatorsOf(host).ifPresentOrElse(names -> put(host, names), () -> drop(host));
  }

  void refreshSecret(String initiator) {
    records
        .secretOf(initiator)
        .ifPresentOrElse(s -> secrets.put(initiator, s), () -> secrets.remove(initiator));
  }

  void refreshMutualSecret(String initiator) {
    records
        .mutualSecretOf(initiator)
        .ifPresentOrElse(
            s -> mutualSecrets.put(initiator, s), () -> mutualSecrets.remove(initiator));
  }

  void refreshExport(VolumeId volume) {
    Export before = exports.remove(volume);
    if (before != null) {
      byLun.remove(before.lun());
    }
    records.exportOf(volume).ifPresent(this::put);
  }

  /// @param now when numbers that no binding uses any more count as freed
  void refreshBindings(VolumeId volume, Instant now) {
    List<Binding> before = bindingsOf(volume);
    Map<HostId, Binding> next = new TreeMap<>();
    records.bindingsOf(volume, this::endpoint).forEach(b -> next.put(b.host(), b));
    if (next.isEmpty()) {
      bindings.remove(volume);
    } else {
      bindings.put(volume, Map.copyOf(next));
    }
    next.values().forEach(this::takeNumber);
    for (Binding old : before) {
      boolean kept = next.values().stream().anyMatch(b -> samePlace(b, old));
      if (!kept && byNumber.remove(place(old.endpoint().lun(), old.subsidiary())) != null) {
        numbers.free(old.endpoint().lun(), old.subsidiary(), now);
      }
    }
  }

  static boolean samePlace(Binding one, Binding other) {
    return one.endpoint().equals(other.endpoint()) && one.subsidiary() == other.subsidiary();
  }

  /// Endpoints a host may use, those with the fewest numbers in use first.
  ///
  /// @param seen LUNs, or empty for all
  List<ProtocolEndpoint> candidates(Set<Integer> seen) {
    return endpoints.values().stream()
        .filter(e -> seen.isEmpty() || seen.contains(e.lun()))
        .sorted(Comparator.comparingInt(e -> numbers.countTaken(e.lun())))
        .toList();
  }

  /// A name that stays is found all the while: its commands need no lock to find it.
  private void put(HostId host, Set<String> names) {
    names.forEach(name -> hostOf.put(name, host));
    Set<String> before = hosts.put(host, Set.copyOf(names));
    if (before != null) {
      before.stream().filter(name -> !names.contains(name)).forEach(hostOf::remove);
    }
  }

  private void drop(HostId host) {
    Set<String> before = hosts.remove(host);
    if (before != null) {
      before.forEach(hostOf::remove);
    }
  }

  private void put(Binding binding) {
    Map<HostId, Binding> all = new TreeMap<>(bindings.getOrDefault(binding.volume(), Map.of()));
    all.put(binding.host(), binding);
    bindings.put(binding.volume(), Map.copyOf(all));
    takeNumber(binding);
  }

  private void takeNumber(Binding binding) {
    numbers.take(binding.endpoint().lun(), binding.subsidiary());
    byNumber.put(place(binding.endpoint().lun(), binding.subsidiary()), binding.volume());
  }

  private void put(Export export) {
    exports.put(export.volume(), export);
    byLun.put(export.lun(), export);
  }

  private static long place(int endpoint, int number) {
    return (long) endpoint << 32 | number;
  }
}
