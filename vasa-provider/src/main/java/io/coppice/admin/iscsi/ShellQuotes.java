package io.coppice.admin.iscsi;

import java.util.regex.Pattern;

/// Quotes around what a shell would not take as it is.
final class ShellQuotes {

  private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  /// PowerShell ends a text at a curly quote, too.
  private static final Pattern POWERSHELL_QUOTE = Pattern.compile("['\u2018\u2019\u201a\u201b]");

  private ShellQuotes() {}

  /// One word of a POSIX shell. What begins with a dash is still an option.
  static String posix(String text) {
    return HARMLESS.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /// One text of PowerShell, in which nothing is expanded.
  static String powershell(String text) {
    return "'" + POWERSHELL_QUOTE.matcher(text).replaceAll("$0$0") + "'";
  }
}
