package io.coppice.vasa.volume.store;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeInfo;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.vasa.policy.PointDemand;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.Binning;
import io.coppice.vasa.volume.SnapshotGrid;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The attributes in which the pool records a virtual volume. Its row can be made again from them.
///
/// | Attribute | Value |
/// |---|---|
/// | `coppice.container` | UUID of the storage container |
/// | `coppice.type` | [VolumeType#text] |
/// | `coppice.origin` | [VolumeOrigin] |
/// | `coppice.state` | `creating` or `prepared`: made by the operation below, which counts once its row is gone |
/// | `coppice.operation` | id of the operation that made it |
/// | `coppice.profile` | `<generation>:<profile id>` |
/// | `coppice.space`, `coppice.interval`, `coppice.retention` | [Requirements]; lengths of time in ISO 8601 |
/// | `coppice.point-age`, `coppice.points-kept`, `coppice.points-locked` | [Requirements#points]; ISO 8601 |
/// | `coppice.iops`, `coppice.bandwidth` | [Requirements#limits] that are asked for, decimal |
/// | `qos.iops`, `qos.bandwidth` | the limits that the target holds the volume to ([LimitAttributes]); snapshots have none |
/// | `coppice.bin` | [Binning#text] of what is in the recycle bin |
/// | `coppice.bin.export` | what its export was, if it was deleted with one |
/// | `coppice.lock` | end of the lock of a snapshot, which the engine judges ([io.coppice.engine.SnapshotLocks]) |
/// | `vasa.<key>` | one pair of the host's metadata |
public final class PoolAttributes {

  private static final String METADATA_PREFIX = "vasa.";

  /// The attribute that names the virtual machine of a volume.
  public static final String MACHINE = METADATA_PREFIX + SnapshotGrid.MACHINE_KEY;

  private static final String CONTAINER = "coppice.container";
  private static final String TYPE = "coppice.type";
  private static final String ORIGIN = "coppice.origin";
  private static final String STATE = "coppice.state";
  private static final String OPERATION = "coppice.operation";
  private static final String PROFILE = "coppice.profile";
  private static final String SPACE = "coppice.space";
  private static final String INTERVAL = "coppice.interval";
  private static final String RETENTION = "coppice.retention";
  private static final String IOPS = "coppice.iops";
  private static final String BANDWIDTH = "coppice.bandwidth";
  private static final String POINT_AGE = "coppice.point-age";
  private static final String POINTS_KEPT = "coppice.points-kept";
  private static final String POINTS_LOCKED = "coppice.points-locked";
  private static final String BIN = "coppice.bin";
  private static final String EXPORT = "coppice.bin.export";

  /// The attributes that [#policy] and [#enforced] may write.
  public static final Set<String> POLICY_KEYS =
      Set.of(
          PROFILE,
          SPACE,
          INTERVAL,
          RETENTION,
          IOPS,
          BANDWIDTH,
          POINT_AGE,
          POINTS_KEPT,
          POINTS_LOCKED,
          LimitAttributes.IOPS,
          LimitAttributes.BANDWIDTH);

  /// The attributes of [#binned].
  public static final Set<String> BIN_KEYS = Set.of(BIN, EXPORT);

  private static final UUID NOWHERE = new UUID(0, 0);

  private PoolAttributes() {}

