package io.coppice.scsi.limit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The share of a volume, as its attributes say.
///
/// | Attribute | Value |
/// |---|---|
/// | `qos.iops`, `qos.bandwidth` | [Limits], decimal; absent for none |
/// | `qos.weight` | decimal; absent for [#DEFAULT_WEIGHT] |
/// | the attribute that [LimitSettings#groupAttribute] names | the name of its group |
///
/// A value that cannot be read, or is out of range, limits nothing: a volume must not stop for it.
/// Whoever asked for another value sees the difference.
///
/// @param weight its share of the group's limit in relation to others, [#MIN_WEIGHT] to
///   [#MAX_WEIGHT]
/// @param group empty for none
public record LimitAttributes(Limits limits, int weight, String group) {

  public static final int MIN_WEIGHT = 1;
  public static final int MAX_WEIGHT = 1000;
  public static final int DEFAULT_WEIGHT = 100;

  public static final String IOPS = "qos.iops";
  public static final String BANDWIDTH = "qos.bandwidth";
  public static final String WEIGHT = "qos.weight";

  /// The attributes that [#attributesOf] may write.
  public static final Set<String> LIMIT_KEYS = Set.of(IOPS, BANDWIDTH);

  public LimitAttributes {
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(group, "group");
    if (weight < MIN_WEIGHT || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "expected a weight from %d to %d, got %d".formatted(MIN_WEIGHT, MAX_WEIGHT, weight));
    }
  }

  /// The limits and the weight of a volume, without its group.
  public static LimitAttributes of(Map<String, String> attributes) {
    return of(attributes, "");
  }

  /// @param groupAttribute the attribute whose value names the group of a volume
  public static LimitAttributes of(Map<String, String> attributes, String groupAttribute) {
    long iops = number(attributes.get(IOPS), Limits.MIN_IOPS, Limits.MAX_IOPS);
    long bandwidth = number(attributes.get(BANDWIDTH), Limits.MIN_BANDWIDTH, Limits.MAX_BANDWIDTH);
    long weight = number(attributes.get(WEIGHT), MIN_WEIGHT, MAX_WEIGHT);
    return new LimitAttributes(
        new Limits(iops, bandwidth),
        weight == 0 ? DEFAULT_WEIGHT : (int) weight,
        attributes.getOrDefault(groupAttribute, ""));
  }

  /// The attributes that express limits. Those of [#LIMIT_KEYS] that are not among them must be
  /// removed.
  public static Map<String, String> attributesOf(Limits limits) {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (limits.maxIops() != 0) {
      attributes.put(IOPS, Long.toString(limits.maxIops()));
    }
    if (limits.maxBandwidth() != 0) {
      attributes.put(BANDWIDTH, Long.toString(limits.maxBandwidth()));
    }
    return attributes;
  }

  private static long number(@Nullable String text, long least, long most) {
    if (text == null) {
      return 0;
    }
    try {
      long value = Long.parseLong(text);
      return value < least || value > most ? 0 : value;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
