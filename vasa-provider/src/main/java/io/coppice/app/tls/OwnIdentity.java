package io.coppice.app.tls;

import io.coppice.admin.IdentityFacts;
import io.coppice.admin.SystemFacts;
import io.coppice.api.host.RegistrationForm;
import io.coppice.api.system.CertificateInfo;
import io.coppice.app.setting.Home;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.verdict.SubjectNames;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;

/// The identity of this process, from the certificates that it serves now.
public final class OwnIdentity implements IdentityFacts {

  private static final String FORM_PATH = "/vasa/version.xml";

  private final TlsFiles tls;
  private final SystemFacts facts;
  private final Home home;
  private final String user;

  /// @param user that vCenter registers with
  public OwnIdentity(TlsFiles tls, SystemFacts facts, Home home, String user) {
    this.tls = tls;
    this.facts = facts;
    this.home = home;
    this.user = user;
  }

  @Override
  public List<CertificateInfo> certificates() {
    ServedCertificate vasa = tls.vasa().current();
    ServedCertificate management = tls.management().current();
    return List.of(
        info("vasa", vasa.leaf(), tls.isOurs(vasa)),
        info("management", management.leaf(), tls.isOurs(management)),
        info("root", tls.rootCertificate(), tls.isRootOurs()));
  }

  private static CertificateInfo info(String name, X509Certificate certificate, boolean own) {
    return new CertificateInfo(
        name,
        certificate.getSubjectX500Principal().getName(),
        certificate.getIssuerX500Principal().getName(),
        SubjectNames.of(certificate).all(),
        certificate.getNotBefore().toInstant(),
        certificate.getNotAfter().toInstant(),
        fingerprint(certificate),
        own);
  }

  /// As vCenter and browsers show it.
  private static String fingerprint(X509Certificate certificate) {
    return Pem.fingerprint(certificate).toUpperCase(Locale.ROOT).replaceAll("..(?!$)", "$0:");
  }

  @Override
  public RegistrationForm form() {
    return new RegistrationForm(
        facts.vasa().get().resolve(FORM_PATH),
        user,
        home.vasaPassword().toString(),
        fingerprint(tls.vasa().current().chain().getLast()));
  }
}
