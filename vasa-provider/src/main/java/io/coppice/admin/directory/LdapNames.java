package io.coppice.admin.directory;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import java.util.Arrays;

/// Names in LDAP: DNs (RFC 4514) and filters (RFC 4515), and what users typed put into them.
final class LdapNames {

  private static final String SAMPLE = "x";

  private LdapNames() {}

  /// The one form of a DN that is compared.
  ///
  /// @throws IllegalArgumentException if the text is no DN
  static String canonicalDn(String text) {
    try {
      return DN.normalize(text);
    } catch (LDAPException e) {
      throw new IllegalArgumentException("expected a DN, got '%s'".formatted(text), e);
    }
  }

  /// @throws IllegalArgumentException if a setting is neither empty nor a DN
  static void requireDn(String setting, String text) {
    if (!DN.isValidDN(text)) {
      throw new IllegalArgumentException("%s: expected a DN, got '%s'".formatted(setting, text));
    }
  }

  /// @throws IllegalArgumentException if a setting is no filter with one of these places
  static void requireTemplate(String setting, String filter, String... places) {
    boolean has = Arrays.stream(places).anyMatch(filter::contains);
    if (!has) {
      throw new IllegalArgumentException(
          "%s: expected a filter with %s, got '%s'"
              .formatted(setting, String.join(" or ", places), filter));
    }
    try {
      filter(filter, SAMPLE, "cn=" + SAMPLE);
    } catch (LDAPException e) {
      throw new IllegalArgumentException(
          "%s: expected a filter of LDAP, got '%s'".formatted(setting, filter), e);
    }
  }

  /// @throws IllegalArgumentException if a setting is no DN with a place for the name
  static void requireDnTemplate(String setting, String dn) {
    try {
      if (dn.contains(LdapSettings.NAME) && !userDn(dn, SAMPLE).equals(new DN(dn))) {
        return;
      }
    } catch (LDAPException e) {
      throw new IllegalArgumentException(
          "%s: expected a DN with {name}, got '%s'".formatted(setting, dn), e);
    }
    throw new IllegalArgumentException(
        "%s: expected a DN with {name}, got '%s'".formatted(setting, dn));
  }

  /// A filter with the name and the DN of a user, escaped so that they stay one value each.
  static Filter filter(String template, String name, String dn) throws LDAPException {
    StringBuilder filled = new StringBuilder();
    for (int i = 0; i < template.length(); ) {
      if (template.startsWith(LdapSettings.NAME, i)) {
        filled.append(Filter.encodeValue(name));
        i += LdapSettings.NAME.length();
      } else if (template.startsWith(LdapSettings.DN, i)) {
        filled.append(Filter.encodeValue(dn));
        i += LdapSettings.DN.length();
      } else {
        filled.append(template.charAt(i++));
      }
    }
    return Filter.create(filled.toString());
  }

  /// The DN of a user by its template. The name fills a value of a component, so it cannot add one.
  static DN userDn(String template, String name) throws LDAPException {
    RDN[] components = new DN(template).getRDNs();
    for (int i = 0; i < components.length; i++) {
      String[] values = components[i].getAttributeValues();
      for (int v = 0; v < values.length; v++) {
        values[v] = values[v].replace(LdapSettings.NAME, name);
      }
      components[i] = new RDN(components[i].getAttributeNames(), values);
    }
    return new DN(components);
  }
}
