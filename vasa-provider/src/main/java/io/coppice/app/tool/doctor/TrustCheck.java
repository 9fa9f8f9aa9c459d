package io.coppice.app.tool.doctor;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.Report;
import io.coppice.vasa.verdict.ServedChain;
import io.coppice.vasa.verdict.TrustJudge;
import java.io.IOException;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// The registered authorities, the vCenters that came under them, and whether the vCenter in
/// question is among them.
final class TrustCheck implements Check {

  @Override
  public void look(DoctorSubject site, Report report) {
    if (!site.database().reached()) {
      TrustJudge.skip(report);
      return;
    }
    List<X509Certificate> roots = roots(site.database());
    List<String> vcenters =
        site.database()
            .rows(
                "SELECT name, subject FROM claim WHERE kind = 'vcenter' ORDER BY name",
                row -> row.getString(1) + " (" + row.getString(2) + ")");
    List<X509CRL> lists = lists(site.database());
    new TrustJudge(roots, lists, vcenters).judge(site.now(), report);
    if (site.vcenter().isPresent()) {
      vcenter(site, new Trusted(roots, lists, vcenters), report);
    }
  }

  private record Trusted(List<X509Certificate> roots, List<X509CRL> lists, List<String> vcenters) {}

  private static void vcenter(DoctorSubject site, Trusted trusted, Report report) {
    ServerAddress vcenter = site.vcenter().orElseThrow();
    try {
      var chain = new ClientChain(site.askVcenter().chain());
      if (trusted.roots().isEmpty()) {
        report.fail(
            "trust",
            Cause.UNREGISTERED,
            "The vCenter %s has not registered this provider: nobody has.".formatted(vcenter),
            "add it there as a storage provider, with user %s and the password in %s."
                .formatted(
                    site.settings().vasa().userName(), site.home().resolve("vasa.password")));
      } else if (chain.distanceTo(trusted.roots(), trusted.lists(), site.now()).isPresent()) {
        report.ok("trust", "the authority of the vCenter %s is trusted", vcenter);
      } else {
        X509Certificate leaf = chain.leaf();
        report.fail(
            "trust",
            Cause.TRUST,
            "The authority of the vCenter %s (%s, issued by %s) is not trusted here; trusted are %s."
                .formatted(
                    vcenter,
                    ServedChain.subject(leaf),
                    leaf.getIssuerX500Principal().getName(),
                    TrustJudge.names(trusted.roots())),
            "register the provider in that vCenter, or refresh its certificates there if its"
                + " authority was renewed.");
      }
    } catch (IOException e) {
      report.skip("trust", "the vCenter %s showed no certificate", vcenter);
    }
  }

  private static List<X509Certificate> roots(DatabaseFacts database) {
    List<X509Certificate> roots = new ArrayList<>();
    for (String pem : texts(database, "SELECT pem FROM trust_root ORDER BY trust_set, position")) {
      try {
        roots.addAll(Pem.certificates(pem));
      } catch (CertificateException e) {
        continue; // the provider would say so itself: it reads them at every session
      }
    }
    return roots;
  }

  private static List<X509CRL> lists(DatabaseFacts database) {
    List<X509CRL> lists = new ArrayList<>();
    for (String pem : texts(database, "SELECT pem FROM revocation_list ORDER BY trust_set")) {
      try {
        lists.addAll(Pem.revocationLists(pem));
      } catch (CRLException e) {
        continue; // as with the roots
      }
    }
    return lists;
  }

  private static List<String> texts(DatabaseFacts database, String question) {
    return database.rows(question, row -> row.getString(1));
  }
}
