package io.coppice.vasa.audit;

import org.jspecify.annotations.Nullable;

/// The one who asked for a change, as far as it was proved.
///
/// @param account the token's name; `vCenter` or `host` with its guid; the account of the machine
///   for a tool; `nobody` for a caller that proved nothing
/// @param token id of the token of REST; null for none
/// @param certificate SHA-256 and subject of the client's certificate; null for none
/// @param address of the client; null if it was no connection
public record Author(
    String account,
    @Nullable String token,
    @Nullable String certificate,
    @Nullable String address) {

  /// The provider itself.
  public static final Author COPPICE = new Author("coppice", null, null, null);

  private static final int LONGEST = 512;

  public Author {
    account = AuditText.bounded(account, LONGEST);
    token = AuditText.orNull(token, LONGEST);
    certificate = AuditText.orNull(certificate, LONGEST);
    address = AuditText.orNull(address, LONGEST);
  }
}
