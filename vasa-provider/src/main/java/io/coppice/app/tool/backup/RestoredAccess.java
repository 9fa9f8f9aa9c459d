package io.coppice.app.tool.backup;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// Access that comes back with a backup, although it may have been revoked since.
///
/// @param tokens names of API tokens that have not expired
/// @param registrations of vCenters
/// @param roots certificates that the registrations trust
/// @param revocationLists of the registrations, as they were then
record RestoredAccess(List<String> tokens, long registrations, long roots, long revocationLists) {

  static final String TOKENS = "api_token";

  RestoredAccess {
    tokens = List.copyOf(tokens);
  }

  /// The access that the rows of a backup give, once they are in the database.
  static RestoredAccess of(BackupTables tables, Manifest manifest) throws SQLException {
    List<String> tokens =
        manifest.rows(TOKENS) == 0
            ? List.of()
            : tables.texts("SELECT name FROM api_token WHERE expires_at > now() ORDER BY name");
    return new RestoredAccess(
        tokens,
        manifest.rows("trust_set"),
        manifest.rows("trust_root"),
        manifest.rows("revocation_list"));
  }

  /// The warning to the operator, in one or two sentences.
  ///
  /// @param since when the backup was made
  /// @param leftOut the part of the tokens that was not restored; empty if they were
  String sentence(Instant since, String leftOut) {
    String registered =
        "%s with %s and %s of then"
            .formatted(
                number(registrations, "registration"),
                number(roots, "root certificate"),
                number(revocationLists, "revocation list"));
    String again = "valid again as of %s, also what was revoked since then: ".formatted(since);
    return leftOut.isEmpty()
        ? again + names() + ", and " + registered + "; --without-tokens leaves the tokens out"
        : again + registered + "; " + leftOut + " were left out";
  }

  /// The tokens, counted and by name.
  String names() {
    return number(tokens.size(), "API token")
        + (tokens.isEmpty() ? "" : " (%s)".formatted(String.join(", ", tokens)));
  }

  private static String number(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
