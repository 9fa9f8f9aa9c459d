package io.coppice.vasa.volume;

import io.coppice.vasa.fault.VasaException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Labels of volumes and snapshots: pairs of text by which administrators find them.
///
/// A label is a pair of metadata under a key of its own, so the pool has it with the volume.
/// Snapshots and clones do not get those of their source.
public final class Labels {

  /// Most labels of one volume.
  public static final int MOST = 64;

  private static final String PREFIX = "Coppice_Label.";
  private static final int LONGEST_VALUE = 255;

  /// Most bytes of all labels together, in UTF-8. The pool has 64 KiB for all that is said of one
  /// volume.
  private static final int MOST_BYTES = 32 << 10;

  private static final Pattern KEY = Pattern.compile("[a-z0-9][a-z0-9._/-]{0,62}");

  private Labels() {}

  /// A change of metadata that changes labels.
  public record Change(Map<String, String> put, Set<String> removed) {}

  /// The labels among pairs of metadata, sorted by key.
  public static SortedMap<String, String> in(Map<String, String> metadata) {
    SortedMap<String, String> labels = new TreeMap<>();
    metadata.forEach(
        (key, value) -> {
          if (isLabel(key)) {
            labels.put(keyOf(key), value);
          }
        });
    return labels;
  }

  /// Whether a key of metadata is that of a label.
  public static boolean isLabel(String key) {
    return key.startsWith(PREFIX);
  }

  /// The key of the label that a key of metadata is for.
  public static String keyOf(String metadataKey) {
    return metadataKey.substring(PREFIX.length());
  }

  /// The key of metadata of a label.
  static String metadataKey(String key) {
    return PREFIX + key;
  }

  /// The pairs of metadata of new labels.
  ///
  /// @throws VasaException (InvalidArgument) if a key, a value or their number is not allowed
  public static Map<String, String> metadata(Map<String, ? extends @Nullable String> labels) {
    Map<String, String> pairs = new HashMap<>();
    labels.forEach(
        (key, value) -> {
          if (value == null) {
            throw refused("expected a text as the value of label '%s', got null".formatted(key));
          }
          pairs.put(metadataKey(checkedKey(key)), checkedValue(key, value));
        });
    checkAll(pairs);
    return pairs;
  }

  /// The change that a merge makes (RFC 7396): null removes a label, absent ones stay.
  ///
  /// @param metadata of the volume now
  /// @throws VasaException (InvalidArgument) as [#metadata], of the labels that result
  public static Change merge(
      Map<String, ? extends @Nullable String> wanted, Map<String, String> metadata) {
    Map<String, String> put = new HashMap<>();
    Set<String> removed = new HashSet<>();
    wanted.forEach(
        (key, value) -> {
          if (value == null) {
            removed.add(metadataKey(checkedKey(key)));
          } else {
            put.put(metadataKey(checkedKey(key)), checkedValue(key, value));
          }
        });
    Map<String, String> all = new HashMap<>(metadata);
    all.keySet().removeIf(key -> !isLabel(key) || removed.contains(key));
    all.putAll(put);
    checkAll(all);
    return new Change(put, removed);
  }

  /// @throws VasaException (InvalidArgument) if no label can have this key
  static String checkedKey(String key) {
    if (!KEY.matcher(key).matches()) {
      throw refused(
          "expected keys of labels of 1 to 63 characters of a-z, 0-9 and ._/-, a letter or digit first, got '%s'"
              .formatted(shortened(key)));
    }
    return key;
  }

  /// @throws VasaException (InvalidArgument) if no label can have this value
  static String checkedValue(String key, String value) {
    int length = value.codePointCount(0, value.length());
    if (length > LONGEST_VALUE) {
      throw refused(
          "expected at most %d characters as the value of label '%s', got %d"
              .formatted(LONGEST_VALUE, key, length));
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw refused(
          "expected a value of label '%s' without control characters, got one with some"
              .formatted(key));
    }
    return value;
  }

  private static void checkAll(Map<String, String> pairs) {
    if (pairs.size() > MOST) {
      throw refused("expected at most %d labels, got %d".formatted(MOST, pairs.size()));
    }
    long bytes = pairs.entrySet().stream().mapToLong(Labels::bytes).sum();
    if (bytes > MOST_BYTES) {
      throw refused(
          "expected labels of at most %d bytes together, got %d".formatted(MOST_BYTES, bytes));
    }
  }

  private static long bytes(Map.Entry<String, String> pair) {
    return (long) pair.getKey().length()
        - PREFIX.length()
        + pair.getValue().getBytes(StandardCharsets.UTF_8).length;
  }

  private static String shortened(String key) {
    return key.length() <= 80 ? key : key.substring(0, 80) + "…";
  }

  private static VasaException refused(String message) {
    return VasaException.invalidArgument(message).about("labels");
  }
}
