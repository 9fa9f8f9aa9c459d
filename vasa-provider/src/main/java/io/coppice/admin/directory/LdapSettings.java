package io.coppice.admin.directory;

import io.coppice.admin.outside.RoleRules;
import java.time.Duration;
import java.util.List;

/// Settings of the directory; see `config/application.yaml` for each.
///
/// @param servers URLs in the order in which they are asked; empty: no directory
/// @param unencrypted whether `ldap://` goes without StartTLS
/// @param ca file of authorities in PEM; empty: those of this Java
/// @param roles `ROLE: DN of a group`
/// @param checks passwords checked at a time
public record LdapSettings(
    List<String> servers,
    boolean unencrypted,
    String ca,
    Bind bind,
    User user,
    Group group,
    List<String> roles,
    Waits waits,
    int checks) {

  static final String KEY = "coppice.ldap.";

  /// The name in a template of a filter or a DN.
  static final String NAME = "{name}";

  /// The DN of the user in a filter for groups.
  static final String DN = "{dn}";

  public LdapSettings {
    servers = List.copyOf(servers);
    roles = List.copyOf(roles);
    within("checks", checks, 1, 256);
    servers.forEach(LdapServer::parse);
    rules(roles);
    if (!servers.isEmpty() && user.dn.isBlank() == user.base.isBlank()) {
      throw new IllegalArgumentException(
          KEY + "user: expected either dn or base, got " + (user.dn.isBlank() ? "none" : "both"));
    }
  }

  /// The account that searches.
  ///
  /// @param name its DN; empty: searches are anonymous
  /// @param passwordFile file whose first line is its password
  public record Bind(String name, String passwordFile) {
    public Bind {
      if (name.isBlank() != passwordFile.isBlank()) {
        throw new IllegalArgumentException(
            KEY + "bind: expected name and password-file, got one of them");
      }
      LdapNames.requireDn(KEY + "bind.name", name);
    }
  }

  /// The place of a user in the directory.
  ///
  /// @param dn template of the DN, with `{name}`; empty: the user is searched
  /// @param base below which users are searched
  /// @param filter with `{name}`
  /// @param subject attribute that stays the same when somebody is renamed; empty: the DN
  /// @param shown attribute with the name that people know somebody by; empty: the name as typed
  public record User(String dn, String base, String filter, String subject, String shown) {
    public User {
      LdapNames.requireDn(KEY + "user.base", base);
      LdapNames.requireTemplate(KEY + "user.filter", filter, NAME);
      if (!dn.isBlank()) {
        LdapNames.requireDnTemplate(KEY + "user.dn", dn);
      }
    }
  }

  /// The way to the groups of a user.
  ///
  /// @param attribute of the user with the DNs of his groups; empty: none
  /// @param base below which groups are searched; empty: they are not
  /// @param filter with `{dn}` or `{name}`
  /// @param most groups of a user
  public record Group(String attribute, String base, String filter, int most) {
    public Group {
      within("group.most", most, 1, 100_000);
      LdapNames.requireDn(KEY + "group.base", base);
      LdapNames.requireTemplate(KEY + "group.filter", filter, DN, NAME);
    }
  }

  /// Times, 100 ms to 5 minutes each, if not said otherwise.
  ///
  /// @param connect for a connection
  /// @param answer for each answer
  /// @param login for a whole check, over all servers
  /// @param pause for which a server that failed is asked last, 0 s to 1 h
  public record Waits(Duration connect, Duration answer, Duration login, Duration pause) {
    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofMinutes(5);

    public Waits {
      within("waits.connect", connect, LEAST, MOST);
      within("waits.answer", answer, LEAST, MOST);
      within("waits.login", login, LEAST, MOST);
      within("waits.pause", pause, Duration.ZERO, Duration.ofHours(1));
    }
  }

  /// Whether there is a directory.
  public boolean isOn() {
    return !servers.isEmpty();
  }

  /// The roles of the groups.
  public RoleRules rules() {
    return rules(roles);
  }

  private static RoleRules rules(List<String> roles) {
    return RoleRules.parse(KEY + "roles", roles, LdapNames::canonicalDn);
  }

  private static <T extends Comparable<T>> void within(String key, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s%s: expected %s to %s, got %s".formatted(KEY, key, least, most, value));
    }
  }
}
