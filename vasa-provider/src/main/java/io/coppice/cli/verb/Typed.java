package io.coppice.cli.verb;

import java.util.List;
import java.util.Map;

/// The words that were typed after noun and verb.
///
/// @param values by the names of options and the labels of arguments; an option without a value has
///   the value `true`
public record Typed(Map<String, List<String>> values) {

  public Typed {
    values = Map.copyOf(values);
  }
}
