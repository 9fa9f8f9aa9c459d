package io.coppice.scsi.directory.pool;

import static java.util.stream.Collectors.toSet;

import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.scsi.transport.SecondaryIdForm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// The form of the [LunDirectory] in the pool's records. Texts only, with fields apart by one space
/// and names by line feeds:
///
/// | Key | Value |
/// |---|---|
/// | `scsi/endpoint/LUN` (3 digits) | `naa.…` of the protocol endpoint |
/// | `scsi/retired/LUN` (3 digits) | second of the Unix epoch at which the endpoint was taken out of service |
/// | `scsi/host/HOST` | the host's initiator names, one a line |
/// | `scsi/binding/VOLUME/HOST` | endpoint LUN, subsidiary number, count of binds |
/// | `scsi/former/VOLUME/HOST` | the place that the host has not left yet since its binding moved: endpoint LUN, subsidiary number, 1 |
/// | `scsi/freed/LUN/NUMBER` (3 and 8 digits) | second of the pool's time at which the number was freed |
/// | `scsi/export/VOLUME` | first line: LUN, `ro` or `rw`; then the initiator names, one a line |
/// | `scsi/freed-lun/LUN/VOLUME/INITIATOR` (5 digits) | an export that ended: second of the pool's time; then the ISIDs (12 hex digits) of the initiator's sessions that were open |
/// | `scsi/last-lun/INITIATOR` | the plain LUN that was given out last to an initiator with exports or resting numbers |
/// | `scsi/last-lun` | the same for all initiators, as version 0.1.0 wrote it |
/// | `scsi/pool-time` | second of the pool's time, which goes on only while it is served |
final class DirectoryRecords {

  private static final String ENDPOINT = "scsi/endpoint/";
  private static final String RETIRED = "scsi/retired/";
  private static final String HOST = "scsi/host/";
  private static final String BINDING = "scsi/binding/";
  private static final String FORMER = "scsi/former/";
  private static final String FREED = "scsi/freed/";
  private static final String EXPORT = "scsi/export/";
  private static final String RESTING = "scsi/freed-lun/";
  private static final String LAST_LUN = "scsi/last-lun";
  private static final String LAST_LUN_OF = LAST_LUN + "/";
  private static final String POOL_TIME = "scsi/pool-time";
  private static final int ENDPOINT_MAX = 255;
  private static final int NUMBER_MAX = 0xff_ffff;
  private static final int LUN_MAX = 16383;
  private static final long SECOND_MAX = 253_402_300_799L;
  private static final Pattern DESIGNATOR = Pattern.compile("naa\\.[0-9a-f]{32}");

  private final PoolRecords records;
  private final SecondaryIdForm form;

  DirectoryRecords(PoolRecords records, SecondaryIdForm form) {
    this.records = records;
    this.form = form;
  }

  /// A number that was freed, and the time of that.
  record Freed(int endpoint, int number, Instant when) {}

  static RecordChange put(ProtocolEndpoint endpoint) {
    return new RecordChange.Put(ENDPOINT + "%03d".formatted(endpoint.lun()), endpoint.naa());
  }

  static RecordChange removeEndpoint(int endpoint) {
    return new RecordChange.Remove(ENDPOINT + "%03d".formatted(endpoint));
  }

  static RecordChange putRetired(int endpoint, Instant when) {
    return new RecordChange.Put(
        RETIRED + "%03d".formatted(endpoint), Long.toString(when.getEpochSecond()));
  }

  static RecordChange removeRetired(int endpoint) {
    return new RecordChange.Remove(RETIRED + "%03d".formatted(endpoint));
  }

  static RecordChange put(HostId host, Collection<String> initiators) {
    return new RecordChange.Put(HOST + host, String.join("\n", initiators));
  }

  static RecordChange remove(HostId host) {
    return new RecordChange.Remove(HOST + host);
  }

  static RecordChange put(Binding binding) {
    return new RecordChange.Put(BINDING + key(binding), value(binding, binding.count()));
  }

  static RecordChange remove(Binding binding) {
    return new RecordChange.Remove(BINDING + key(binding));
  }

  static RecordChange putFormer(Binding former) {
    return new RecordChange.Put(FORMER + key(former), value(former, 1));
  }

  static RecordChange removeFormer(Binding former) {
    return new RecordChange.Remove(FORMER + key(former));
  }

  private static String key(Binding binding) {
    return binding.volume() + "/" + binding.host();
  }

  private static String value(Binding binding, int count) {
    return "%d %d %d".formatted(binding.endpoint().lun(), binding.subsidiary(), count);
  }

  static RecordChange put(Freed freed) {
    return new RecordChange.Put(key(freed), Long.toString(freed.when().getEpochSecond()));
  }

  static RecordChange remove(Freed freed) {
    return new RecordChange.Remove(key(freed));
  }

