package io.coppice.admin.edition;

import io.coppice.admin.access.AdminToken;
import io.coppice.api.Role;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The state of what may be changed of an object, as named fields. Its tag is a digest of their
/// values, so equal states have equal tags, in every process and at any time. What changes by
/// itself, such as used space, is no part. Immutable.
public final class Edition {

  private static final int TAG_BYTES = 16;

  private final List<@Nullable Object> values;
  private final Map<String, @Nullable String> fields;

  private Edition(List<@Nullable Object> values, Map<String, @Nullable String> fields) {
    this.values = values;
    this.fields = fields;
  }

  /// The edition of an object without fields.
  ///
  /// @param id of the object
  public static Edition of(Object id) {
    return new Edition(List.of(id), Map.of());
  }

  /// The edition with one more field that may be changed.
  ///
  /// @param name as REST calls it
  /// @param value a list counts with its order, a set or map without
  public Edition with(String name, @Nullable Object value) {
    return with(name, value, text(ordered(value)));
  }

  /// As [#with(String, Object)], with a text of the value for people.
  public Edition with(String name, @Nullable Object value, @Nullable String text) {
    Object ordered = ordered(value);
    List<@Nullable Object> more = new ArrayList<>(values);
    more.add(ordered);
    Map<String, @Nullable String> named = new LinkedHashMap<>(fields);
    if (ordered instanceof Map<?, ?> map) {
      map.forEach((key, one) -> named.put(name + "." + key, text(one)));
    } else {
      named.put(name, text);
    }
    return new Edition(more, named);
  }

  private static @Nullable String text(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Role role -> role.text();
      case Collection<?> list ->
          list.stream().map(String::valueOf).collect(Collectors.joining(", "));
      default -> value.toString();
    };
  }

  /// The strong tag, with its quotes (RFC 9110 §8.8.3, ETag).
  public String tag() {
    StringBuilder text = new StringBuilder();
    values.forEach(value -> write(text, value));
    byte[] digest = AdminToken.digest().digest(text.toString().getBytes(StandardCharsets.UTF_8));
    return '"' + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + '"';
  }

  /// The fields by name, in their order, for the audit trail. Each entry of a map is a field, with
  /// the map's name before its own.
  public Map<String, @Nullable String> fields() {
    return Collections.unmodifiableMap(fields);
  }

  /// The same value with sets and maps in an order of their own.
  private static @Nullable Object ordered(@Nullable Object field) {
    return switch (field) {
      case null -> null;
      case Map<?, ?> map -> new TreeMap<>(map);
      case Set<?> set -> set.stream().map(String::valueOf).sorted().toList();
      case Collection<?> list -> orderedList(list);
      default -> field;
    };
  }

  private static List<@Nullable Object> orderedList(Collection<?> list) {
    List<@Nullable Object> all = new ArrayList<>();
    list.forEach(one -> all.add(ordered(one)));
    return all;
  }

  /// Each part tells its length first, so that different fields never make one text.
  private static void write(StringBuilder text, @Nullable Object field) {
    switch (field) {
      case null -> text.append('-');
      case Map<?, ?> map -> {
        text.append(map.size()).append('{');
        map.forEach(
            (key, value) -> {
              write(text, key);
              write(text, value);
            });
      }
      case Collection<?> list -> {
        text.append(list.size()).append('[');
        list.forEach(one -> write(text, one));
      }
      default -> {
        String plain = field.toString();
        text.append(plain.length()).append(':').append(plain);
      }
    }
  }
}
