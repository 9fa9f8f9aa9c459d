package io.coppice.iscsi.login;

import java.util.Optional;

/// The names that a login claims, for people: whoever it comes from chose them. What could hide or
/// move text is replaced, and a long name is cut.
///
/// @param initiator empty if none came
/// @param target empty if none came, as in a discovery session
public record LoginNames(Optional<String> initiator, Optional<String> target) {

  public static final LoginNames NONE = new LoginNames(Optional.empty(), Optional.empty());

  /// The longest iSCSI name (RFC 7143 §4.2.7.1), here in characters.
  static final int LONGEST = 223;

  private static final int REPLACEMENT = 0xfffd;

  public LoginNames {
    initiator = initiator.map(LoginNames::shown);
    target = target.map(LoginNames::shown);
  }

  private static String shown(String name) {
    StringBuilder plain = new StringBuilder();
    name.codePoints()
        .limit(LONGEST)
        .forEach(point -> plain.appendCodePoint(isPlain(point) ? point : REPLACEMENT));
    return name.codePoints().skip(LONGEST).findAny().isPresent()
        ? plain.append('…').toString()
        : plain.toString();
  }

  private static boolean isPlain(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> point == ' ';
      default -> true;
    };
  }
}