  /// All attributes of a volume that `operation` makes.
  public static Map<String, String> of(VirtualVolume volume, OperationId operation) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put(CONTAINER, volume.container().toString());
    attributes.put(TYPE, volume.type().text());
    attributes.put(ORIGIN, volume.origin().name());
    attributes.put(STATE, volume.snapshot() ? "prepared" : "creating");
    attributes.put(OPERATION, operation.toString());
    attributes.putAll(policy(volume.profile(), volume.requirements()));
    if (!volume.snapshot()) {
      attributes.putAll(enforced(volume.requirements()));
    }
    attributes.putAll(metadataAttributes(volume.metadata()));
    return attributes;
  }

  public static Map<String, String> metadataAttributes(Map<String, String> metadata) {
    Map<String, String> attributes = new LinkedHashMap<>();
    metadata.forEach((key, value) -> attributes.put(METADATA_PREFIX + key, value));
    return attributes;
  }

  public static Set<String> metadataKeys(Set<String> keys) {
    return keys.stream().map(key -> METADATA_PREFIX + key).collect(Collectors.toUnmodifiableSet());
  }

  /// The part that changes with the policy. Absent ones of [#POLICY_KEYS] must be removed.
  public static Map<String, String> policy(
      @Nullable AppliedProfile profile, Requirements requirements) {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (profile != null) {
      attributes.put(PROFILE, profile.generation() + ":" + profile.id());
    }
    SpaceEfficiency space = requirements.space();
    if (space != null) {
      attributes.put(SPACE, space.name());
    }
    put(attributes, INTERVAL, requirements.snapshotInterval());
    put(attributes, RETENTION, requirements.snapshotRetention());
    put(attributes, POINT_AGE, requirements.points().age());
    put(attributes, POINTS_KEPT, requirements.points().kept());
    put(attributes, POINTS_LOCKED, requirements.points().locked());
    Limits limits = requirements.limits();
    if (limits.maxIops() != 0) {
      attributes.put(IOPS, Long.toString(limits.maxIops()));
    }
    if (limits.maxBandwidth() != 0) {
      attributes.put(BANDWIDTH, Long.toString(limits.maxBandwidth()));
    }
    return attributes;
  }

  private static void put(Map<String, String> attributes, String key, @Nullable Duration length) {
    if (length != null) {
      attributes.put(key, length.toString());
    }
  }

  /// The limits for the target to enforce. Absent ones of [#POLICY_KEYS] must be removed.
  public static Map<String, String> enforced(Requirements requirements) {
    return LimitAttributes.attributesOf(requirements.limits());
  }

  /// The attributes that name the operation that made a volume.
  public static final Set<String> MARKS = Set.of(STATE, OPERATION);

  /// Whether a volume still names the operation that made it.
  public static boolean marked(VolumeInfo info) {
    return info.attributes().containsKey(OPERATION);
  }

  /// The attributes that say that a volume is in the recycle bin.
  ///
  /// @param export what its export was; null if it had none
  public static Map<String, String> binned(Binning binning, @Nullable String export) {
    return export == null
        ? Map.of(BIN, binning.text())
        : Map.of(BIN, binning.text(), EXPORT, export);
  }

  /// What the export was of a volume in the recycle bin.
  public static Optional<String> binnedExport(VolumeInfo volume) {
    return Optional.ofNullable(volume.attributes().get(EXPORT));
  }

  /// The stay of a volume in the recycle bin; empty if it is not there.
  public static Optional<Binning> binning(VolumeInfo volume) {
    return Optional.ofNullable(volume.attributes().get(BIN)).flatMap(Binning::parse);
  }

  public static boolean isBinned(VolumeInfo volume) {
    return binning(volume).isPresent();
  }

  /// Whether the attributes of a volume leave the pool room for some more.
  public static boolean hasRoomFor(VolumeInfo volume, Map<String, String> more) {
    return bytes(volume.attributes()) + bytes(more) <= StorageEngine.MAX_ATTRIBUTES_BYTES;
  }

  private static long bytes(Map<String, String> attributes) {
    return attributes.entrySet().stream()
        .mapToLong(one -> bytes(one.getKey()) + bytes(one.getValue()))
        .sum();
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /// Whether `operation` made the volume.
  public static boolean madeBy(VolumeInfo volume, OperationId operation) {
    return volume.attributes().containsKey(STATE)
        && operation.toString().equals(volume.attributes().get(OPERATION));
  }

  /// The container that the volume names, or that of number 0 if it names none.
  public static UUID container(VolumeInfo volume) {
    return Optional.ofNullable(volume.attributes().get(CONTAINER))
        .flatMap(PoolAttributes::uuid)
        .orElse(NOWHERE);
  }

  public static VolumeType type(VolumeInfo volume) {
    String text = volume.attributes().get(TYPE);
    for (VolumeType type : VolumeType.values()) {
      if (type.text().equals(text)) {
        return type;
      }
    }
    return VolumeType.OTHER;
  }

  public static VolumeOrigin origin(VolumeInfo volume) {
    String text = volume.attributes().get(ORIGIN);
    for (VolumeOrigin origin : VolumeOrigin.values()) {
      if (origin.name().equals(text)) {
        return origin;
      }
    }
    return VolumeOrigin.ADOPTED;
  }

  public static Optional<AppliedProfile> profile(VolumeInfo volume) {
    String text = volume.attributes().getOrDefault(PROFILE, "");
    int colon = text.indexOf(':');
    if (colon < 1) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new AppliedProfile(text.substring(colon + 1), Long.parseLong(text.substring(0, colon))));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  public static Requirements requirements(VolumeInfo volume) {
    String space = volume.attributes().get(SPACE);
    SpaceEfficiency efficiency = null;
    for (SpaceEfficiency candidate : SpaceEfficiency.values()) {
      if (candidate.name().equals(space)) {
        efficiency = candidate;
      }
    }
    return new Requirements(
        efficiency,
        duration(volume.attributes().get(INTERVAL)),
        duration(volume.attributes().get(RETENTION)),
        limits(volume),
        new PointDemand(
            duration(volume.attributes().get(POINT_AGE)),
            duration(volume.attributes().get(POINTS_KEPT)),
            duration(volume.attributes().get(POINTS_LOCKED))));
  }

  private static Limits limits(VolumeInfo volume) {
    String iops = volume.attributes().getOrDefault(IOPS, "0");
    String bandwidth = volume.attributes().getOrDefault(BANDWIDTH, "0");
    try {
      return new Limits(Long.parseLong(iops), Long.parseLong(bandwidth));
    } catch (IllegalArgumentException e) {
      return Limits.NONE;
    }
  }

  /// The name that a host or an administrator gave the volume.
  public static Optional<String> name(VolumeInfo volume) {
    return Optional.ofNullable(volume.attributes().get(METADATA_PREFIX + VolumeChoice.NAME_KEY));
  }

  /// The virtual machine that the volume was stored for.
  public static Optional<String> machine(VolumeInfo volume) {
    return Optional.ofNullable(volume.attributes().get(MACHINE))
        .filter(machine -> !machine.isBlank());
  }

  public static Map<String, String> metadata(VolumeInfo volume) {
    Map<String, String> metadata = new LinkedHashMap<>();
    volume
        .attributes()
        .forEach(
            (key, value) -> {
              if (key.startsWith(METADATA_PREFIX)) {
                metadata.put(key.substring(METADATA_PREFIX.length()), value);
              }
            });
    return metadata;
  }

  private static Optional<UUID> uuid(String text) {
    try {
      return Optional.of(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static @Nullable Duration duration(@Nullable String text) {
    try {
      return text == null ? null : Duration.parse(text);
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
