package io.coppice.admin.directory;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import io.coppice.admin.directory.LdapSession.Search;
import io.coppice.admin.login.Identity;
import io.coppice.admin.login.PasswordOutcome;
import io.coppice.admin.login.PasswordSource;
import io.coppice.admin.outside.BoundedCalls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A directory that is asked by LDAP. A name and its password are right if the directory takes them
/// for a bind. Nothing of them is kept: groups are read at each login.
///
/// Servers are asked in their order; one that failed lately is asked last. A server is asked for no
/// longer than its waits allow, and all of them together no longer than `waits.login`.
public final class LdapDirectory implements PasswordSource {

  /// The source of the identities.
  public static final String SOURCE = "ldap";

  private static final Logger log = LoggerFactory.getLogger(LdapDirectory.class);

  private final LdapSettings settings;
  private final List<LdapServer> servers;
  private final BoundedCalls calls;

  /// Nanoseconds of [System#nanoTime] at which a server failed last.
  private final Map<LdapServer, Long> failedAt = new ConcurrentHashMap<>();

  public LdapDirectory(LdapSettings settings) {
    this.settings = settings;
    this.servers = settings.servers().stream().map(LdapServer::parse).toList();
    this.calls = new BoundedCalls("ldap", settings.checks(), settings.waits().login());
  }

  @Override
  public String name() {
    return SOURCE;
  }

  /// Calls under way, those included that are being ended.
  int underWay() {
    return calls.underWay();
  }

  @Override
  public PasswordOutcome check(String name, String password) {
    if (name.isBlank() || password.isEmpty()) {
      return new PasswordOutcome.Refused();
    }
    try {
      return calls.call(() -> askInTurn(name, password));
    } catch (BoundedCalls.OverdueException e) {
      return unavailable(
          "the directory %s: %s".formatted(String.join(", ", settings.servers()), e.getMessage()));
    } catch (ExecutionException e) {
      log.atError().setCause(e.getCause()).log("a check by the directory failed");
      return unavailable("the check by the directory failed: " + e.getCause());
    }
  }

  private PasswordOutcome askInTurn(String name, String password) {
    List<String> reasons = new ArrayList<>();
    for (LdapServer server : inTurn()) {
      try (LdapSession session = LdapSession.open(server, settings)) {
        Optional<Identity> known = identify(session, name, password);
        failedAt.remove(server);
        return known
            .<PasswordOutcome>map(PasswordOutcome.Known::new)
            .orElseGet(PasswordOutcome.Refused::new);
      } catch (LdapFailure e) {
        failedAt.put(server, System.nanoTime());
        reasons.add(e.getMessage());
        log.atWarn().log("{}", e.getMessage());
      }
    }
    return unavailable(String.join("; ", reasons));
  }

  private static PasswordOutcome unavailable(String reason) {
    return new PasswordOutcome.Unavailable(reason);
  }

  private List<LdapServer> inTurn() {
    long now = System.nanoTime();
    long pause = settings.waits().pause().toNanos();
    return servers.stream()
        .sorted(
            Comparator.comparing(
                server -> {
                  Long at = failedAt.get(server);
                  return at != null && now - at < pause;
                }))
        .toList();
  }

  /// The failures of the servers that do not let in the account that searches, by server. Empty
  /// texts stand for those that do.
  public Map<String, String> probe() {
    Map<String, String> failures = new LinkedHashMap<>();
    for (LdapServer server : servers) {
      String failure;
      try {
        failure = calls.call(() -> probe(server));
      } catch (BoundedCalls.OverdueException e) {
        failure = "the directory %s: %s".formatted(server.url(), e.getMessage());
      } catch (ExecutionException e) {
        failure =
            String.valueOf(e.getCause() instanceof LdapFailure f ? f.getMessage() : e.getCause());
      }
      failures.put(server.url(), failure);
    }
    return failures;
  }

  private String probe(LdapServer server) throws LdapFailure {
    try (LdapSession session = LdapSession.open(server, settings)) {
      session.bindOwn();
      return "";
    }
  }

