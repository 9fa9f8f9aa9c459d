package io.coppice.admin.directory;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import io.coppice.admin.outside.BoundedCalls;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The failure of a server to say whether a password is right.
final class LdapFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private static final int LONGEST = 200;

  private LdapFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /// @param did what the server did, such as `closed the connection`
  static LdapFailure of(LdapServer server, String did) {
    return new LdapFailure("the directory %s %s".formatted(server.url(), did), null);
  }

  /// @param doing what it was asked for, such as `search the user`
  static LdapFailure of(
      LdapServer server, String doing, LDAPException e, LdapSettings.Waits waits) {
    return new LdapFailure(
        "the directory %s %s".formatted(server.url(), words(doing, e, waits)), e);
  }

  private static String words(String doing, LDAPException e, LdapSettings.Waits waits) {
    ResultCode code = e.getResultCode();
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof CertificateException || at instanceof SSLException) {
        return "made no TLS connection that can be trusted: " + line(at.getMessage());
      }
    }
    if (code.equals(ResultCode.CONNECT_ERROR)) {
      return unreached(String.valueOf(e.getMessage()), waits);
    }
    if (code.equals(ResultCode.TIMEOUT)) {
      return "did not answer in %s when asked to %s"
          .formatted(BoundedCalls.seconds(waits.answer()), doing);
    }
    if (code.equals(ResultCode.SERVER_DOWN)) {
      return "closed the connection when asked to " + doing;
    }
    if (code.equals(ResultCode.DECODING_ERROR) || code.equals(ResultCode.LOCAL_ERROR)) {
      return "sent something that is not LDAP when asked to " + doing;
    }
    if (code.equals(ResultCode.REFERRAL)) {
      return "referred to another server when asked to " + doing + "; referrals are not followed";
    }
    return "answered '%s' (%d) when asked to %s"
        .formatted(line(code.getName()), code.intValue(), doing);
  }

  /// The library has the reason in its text alone.
  private static String unreached(String text, LdapSettings.Waits waits) {
    if (text.contains("refused")) {
      return "could not be reached: it refuses connections";
    }
    if (text.contains("UnknownHost") || text.contains("resolve")) {
      return "could not be reached: its name cannot be resolved";
    }
    if (text.contains("timed out") || text.contains("timeout")) {
      return "could not be reached: it took no connection in "
          + BoundedCalls.seconds(waits.connect());
    }
    return "could not be reached: " + line(text);
  }

  private static String line(@Nullable String text) {
    String one = String.valueOf(text).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return one.length() <= LONGEST ? one : one.substring(0, LONGEST) + "...";
  }
}
