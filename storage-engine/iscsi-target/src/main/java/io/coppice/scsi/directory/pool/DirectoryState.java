package io.coppice.scsi.directory.pool;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.scsi.secret.SecretRecords;
import io.coppice.scsi.secret.SecretRecords.Direction;
import io.coppice.scsi.secret.StoredSecret;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The directory's records as the device server looks them up.
///
/// Lookups take no lock and may run during a change. The `refresh` methods, which read a part of
/// the records again, and [#numbers] belong to the holder of the directory's lock.
public final class DirectoryState {

  private final DirectoryRecords records;
  private final SecretRecords secretRecords;
  private final NumberSpace numbers;
  private final ConcurrentSkipListMap<Integer, ProtocolEndpoint> endpoints =
      new ConcurrentSkipListMap<>();
  private final ConcurrentHashMap<HostId, Set<String>> hosts = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, HostId> hostOf = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, StoredSecret> secrets = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, StoredSecret> mutualSecrets = new ConcurrentHashMap<>();
  private final BindingTable bindings = new BindingTable();

  private volatile Map<Integer, Instant> retired = Map.of();
  private final ConcurrentHashMap<Long, VolumeId> byNumber = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<VolumeId, Export> exports = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<Integer, List<Export>> byLun = new ConcurrentSkipListMap<>();

  DirectoryState(DirectoryRecords records, SecretRecords secretRecords, NumberSpace numbers) {
    this.records = records;
    this.secretRecords = secretRecords;
    this.numbers = numbers;
    refreshEndpoints();
    refreshRetired();
    records.hosts().forEach(this::put);
    secrets.putAll(secretRecords.all(Direction.OWN));
    mutualSecrets.putAll(secretRecords.all(Direction.MUTUAL));
    records.freed().forEach(f -> numbers.free(f.endpoint(), f.number(), f.when()));
    enter(records.bindings(this::endpoint), records.former(this::endpoint));
    records.exports().values().forEach(this::put);
  }

  public NumberSpace numbers() {
    return numbers;
  }

  public Collection<ProtocolEndpoint> endpoints() {
    return endpoints.values();
  }

  public Optional<ProtocolEndpoint> endpointAt(int lun) {
    return Optional.ofNullable(endpoints.get(lun));
  }

  private ProtocolEndpoint endpoint(int lun) {
    return endpointAt(lun)
        .orElseThrow(() -> new IllegalStateException("expected an endpoint at LUN " + lun));
  }