  private static String key(Freed freed) {
    return FREED + "%03d/%08d".formatted(freed.endpoint(), freed.number());
  }

  static RecordChange put(Export export) {
    String head = export.lun() + (export.readOnly() ? " ro" : " rw");
    return new RecordChange.Put(
        EXPORT + export.volume(), head + '\n' + String.join("\n", export.initiators()));
  }

  static RecordChange removeExport(VolumeId volume) {
    return new RecordChange.Remove(EXPORT + volume);
  }

  static RecordChange put(RestingLuns.Rest rest) {
    StringBuilder value = new StringBuilder(Long.toString(rest.freed().getEpochSecond()));
    new TreeSet<>(rest.isids()).forEach(isid -> value.append(" %012x".formatted(isid)));
    return new RecordChange.Put(key(rest.lun(), rest.volume(), rest.initiator()), value.toString());
  }

  static RecordChange remove(RestingLuns.Rest rest) {
    return new RecordChange.Remove(key(rest.lun(), rest.volume(), rest.initiator()));
  }

  private static String key(int lun, VolumeId volume, String initiator) {
    return RESTING + "%05d/%s/%s".formatted(lun, volume, initiator);
  }

  static RecordChange putLastLun(String initiator, int lun) {
    return new RecordChange.Put(LAST_LUN_OF + initiator, Integer.toString(lun));
  }

  static RecordChange removeLastLun(String initiator) {
    return new RecordChange.Remove(LAST_LUN_OF + initiator);
  }

  static RecordChange putPoolTime(Instant now) {
    return new RecordChange.Put(POOL_TIME, Long.toString(now.getEpochSecond()));
  }

  List<ProtocolEndpoint> endpoints() {
    return each(
        ENDPOINT, e -> new ProtocolEndpoint(endpoint(e.getKey()), designator(e.getValue())));
  }

  /// The endpoint of a key that has it in 3 digits: otherwise two records could mean one endpoint.
  private static int endpoint(String key) {
    int lun = number(key, 1, ENDPOINT_MAX);
    if (!key.equals("%03d".formatted(lun))) {
      throw new IllegalArgumentException("expected 3 digits, got " + key);
    }
    return lun;
  }

  /// Endpoints that are out of service, and since when.
  Map<Integer, Instant> retired() {
    Map<Integer, Instant> retired = new TreeMap<>();
    each(RETIRED, e -> retired.put(endpoint(e.getKey()), instant(e.getValue())));
    return retired;
  }

  private static Instant instant(String text) {
    long second = Long.parseLong(text);
    if (second < 0 || second > SECOND_MAX) {
      throw new IllegalArgumentException("expected a second before the year 10000, got " + text);
    }
    return Instant.ofEpochSecond(second);
  }

  private static String designator(String text) {
    if (!DESIGNATOR.matcher(text).matches()) {
      throw new IllegalArgumentException("expected naa. and 32 hex digits, got " + text);
    }
    return text;
  }

  Map<HostId, SortedSet<String>> hosts() {
    Map<HostId, SortedSet<String>> hosts = new TreeMap<>();
    each(HOST, e -> hosts.put(new HostId(e.getKey()), names(e.getValue())));
    return hosts;
  }

  Optional<SortedSet<String>> initiatorsOf(HostId host) {
    return records.find(HOST + host).map(DirectoryRecords::names);
  }

  List<Binding> bindings(Function<Integer, ProtocolEndpoint> endpoints) {
    return ofVolumes(BINDING, endpoints);
  }

  List<Binding> former(Function<Integer, ProtocolEndpoint> endpoints) {
    return ofVolumes(FORMER, endpoints);
  }

  private List<Binding> ofVolumes(String prefix, Function<Integer, ProtocolEndpoint> endpoints) {
    return each(
        prefix,
        e -> {
          int slash = e.getKey().indexOf('/');
          VolumeId volume = VolumeId.parse(e.getKey().substring(0, slash));
          HostId host = new HostId(e.getKey().substring(slash + 1));
          return binding(volume, host, e.getValue(), endpoints);
        });
  }

  List<Binding> bindingsOf(VolumeId volume, Function<Integer, ProtocolEndpoint> endpoints) {
    return ofVolume(BINDING, volume, endpoints);
  }

  List<Binding> formerOf(VolumeId volume, Function<Integer, ProtocolEndpoint> endpoints) {
    return ofVolume(FORMER, volume, endpoints);
  }

  private List<Binding> ofVolume(
      String prefix, VolumeId volume, Function<Integer, ProtocolEndpoint> endpoints) {
    return each(
        prefix + volume + '/',
        e -> binding(volume, new HostId(e.getKey()), e.getValue(), endpoints));
  }

