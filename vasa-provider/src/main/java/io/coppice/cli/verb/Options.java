package io.coppice.cli.verb;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.ByteSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Typed values, read as what they mean.
final class Options {

  private final Typed typed;

  Options(Typed typed) {
    this.typed = typed;
  }

  @Nullable String first(String name) {
    List<String> values = typed.values().getOrDefault(name, List.of());
    return values.isEmpty() ? null : values.getFirst();
  }

  List<String> all(String name) {
    return typed.values().getOrDefault(name, List.of());
  }

  boolean isOn(String name) {
    return first(name) != null;
  }

  @Nullable Long size(String name) {
    String text = first(name);
    return text == null ? null : ByteSize.parse(name, text);
  }

  /// @throws CommandFailedException if the text is no number in the range
  static int number(String name, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw CommandFailedException.usage(
        "expected %s from %d to %d, got '%s'", name, least, most, text);
  }
}