  /// Endpoints that are out of service, and since when.
  Map<Integer, Instant> retired() {
    return retired;
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
  public Optional<HostId> hostOf(String initiator) {
    return Optional.ofNullable(hostOf.get(initiator));
  }

  Optional<StoredSecret> secretOf(String initiator) {
    return Optional.ofNullable(secrets.get(initiator.toLowerCase(Locale.ROOT)));
  }

  Optional<StoredSecret> mutualSecretOf(String initiator) {
    return Optional.ofNullable(mutualSecrets.get(initiator.toLowerCase(Locale.ROOT)));
  }

  public List<Binding> bindings() {
    return bindings.bound();
  }

  List<Binding> bindingsOf(VolumeId volume) {
    return bindings.boundOf(volume);
  }

  List<Binding> bindingsOf(HostId host) {
    return bindings.boundOf(host);
  }

  Optional<Binding> bindingOf(HostId host, VolumeId volume) {
    return bindings.boundOf(host, volume);
  }

  /// The places where hosts whose bindings moved still reach their volumes.
  List<Binding> former() {
    return bindings.former();
  }

  Optional<Binding> formerOf(HostId host, VolumeId volume) {
    return bindings.formerOf(host, volume);
  }

  /// Bindings of a volume and the places that they moved from.
  public List<Binding> placesOf(VolumeId volume) {
    return bindings.of(volume);
  }

  /// The same for a host.
  public List<Binding> placesOf(HostId host) {
    return bindings.of(host);
  }

  /// The binding that makes a number of an endpoint answer a host, or what is left of one that
  /// moved.
  public Optional<Binding> bindingAt(HostId host, int endpoint, int number) {
    return Optional.ofNullable(byNumber.get(place(endpoint, number)))
        .flatMap(
            volume ->
                bindings
                    .of(host, volume)
                    .filter(b -> b.endpoint().lun() == endpoint && b.subsidiary() == number)
                    .findFirst());
  }

  /// All exports, in the order of their numbers.
  public Collection<Export> exports() {
    return byLun.values().stream().flatMap(List::stream).toList();
  }

  Optional<Export> exportOf(VolumeId volume) {
    return Optional.ofNullable(exports.get(volume));
  }

  /// The export that a number names for an initiator. One number may name different volumes for
  /// different initiators.
  public Optional<Export> exportAt(int lun, String initiator) {
    for (Export export : byLun.getOrDefault(lun, List.of())) {
      if (export.initiators().contains(initiator)) {
        return Optional.of(export);
      }
    }
    return Optional.empty();
  }

  /// Whether anything is exported to the initiator.
  public boolean exportsTo(String initiator) {
    return exports.values().stream().anyMatch(e -> e.initiators().contains(initiator));
  }

  /// Whether a volume is bound for the initiator's host.
  public boolean bindsFor(String initiator, VolumeId volume) {
    return hostOf(initiator).flatMap(host -> bindingOf(host, volume)).isPresent();
  }

  /// Whether a volume is exported to the initiator.
  public boolean exportsTo(String initiator, VolumeId volume) {
    return exportOf(volume).filter(e -> e.initiators().contains(initiator)).isPresent();
  }

  boolean isUsed(VolumeId volume) {
    return bindings.isBound(volume) || exports.containsKey(volume);
  }

  /// Every volume that somebody reaches.
  public Set<VolumeId> usedVolumes() {
    Set<VolumeId> used = new TreeSet<>(bindings.boundVolumes());
    used.addAll(exports.keySet());
    return used;
  }

  void refreshEndpoints() {
    Set<Integer> luns = new HashSet<>();
    for (ProtocolEndpoint endpoint : records.endpoints()) {
      luns.add(endpoint.lun());
      endpoints.put(endpoint.lun(), endpoint);
    }
    endpoints.keySet().retainAll(luns);
  }

  void refresh(HostId host) {
    records.initiatorsOf(host).ifPresentOrElse(names -> put(host, names), () -> drop(host));
  }

  void refreshSecrets(String initiator) {
    refresh(secrets, Direction.OWN, initiator);
    refresh(mutualSecrets, Direction.MUTUAL, initiator);
  }

  private void refresh(
      ConcurrentHashMap<String, StoredSecret> known, Direction direction, String initiator) {
    secretRecords
        .find(direction, initiator)
        .ifPresentOrElse(s -> known.put(initiator, s), () -> known.remove(initiator));
  }

  /// An export that stays can always be found, whatever changes in it: the initiators that keep it
  /// send commands meanwhile.
  void refreshExport(VolumeId volume) {
    Optional<Export> next = records.exportOf(volume);
    Optional<Export> before = exportOf(volume);
    next.ifPresentOrElse(this::put, () -> exports.remove(volume));
    before
        .filter(it -> next.stream().noneMatch(now -> now.lun() == it.lun()))
        .ifPresent(it -> leaveNumber(it.lun(), volume));
  }

  private void leaveNumber(int lun, VolumeId volume) {
    byLun.computeIfPresent(
        lun,
        (_, all) -> {
          List<Export> others = all.stream().filter(e -> !e.volume().equals(volume)).toList();
          return others.isEmpty() ? null : others;
        });
  }

  void refreshRetired() {
    retired = records.retired();
  }

  /// @param now the time at which numbers that no binding uses any more count as freed
  void refreshBindings(VolumeId volume, Instant now) {
    List<Binding> before = placesOf(volume);
    bindings.put(
        volume,
        records.bindingsOf(volume, this::endpoint),
        records.formerOf(volume, this::endpoint));
    List<Binding> next = placesOf(volume);
    next.forEach(this::takeNumber);
    for (Binding old : before) {
      boolean kept = next.stream().anyMatch(b -> samePlace(b, old));
      if (!kept && byNumber.remove(place(old.endpoint().lun(), old.subsidiary())) != null) {
        numbers.free(old.endpoint().lun(), old.subsidiary(), now);
      }
    }
  }

  static boolean samePlace(Binding one, Binding other) {
    return one.endpoint().equals(other.endpoint()) && one.subsidiary() == other.subsidiary();
  }

  /// Endpoints in service that a host may use, those with the fewest numbers in use first.
  ///
  /// @param seen LUNs, or empty for all
  List<ProtocolEndpoint> candidates(Set<Integer> seen) {
    return endpoints.values().stream()
        .filter(e -> !retired.containsKey(e.lun()))
        .filter(e -> seen.isEmpty() || seen.contains(e.lun()))
        .sorted(Comparator.comparingInt(e -> numbers.countTaken(e.lun())))
        .toList();
  }

  /// A name that stays can always be found: commands look it up without a lock.
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

  private void enter(List<Binding> bound, List<Binding> former) {
    var formerOf = former.stream().collect(Collectors.groupingBy(Binding::volume));
    var boundOf = bound.stream().collect(Collectors.groupingBy(Binding::volume));
    Stream.concat(boundOf.keySet().stream(), formerOf.keySet().stream())
        .distinct()
        .forEach(
            volume ->
                bindings.put(
                    volume,
                    boundOf.getOrDefault(volume, List.of()),
                    formerOf.getOrDefault(volume, List.of())));
    Stream.concat(bound.stream(), former.stream()).forEach(this::takeNumber);
  }

  private void takeNumber(Binding binding) {
    numbers.take(binding.endpoint().lun(), binding.subsidiary());
    byNumber.put(place(binding.endpoint().lun(), binding.subsidiary()), binding.volume());
  }

  private void put(Export export) {
    exports.put(export.volume(), export);
    byLun.merge(
        export.lun(),
        List.of(export),
        (some, one) ->
            Stream.concat(
                    some.stream().filter(e -> !e.volume().equals(export.volume())), one.stream())
                .sorted(Comparator.comparing(Export::volume))
                .toList());
  }

  private static long place(int endpoint, int number) {
    return (long) endpoint << 32 | number;
  }
}
