package io.coppice.admin.directory;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.extensions.StartTLSExtendedRequest;
import io.coppice.admin.outside.TrustFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/// A connection to one server of the directory, for one check. It reads in the thread of its
/// caller, and follows no referrals.
final class LdapSession implements AutoCloseable {

  private static final int LONGEST_MESSAGE = 1 << 20;

  /// Refusals of a bind that are about the account (RFC 4511 §4.1.9, Result Message).
  private static final Set<ResultCode> REFUSED =
      Set.of(
          ResultCode.INVALID_CREDENTIALS,
          ResultCode.INAPPROPRIATE_AUTHENTICATION,
          ResultCode.NO_SUCH_OBJECT,
          ResultCode.INVALID_DN_SYNTAX,
          ResultCode.CONSTRAINT_VIOLATION,
          ResultCode.UNWILLING_TO_PERFORM,
          ResultCode.INSUFFICIENT_ACCESS_RIGHTS);

  private final LdapServer server;
  private final LdapSettings settings;
  private final LDAPConnection connection;

  private LdapSession(LdapServer server, LdapSettings settings, LDAPConnection connection) {
    this.server = server;
    this.settings = settings;
    this.connection = connection;
  }

  /// Connects, with TLS unless the settings say otherwise.
  static LdapSession open(LdapServer server, LdapSettings settings) throws LdapFailure {
    LDAPConnection connection = null;
    boolean ready = false;
    try {
      SSLSocketFactory tls =
          new NamedSockets(
              new TrustFile(LdapSettings.KEY + "ca", settings.ca()).context().getSocketFactory());
      SocketFactory sockets = server.tls() ? tls : SocketFactory.getDefault();
      connection = new LDAPConnection(sockets, options(settings));
      connection.connect(server.host(), server.port());
      if (!server.tls() && !settings.unencrypted()) {
        startTls(connection, tls);
      }
      ready = true;
      return new LdapSession(server, settings, connection);
    } catch (LDAPException e) {
      throw LdapFailure.of(server, "connect", e, settings.waits());
    } catch (IOException e) {
      throw LdapFailure.of(server, "was not asked: " + e.getMessage());
    } finally {
      if (!ready && connection != null) {
        connection.close();
      }
    }
  }

  private static void startTls(LDAPConnection connection, SSLSocketFactory tls)
      throws LDAPException {
    ResultCode answer =
        connection.processExtendedOperation(new StartTLSExtendedRequest(tls)).getResultCode();
    if (!answer.equals(ResultCode.SUCCESS)) {
      throw new LDAPException(answer, "StartTLS was refused");
    }
  }

  private static LDAPConnectionOptions options(LdapSettings settings) {
    LDAPConnectionOptions options = new LDAPConnectionOptions();
    options.setConnectTimeoutMillis((int) settings.waits().connect().toMillis());
    options.setResponseTimeoutMillis(settings.waits().answer().toMillis());
    options.setUseSynchronousMode(true);
    options.setAbandonOnTimeout(false);
    options.setFollowReferrals(false);
    options.setBindWithDNRequiresPassword(true);
    options.setMaxMessageSize(LONGEST_MESSAGE);
    return options;
  }

  /// Proves the account that searches, if there is one.
  void bindOwn() throws LdapFailure {
    LdapSettings.Bind own = settings.bind();
    try {
      if (own.name().isBlank()) {
        connection.bind(new SimpleBindRequest()); // anonymous again
        return;
      }
      String password =
          Files.readString(Path.of(own.passwordFile())).lines().findFirst().orElse("").strip();
      connection.bind(new SimpleBindRequest(own.name(), password));
    } catch (IOException e) {
      throw LdapFailure.of(
          server,
          "was not asked: %sbind.password-file cannot be read: %s".formatted(LdapSettings.KEY, e));
    } catch (LDAPException e) {
      throw LdapFailure.of(
          server, "accept the account of %sbind".formatted(LdapSettings.KEY), e, settings.waits());
    }
  }

  /// Whether the password is that of the DN.
  boolean proves(DN user, String password) throws LdapFailure {
    if (user.isNullDN() || password.isEmpty()) {
      return false; // a bind without one of them is anonymous (RFC 4513 §5.1.2)
    }
    try {
      return connection
          .bind(new SimpleBindRequest(user, password))
          .getResultCode()
          .equals(ResultCode.SUCCESS);
    } catch (LDAPException e) {
      if (REFUSED.contains(e.getResultCode())) {
        return false;
      }
      throw LdapFailure.of(server, "check a password", e, settings.waits());
    }
  }

  /// Entries of a search, at most so many.
  ///
  /// @throws LdapFailure also if there are more
  List<SearchResultEntry> search(Search search, int most) throws LdapFailure {
    try {
      SearchRequest request =
          new SearchRequest(
              search.base(),
              search.scope(),
              search.filter(),
              search.attributes().toArray(String[]::new));
      request.setSizeLimit(most + 1);
      request.setTimeLimitSeconds((int) Math.max(1, settings.waits().answer().toSeconds()));
      SearchResult result = connection.search(request);
      if (result.getEntryCount() > most) {
        throw tooMany(search, most);
      }
      List<SearchResultEntry> entries = result.getSearchEntries();
      return inside(search, entries == null ? List.of() : entries);
    } catch (LDAPSearchException e) {
      if (e.getResultCode().equals(ResultCode.NO_SUCH_OBJECT)) {
        return List.of();
      }
      if (e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED)) {
        throw tooMany(search, most);
      }
      throw LdapFailure.of(server, search.doing(), e, settings.waits());
    }
  }

  /// A question to the directory.
  ///
  /// @param doing in words, such as `search the user`
  record Search(
      String doing, String base, SearchScope scope, Filter filter, List<String> attributes) {

    Search {
      attributes = List.copyOf(attributes);
    }
  }

  private LdapFailure tooMany(Search search, int most) {
    return LdapFailure.of(
        server, "had more than %d entries when asked to %s".formatted(most, search.doing()));
  }

  /// An entry from elsewhere is not what was asked for: its DN would be bound.
  private List<SearchResultEntry> inside(Search search, List<SearchResultEntry> entries)
      throws LdapFailure {
    for (SearchResultEntry entry : entries) {
      try {
        DN dn = entry.getParsedDN();
        if (dn.isNullDN() || !dn.isDescendantOf(search.base(), true)) {
          throw LdapFailure.of(
              server,
              "sent an entry from outside of %s when asked to %s"
                  .formatted(search.base(), search.doing()));
        }
      } catch (LDAPException e) {
        throw LdapFailure.of(server, "sent an entry without a valid DN");
      }
    }
    return entries;
  }

  @Override
  public void close() {
    connection.close();
  }
}
