package io.coppice.cli.verb;

import org.jspecify.annotations.Nullable;

/// An argument of a verb, known by its place.
///
/// @param label in capitals, such as `VOLUME`
/// @param help in some words
/// @param variable of the path that it fills; null for none
/// @param kind of what it names; null for text that is passed on as it is
/// @param many whether it may be repeated, as the last one
public record Argument(
    String label, String help, @Nullable String variable, @Nullable Kind kind, boolean many) {

  /// A text that fills no variable of the path.
  public static Argument text(String label, String help) {
    return new Argument(label, help, null, null, false);
  }

  /// An id or name that fills a variable of the path.
  public static Argument of(Kind kind, String variable) {
    String help = kind == Kind.VM ? "id or name of the virtual machine" : "id or name";
    return new Argument(kind.name(), help, variable, kind, false);
  }

  /// A text that fills a variable of the path.
  public static Argument path(String label, String variable, String help) {
    return new Argument(label, help, variable, null, false);
  }

  /// Several texts, at least one.
  public static Argument many(String label, String help, @Nullable Kind kind) {
    return new Argument(label, help, null, kind, true);
  }
}
