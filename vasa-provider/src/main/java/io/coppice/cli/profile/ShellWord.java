package io.coppice.cli.profile;

import java.util.regex.Pattern;

/// A word of a POSIX shell, quoted where it has to be.
public final class ShellWord {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellWord() {}

  /// The word as a shell reads it back.
  public static String of(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