  /// The user, if the password is his. An unknown one costs a bind, too, as a wrong password does.
  private Optional<Identity> identify(LdapSession session, String name, String password)
      throws LdapFailure {
    Optional<DN> dn = dn(session, name);
    if (!session.proves(dn.orElseGet(this::nobody), password) || dn.isEmpty()) {
      return Optional.empty();
    }
    session.bindOwn();
    return Optional.of(identity(session, name, dn.get()));
  }

  private Optional<DN> dn(LdapSession session, String name) throws LdapFailure {
    LdapSettings.User user = settings.user();
    try {
      if (!user.dn().isBlank()) {
        return Optional.of(LdapNames.userDn(user.dn(), name));
      }
      session.bindOwn();
      Filter filter = LdapNames.filter(user.filter(), name, "");
      List<SearchResultEntry> found =
          session.search(
              new Search("search the user", user.base(), SearchScope.SUB, filter, List.of("1.1")),
              1);
      return found.isEmpty() ? Optional.empty() : Optional.of(found.getFirst().getParsedDN());
    } catch (LDAPException e) {
      return Optional.empty(); // the name makes no filter and no DN: nobody has it
    }
  }

  private DN nobody() {
    try {
      return new DN(new RDN("cn", UUID.randomUUID().toString()), new DN(settings.user().base()));
    } catch (LDAPException e) {
      throw new IllegalStateException("the settings have checked the base", e);
    }
  }

  private Identity identity(LdapSession session, String name, DN dn) throws LdapFailure {
    LdapSettings.User user = settings.user();
    List<String> wanted =
        Stream.of(user.subject(), user.shown(), settings.group().attribute())
            .filter(attribute -> !attribute.isBlank())
            .toList();
    List<SearchResultEntry> entries =
        session.search(
            new Search(
                "read the user",
                dn.toString(),
                SearchScope.BASE,
                Filter.createPresenceFilter("objectClass"),
                wanted.isEmpty() ? List.of("1.1") : wanted),
            1);
    Optional<SearchResultEntry> entry = entries.stream().findFirst();
    String subject =
        entry.flatMap(one -> value(one, user.subject())).orElseGet(dn::toNormalizedString);
    String shown = entry.flatMap(one -> value(one, user.shown())).orElse(name);
    return new Identity(SOURCE, subject, shown, groups(session, name, dn, entry));
  }

  /// The first value of an attribute; one that is no text, such as `objectGUID`, in hex digits.
  private static Optional<String> value(SearchResultEntry entry, String name) {
    Attribute attribute = name.isBlank() ? null : entry.getAttribute(name);
    if (attribute == null || !attribute.hasValue()) {
      return Optional.empty();
    }
    boolean binary = attribute.needsBase64Encoding() || name.equalsIgnoreCase("objectGUID");
    byte[] bytes = attribute.getValueByteArray();
    return binary && bytes != null
        ? Optional.of(HexFormat.of().formatHex(bytes))
        : Optional.ofNullable(attribute.getValue());
  }

  private List<String> groups(
      LdapSession session, String name, DN dn, Optional<SearchResultEntry> entry)
      throws LdapFailure {
    LdapSettings.Group group = settings.group();
    Set<String> found = new LinkedHashSet<>();
    if (!group.attribute().isBlank() && entry.isPresent()) {
      String[] values = entry.get().getAttributeValues(group.attribute());
      for (String value : values == null ? new String[0] : values) {
        add(value, found);
      }
    }
    if (!group.base().isBlank()) {
      session.search(ofGroups(name, dn), group.most()).forEach(one -> add(one.getDN(), found));
    }
    return found.stream().limit(group.most()).toList();
  }

  private Search ofGroups(String name, DN dn) {
    LdapSettings.Group group = settings.group();
    try {
      return new Search(
          "search the groups of the user",
          group.base(),
          SearchScope.SUB,
          LdapNames.filter(group.filter(), name, dn.toString()),
          List.of("1.1"));
    } catch (LDAPException e) {
      throw new IllegalStateException("the settings have checked the filter", e);
    }
  }

  private static void add(String group, Set<String> found) {
    try {
      found.add(LdapNames.canonicalDn(group));
    } catch (IllegalArgumentException e) {
      log.atDebug().addKeyValue("group", group).log("a group without a valid DN is left out");
    }
  }
}
