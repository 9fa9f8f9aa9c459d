package io.coppice.cli.noun;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The options that set, remove and look for labels.
final class LabelFlags {

  /// A label of something new.
  static final Flag SET = Flag.of("--label", "KEY=VALUE", "a label; repeatable").repeated();

  /// A label to remove.
  static final Flag REMOVE =
      Flag.of("--remove-label", "KEY", "a label to remove; repeatable").repeated();

  /// A label that what is listed must have.
  static final Flag FILTER =
      Flag.filter("label", "KEY[=VALUE]", "those with a label; repeatable").repeated();

  private LabelFlags() {}

  /// The labels to set; null for none.
  ///
  /// @throws CommandFailedException if one is not `KEY=VALUE`, or its key comes twice
  static @Nullable Map<String, @Nullable String> set(Inputs in) {
    Map<String, @Nullable String> labels = new LinkedHashMap<>();
    for (String text : in.texts(SET.name())) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw CommandFailedException.usage("expected --label KEY=VALUE, got '%s'", text);
      }
      put(labels, text.substring(0, equals), text.substring(equals + 1));
    }
    return labels.isEmpty() ? null : labels;
  }

  /// The labels to set, and those to remove with null; null for none.
  ///
  /// @throws CommandFailedException as [#set]
  static @Nullable Map<String, @Nullable String> change(Inputs in) {
    Map<String, @Nullable String> set = set(in);
    Map<String, @Nullable String> labels = set == null ? new LinkedHashMap<>() : set;
    in.texts(REMOVE.name()).forEach(key -> put(labels, key, null));
    return labels.isEmpty() ? null : labels;
  }

  private static void put(
      Map<String, @Nullable String> labels, String key, @Nullable String value) {
    if (labels.containsKey(key)) {
      throw CommandFailedException.usage("expected label '%s' once, got it twice", key);
    }
    labels.put(key, value);
  }
}
