package io.coppice.admin.edition;

import io.coppice.admin.access.AdminToken;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The state of what may be changed of an object. Its tag is a digest, so equal states have equal
/// tags, in every process and at any time. What changes by itself, such as used space, is no part.
///
/// @param tag strong, with its quotes (RFC 9110 §8.8.3, ETag)
/// @param state its fields as text, for the audit trail
public record Edition(String tag, String state) {

  private static final int TAG_BYTES = 16;

  /// @param fields the id of the object, and all that may be changed of it. A list counts with its
  ///   order, a set or map without
  public static Edition of(@Nullable Object... fields) {
    List<?> ordered = ordered(Arrays.asList(fields));
    StringBuilder text = new StringBuilder();
    ordered.forEach(field -> write(text, field));
    byte[] digest = AdminToken.digest().digest(text.toString().getBytes(StandardCharsets.UTF_8));
    return new Edition(
        '"' + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + '"', ordered.toString());
  }

  private static List<@Nullable Object> ordered(Collection<? extends @Nullable Object> fields) {
    List<@Nullable Object> ordered = new ArrayList<>();
    fields.forEach(field -> ordered.add(ordered(field)));
    return ordered;
  }

  /// The same value with sets and maps in an order of their own.
  private static @Nullable Object ordered(@Nullable Object field) {
    return switch (field) {
      case null -> null;
      case Map<?, ?> map -> new TreeMap<>(map);
      case Set<?> set -> set.stream().map(String::valueOf).sorted().toList();
      case Collection<?> list -> ordered(list);
      default -> field;
    };
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
