package io.coppice.admin.openid;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The place of this server to which a browser goes after its login.
final class LocalTarget {

  /// The start page.
  static final String HOME = "/";

  /// A path with plain characters. It cannot begin with `//`, which names another server, nor have
  /// a backslash, which browsers take for a slash.
  private static final Pattern PATH = Pattern.compile("/(?!/)[A-Za-z0-9/._~%=&?#+,:@-]{0,512}");

  private LocalTarget() {}

  /// The text if it is a path of this server; else the start page.
  static String of(@Nullable String text) {
    return text != null && PATH.matcher(text).matches() ? text : HOME;
  }
}
