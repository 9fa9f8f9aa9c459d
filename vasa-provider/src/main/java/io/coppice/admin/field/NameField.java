package io.coppice.admin.field;

import io.coppice.admin.problem.RequestRejectedException;
import org.jspecify.annotations.Nullable;

/// The field `name` of an object that an administrator makes.
public final class NameField {

  private static final int LONGEST = 80;

  private NameField() {}

  /// @return the name: 1 to 80 characters, not only blanks
  /// @throws RequestRejectedException if there is none or it is too long
  public static String checked(@Nullable String name) {
    String given = RequestRejectedException.requireField("name", name);
    if (given.isBlank() && !given.isEmpty()) {
      throw RequestRejectedException.field(
          "name",
          "expected a name that is not only blanks, got %d of them".formatted(given.length()));
    }
    if (given.isEmpty() || given.length() > LONGEST) {
      throw RequestRejectedException.field(
          "name",
          "expected a name of 1 to %d characters, got %d".formatted(LONGEST, given.length()));
    }
    return given;
  }

  /// As [#checked], without line breaks and other control characters.
  ///
  /// @throws RequestRejectedException also if it has some
  public static String oneLine(@Nullable String name) {
    String given = checked(name);
    if (given.chars().anyMatch(Character::isISOControl)) {
      throw RequestRejectedException.field(
          "name", "expected a name without control characters, got one with some");
    }
    return given;
  }
}