  private Binding binding(
      VolumeId volume, HostId host, String value, Function<Integer, ProtocolEndpoint> endpoints) {
    String[] fields = fields(value, " ", 3);
    int number = number(fields[1], 1, NUMBER_MAX);
    return new Binding(
        host,
        volume,
        endpoints.apply(number(fields[0], 1, ENDPOINT_MAX)),
        number,
        form.text(number),
        number(fields[2], 1, Integer.MAX_VALUE));
  }

  List<Freed> freed() {
    return each(
        FREED,
        e -> {
          String[] key = fields(e.getKey(), "/", 2);
          Freed freed =
              new Freed(
                  number(key[0], 1, ENDPOINT_MAX),
                  number(key[1], 1, NUMBER_MAX),
                  instant(e.getValue()));
          if (!key(freed).equals(FREED + e.getKey())) {
            throw new IllegalArgumentException("expected 3 and 8 digits, got " + e.getKey());
          }
          return freed;
        });
  }

  Map<VolumeId, Export> exports() {
    Map<VolumeId, Export> exports = new TreeMap<>();
    each(
        EXPORT,
        e -> {
          VolumeId volume = VolumeId.parse(e.getKey());
          return exports.put(volume, export(volume, e.getValue()));
        });
    return exports;
  }

  List<RestingLuns.Rest> resting() {
    return each(
        RESTING,
        e -> {
          String[] key = e.getKey().split("/", 3);
          RestingLuns.Rest rest =
              rest(number(key[0], 0, LUN_MAX), VolumeId.parse(key[1]), key[2], e.getValue());
          if (!key(rest.lun(), rest.volume(), rest.initiator()).equals(RESTING + e.getKey())) {
            throw new IllegalArgumentException("expected 5 digits, got " + e.getKey());
          }
          return rest;
        });
  }

  Optional<RestingLuns.Rest> restOf(int lun, VolumeId volume, String initiator) {
    return records
        .find(key(lun, volume, initiator))
        .map(value -> rest(lun, volume, initiator, value));
  }

  private static RestingLuns.Rest rest(int lun, VolumeId volume, String initiator, String value) {
    String[] fields = value.split(" ", -1);
    Set<Long> isids =
        Arrays.stream(fields).skip(1).map(it -> Long.parseUnsignedLong(it, 16)).collect(toSet());
    return new RestingLuns.Rest(lun, volume, initiator, instant(fields[0]), isids);
  }

  /// The number given out last to an initiator, since each has numbers of its own.
  Optional<Integer> lastLunOf(String initiator) {
    return one(LAST_LUN_OF + initiator, value -> number(value, 0, LUN_MAX));
  }

  /// The number given out last to anybody, before each initiator had numbers of its own.
  Optional<Integer> lastSharedLun() {
    return one(LAST_LUN, value -> number(value, 0, LUN_MAX));
  }

  Optional<Instant> poolTime() {
    return one(POOL_TIME, DirectoryRecords::instant);
  }

  private <T> Optional<T> one(String key, Function<String, T> read) {
    return records.find(key).map(value -> readable(key, value, () -> read.apply(value)));
  }

  Optional<Export> exportOf(VolumeId volume) {
    return records.find(EXPORT + volume).map(value -> export(volume, value));
  }

  private static Export export(VolumeId volume, String value) {
    int line = value.indexOf('\n');
    String[] head = fields(value.substring(0, line), " ", 2);
    return new Export(
        volume, number(head[0], 0, LUN_MAX), isReadOnly(head[1]), names(value.substring(line + 1)));
  }

  private static boolean isReadOnly(String text) {
    return switch (text) {
      case "ro" -> true;
      case "rw" -> false;
      default -> throw new IllegalArgumentException("expected ro or rw, got " + text);
    };
  }

  private static String[] fields(String text, String separator, int count) {
    String[] fields = text.split(separator, -1);
    if (fields.length != count) {
      throw new IllegalArgumentException(
          "expected %d fields, got %d".formatted(count, fields.length));
    }
    return fields;
  }

  /// Reads a number, which may have any value in the pool: numbers become places in tables.
  private static int number(String text, int least, int most) {
    int number = Integer.parseInt(text);
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "expected a number from %d to %d, got %d".formatted(least, most, number));
    }
    return number;
  }

  private static SortedSet<String> names(String lines) {
    return lines.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(lines.split("\n")));
  }

  /// Reads every record under a prefix; the key is passed without it.
  private <T> List<T> each(String prefix, Function<Map.Entry<String, String>, T> read) {
    List<T> all = new ArrayList<>();
    records
        .withPrefix(prefix)
        .forEach(
            (key, value) ->
                all.add(
                    readable(
                        key,
                        value,
                        () -> read.apply(Map.entry(key.substring(prefix.length()), value)))));
    return all;
  }

  private static <T> T readable(String key, String value, Supplier<T> read) {
    try {
      return read.get();
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "expected the pool's record %s to be readable, got: %s".formatted(key, value), e);
    }
  }
}
