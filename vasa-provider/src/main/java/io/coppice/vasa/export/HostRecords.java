package io.coppice.vasa.export;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// The pool's records of plain hosts, of their groups, and of exports for them. A record is lines
/// of text:
///
/// | Key | Value |
/// |---|---|
/// | `control/host/ID` | its name; then its initiators, one a line |
/// | `control/host-group/ID` | its name; then the ids of its hosts, one a line |
/// | `control/export/VOLUME` | `initiator NAME`, `host ID` or `group ID` a line; missing for an export to single initiators only |
final class HostRecords {

  private static final String HOST = "control/host/";
  private static final String GROUP = "control/host-group/";
  private static final String EXPORT = "control/export/";

  private final PoolRecords records;

  HostRecords(PoolRecords records) {
    this.records = records;
  }

  List<PlainHost> hosts() {
    return each(HOST, HostRecords::host);
  }

  Optional<PlainHost> host(UUID id) {
    return one(HOST, id.toString(), HostRecords::host);
  }

  List<HostGroup> groups() {
    return each(GROUP, HostRecords::group);
  }

  Optional<HostGroup> group(UUID id) {
    return one(GROUP, id.toString(), HostRecords::group);
  }

  /// Audiences that name a host or a group, by volume.
  Map<VolumeId, ExportAudience> audiences() {
    Map<VolumeId, ExportAudience> all = new TreeMap<>();
    each(EXPORT, (key, lines) -> all.put(VolumeId.parse(key), audience(lines)));
    return all;
  }

  Optional<ExportAudience> audience(VolumeId volume) {
    return one(EXPORT, volume.toString(), (_, lines) -> audience(lines));
  }

  /// Stable on return, like all changes here.
  void put(PlainHost host) {
    put(HOST + host.id(), Stream.concat(Stream.of(host.name()), host.initiators().stream()));
  }

  void remove(PlainHost host) {
    apply(new RecordChange.Remove(HOST + host.id()));
  }

  void put(HostGroup group) {
    put(
        GROUP + group.id(),
        Stream.concat(Stream.of(group.name()), group.hosts().stream().map(UUID::toString)));
  }

  void remove(HostGroup group) {
    apply(new RecordChange.Remove(GROUP + group.id()));
  }

  /// An audience of initiators only needs no record: the export has them.
  void put(VolumeId volume, ExportAudience audience) {
    if (audience.isInitiatorsOnly()) {
      remove(volume);
      return;
    }
    put(
        EXPORT + volume,
        Stream.of(
                audience.initiators().stream().map(it -> "initiator " + it),
                audience.hosts().stream().map(it -> "host " + it),
                audience.groups().stream().map(it -> "group " + it))
            .flatMap(it -> it));
  }

  void remove(VolumeId volume) {
    if (records.find(EXPORT + volume).isPresent()) {
      apply(new RecordChange.Remove(EXPORT + volume));
    }
  }

  private void put(String key, Stream<String> lines) {
    String value = String.join("\n", lines.toList());
    if (records.find(key).filter(value::equals).isEmpty()) {
      apply(new RecordChange.Put(key, value));
    }
  }

  private void apply(RecordChange change) {
    records.apply(OperationId.random(), List.of(change));
  }

  private static PlainHost host(String key, List<String> lines) {
    return new PlainHost(UUID.fromString(key), lines.getFirst(), lines.subList(1, lines.size()));
  }

  private static HostGroup group(String key, List<String> lines) {
    List<UUID> hosts = lines.stream().skip(1).map(UUID::fromString).toList();
    return new HostGroup(UUID.fromString(key), lines.getFirst(), hosts);
  }

  private static ExportAudience audience(List<String> lines) {
    List<String> initiators = new ArrayList<>();
    List<UUID> hosts = new ArrayList<>();
    List<UUID> groups = new ArrayList<>();
    for (String line : lines) {
      String[] parts = line.split(" ", 2);
      switch (parts[0]) {
        case "initiator" -> initiators.add(parts[1]);
        case "host" -> hosts.add(UUID.fromString(parts[1]));
        case "group" -> groups.add(UUID.fromString(parts[1]));
        default ->
            throw new IllegalArgumentException(
                "expected initiator, host or group, got " + parts[0]);
      }
    }
    return new ExportAudience(initiators, hosts, groups);
  }

  private <T> List<T> each(String prefix, BiFunction<String, List<String>, T> read) {
    List<T> all = new ArrayList<>();
    records
        .withPrefix(prefix)
        .forEach(
            (key, value) -> all.add(readable(prefix, key.substring(prefix.length()), value, read)));
    return all;
  }

  private <T> Optional<T> one(String prefix, String key, BiFunction<String, List<String>, T> read) {
    return records.find(prefix + key).map(value -> readable(prefix, key, value, read));
  }

  private static <T> T readable(
      String prefix, String key, String value, BiFunction<String, List<String>, T> read) {
    try {
      return read.apply(key, List.of(value.split("\n", -1)));
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "expected the pool's record %s%s to be readable, got: %s".formatted(prefix, key, value),
          e);
    }
  }
}
