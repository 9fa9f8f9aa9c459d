package io.coppice.vasa.verdict;

import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/// The judge of registrations: of the authorities that are trusted, and the vCenters that came.
///
/// @param roots all that are trusted
/// @param lists of revoked certificates
/// @param vcenters names of those that have opened a session
public record TrustJudge(List<X509Certificate> roots, List<X509CRL> lists, List<String> vcenters) {

  private static final int NOTICE_DAYS = 90;

  public TrustJudge {
    roots = List.copyOf(roots);
    lists = List.copyOf(lists);
    vcenters = List.copyOf(vcenters);
  }

  /// Says that nobody can tell now.
  public static void skip(Report report) {
    report.skip("trust", "it stands in the database, which cannot be asked");
  }

  public void judge(Instant now, Report report) {
    registered(report);
    roots.forEach(root -> expiry(root, now, report));
    lists.forEach(list -> age(list, now, report));
  }

  private void registered(Report report) {
    if (roots.isEmpty()) {
      report.warn("trust", "no vCenter has registered this provider yet");
      return;
    }
    report.ok("trust", "trusted: %s", names(roots));
    if (vcenters.isEmpty()) {
      report.warn("sessions", "it is registered, but no vCenter has opened a session since");
    } else {
      report.ok("sessions", "vCenters that have opened sessions: %s", String.join("; ", vcenters));
    }
  }

  /// The names of authorities and their ends, for people.
  public static String names(List<X509Certificate> roots) {
    return roots.stream()
        .map(root -> ServedChain.subject(root) + " until " + root.getNotAfter().toInstant())
        .collect(Collectors.joining("; "));
  }

  private static void expiry(X509Certificate root, Instant now, Report report) {
    long days = Duration.between(now, root.getNotAfter().toInstant()).toDays();
    if (days < 0 || now.isAfter(root.getNotAfter().toInstant())) {
      report.warn(
          "trust",
          "the authority %s ended on %s: its clients are refused until it registers anew",
          ServedChain.subject(root),
          root.getNotAfter().toInstant());
    } else if (days <= NOTICE_DAYS) {
      report.warn("trust", "the authority %s has %d days left", ServedChain.subject(root), days);
    }
  }

  private static void age(X509CRL list, Instant now, Report report) {
    String issuer = list.getIssuerX500Principal().getName();
    if (list.getNextUpdate() == null) {
      report.ok("revocation", "list of %s of %s", issuer, list.getThisUpdate().toInstant());
    } else if (now.isAfter(list.getNextUpdate().toInstant())) {
      report.warn(
          "revocation",
          "the list of %s should have been replaced by %s; what it names stays revoked",
          issuer,
          list.getNextUpdate().toInstant());
    } else {
      report.ok("revocation", "list of %s until %s", issuer, list.getNextUpdate().toInstant());
    }
  }
}
