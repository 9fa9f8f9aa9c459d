package io.coppice.vasa.verdict;

import java.nio.file.Path;

/// The judge of the database.
public final class DatabaseJudge {

  private DatabaseJudge() {}

  /// Says that it cannot be reached.
  ///
  /// @param url of the server; blank for the embedded one
  /// @param home of the provider
  /// @param failure why, as a sentence
  public static void away(String url, Path home, String failure, Report report) {
    report.fail(
        "database",
        Cause.DATABASE,
        "The control plane has no database%s: %s".formatted(where(url), Report.ended(failure)),
        url.isBlank()
            ? "look into %s for the reason.".formatted(home.resolve("log/postgres.log"))
            : "start that server, or correct coppice.database.url, user and password; the"
                + " provider goes on by itself.");
  }

  /// The URL without its query, which may hold a password.
  private static String where(String url) {
    return url.isBlank() ? "" : " at " + url.replaceFirst("\\?.*", "");
  }
}
