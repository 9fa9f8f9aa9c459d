package io.coppice.bench.iscsi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/// The options of a command: `--name VALUE` each, with a value that stands where none is given.
public final class Arguments {

  private final Map<String, String> values = new LinkedHashMap<>();

  /// @param names of the options with their defaults; an option with an empty one may stay empty
  /// @throws IllegalArgumentException for an option that is none of them or has no value
  public Arguments(String[] arguments, Map<String, String> names) {
    values.putAll(names);
    for (int i = 0; i < arguments.length; i += 2) {
      if (!arguments[i].startsWith("--") || !names.containsKey(arguments[i].substring(2))) {
        throw new IllegalArgumentException(
            "expected one of --%s, got %s"
                .formatted(String.join(", --", new TreeSet<>(names.keySet())), arguments[i]));
      }
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException("expected a value after " + arguments[i]);
      }
      values.put(arguments[i].substring(2), arguments[i + 1]);
    }
  }

  public String text(String name) {
    return values.getOrDefault(name, "");
  }

  /// @throws IllegalArgumentException if it is not a whole number of `least` or more
  public int number(String name, int least) {
    String text = text(name);
    try {
      int number = Integer.parseInt(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "expected a whole number after --%s, got %s".formatted(name, text), e);
    }
    throw new IllegalArgumentException(
        "expected %d or more after --%s, got %s".formatted(least, name, text));
  }
}
