package io.coppice.vasa.verdict;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/// The host names and addresses that a certificate is for (RFC 5280 §4.2.1.6). The common name does
/// not count (RFC 9525 §2).
///
/// @param all host names and addresses, as the certificate writes them
public record SubjectNames(List<String> all) {

  private static final int DNS = 2;
  private static final int IP = 7;
  private static final int SHOWN = 6;

  public SubjectNames {
    all = List.copyOf(all);
  }

  public static SubjectNames of(X509Certificate certificate) {
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      if (alternatives != null) {
        for (List<?> each : alternatives) {
          int type = (Integer) each.getFirst();
          if (type == DNS || type == IP) {
            names.add(String.valueOf(each.get(1)));
          }
        }
      }
    } catch (CertificateParsingException e) {
      return new SubjectNames(List.of());
    }
    return new SubjectNames(names);
  }

  /// Whether a client that connects to `name` accepts the certificate for that name.
  public boolean include(String name) {
    return isAddress(name)
        ? all.stream().filter(SubjectNames::isAddress).anyMatch(each -> same(each, name))
        : all.stream().anyMatch(each -> matches(each, name));
  }

  private static boolean isAddress(String name) {
    return name.contains(":") || name.matches("[0-9.]+");
  }

  /// Whether two names are the same. Literals are not looked up.
  private static boolean same(String one, String other) {
    try {
      return InetAddress.getByName(one).equals(InetAddress.getByName(other));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /// Whether a pattern matches. A star stands for one whole label, the first (RFC 9525 §6.3).
  private static boolean matches(String pattern, String name) {
    String given = name.toLowerCase(Locale.ROOT);
    String wanted = pattern.toLowerCase(Locale.ROOT);
    int dot = given.indexOf('.');
    return wanted.equals(given)
        || (wanted.startsWith("*.") && dot > 0 && wanted.substring(1).equals(given.substring(dot)));
  }

  @Override
  public String toString() {
    if (all.isEmpty()) {
      return "no name";
    }
    String shown = String.join(", ", all.subList(0, Math.min(SHOWN, all.size())));
    return all.size() > SHOWN ? shown + " and %d more".formatted(all.size() - SHOWN) : shown;
  }
}
