package io.coppice.cli.verb;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An option of a verb.
///
/// @param name with its dashes, such as `--size`
/// @param label of its value, such as `SIZE`; null for an option without a value
/// @param help in some words
/// @param query parameter that takes its value; null if the body or the verb does
/// @param kind of what it names; null for a value that is no name
/// @param required whether the verb needs it
/// @param many whether it may be repeated
/// @param choices values for completion; none if there is no end of them
public record Flag(
    String name,
    @Nullable String label,
    String help,
    @Nullable String query,
    @Nullable Kind kind,
    boolean required,
    boolean many,
    List<String> choices) {

  public Flag {
    choices = List.copyOf(choices);
  }

  /// An option with a value.
  public static Flag of(String name, String label, String help) {
    return new Flag(name, label, help, null, null, false, false, List.of());
  }

  /// An option that names an object.
  public static Flag of(String name, Kind kind, String help) {
    return new Flag(name, kind.name(), help, null, kind, false, false, List.of());
  }

  /// An option without a value.
  public static Flag on(String name, String help) {
    return new Flag(name, null, help, null, null, false, false, List.of());
  }

  /// An option whose value is the parameter of the same name in the query.
  public static Flag filter(String name, String label, String help) {
    return new Flag("--" + name, label, help, name, null, false, false, List.of());
  }

  /// An option that names an object for the parameter of the same name in the query.
  public static Flag filter(String name, Kind kind, String help) {
    return new Flag("--" + name, kind.name(), help, name, kind, false, false, List.of());
  }

  /// This option with values for completion.
  public Flag choosing(List<String> some) {
    return new Flag(name, label, help, query, kind, required, many, some);
  }

  /// This option, which sets a parameter of the query.
  public Flag asQuery(String parameter) {
    return new Flag(name, label, help, parameter, kind, required, many, choices);
  }

  /// This option, without which the verb is refused.
  public Flag needed() {
    return new Flag(name, label, help, query, kind, true, many, choices);
  }

  /// This option, which may be repeated.
  public Flag repeated() {
    return new Flag(name, label, help, query, kind, required, true, choices);
  }
}
