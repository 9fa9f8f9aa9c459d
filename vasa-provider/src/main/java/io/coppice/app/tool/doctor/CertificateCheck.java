package io.coppice.app.tool.doctor;

import io.coppice.vasa.certificate.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The certificate that the VASA port serves: its key, its chain, its dates and its names.
final class CertificateCheck implements Check {

  private static final int NOTICE_DAYS = 90;
  private static final int SOON_DAYS = 30;
  private static final int NOW_DAYS = 7;

  @Override
  public void look(DoctorSubject site, Report report) {
    Path file = site.home().resolve("tls/vasa.pem");
    if (!Files.exists(file)) {
      report.skip("certificate", "there is none yet; the next start makes it");
      return;
    }
    try {
      String text = Files.readString(file);
      List<X509Certificate> chain = Pem.certificates(text);
      key(file, Pem.privateKey(text), chain.getFirst(), report);
      List<X509Certificate> judged = served(site, chain, report);
      chain(file, judged, report);
      dates(new Judged(site, file, judged.getFirst()), report);
      names(new Judged(site, file, judged.getFirst()), report);
    } catch (IOException | CertificateException e) {
      report.fail(
          "certificate",
          Cause.CERTIFICATE,
          "The file %s cannot be used: %s.".formatted(file, e.getMessage()),
          "put the key and the chain there, leaf first, in PEM form, and restart; or move it away: then"
              + " the next start makes a certificate.");
    }
  }

  private record Judged(DoctorSubject site, Path file, X509Certificate leaf) {

    /// Whether our own root issued it.
    boolean ours() {
      try {
        Path root = site.home().resolve("tls/root.crt");
        return Files.exists(root)
            && signedBy(leaf, Pem.certificates(Files.readString(root)).getFirst());
      } catch (IOException | CertificateException e) {
        return false;
      }
    }

    /// The way to get another certificate.
    String renewal() {
      if (ours()) {
        return "a running provider makes another within the hour, a stopped one when it starts.";
      }
      boolean signed = Files.exists(site.home().resolve("tls/root.pem"));
      return (signed
              ? "refresh the provider's certificate in vCenter, which works after the end too, or put"
              : "put")
          + " another key and chain into %s and restart.".formatted(file);
    }
  }

  private static void key(Path file, PrivateKey key, X509Certificate leaf, Report report) {
    if (belong(key, leaf)) {
      report.ok("certificate", "%s has the key of its certificate", file);
    } else {
      report.fail(
          "certificate",
          Cause.CERTIFICATE,
          "The key in %s is not that of the certificate in it (%s).".formatted(file, subject(leaf)),
          "put the key there that the certificate was made for, and restart.");
    }
  }

  private static boolean belong(PrivateKey key, X509Certificate leaf) {
    try {
      String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
      byte[] sample = {1, 2, 3};
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(sample);
      byte[] signed = signature.sign();
      signature.initVerify(leaf.getPublicKey());
      signature.update(sample);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /// The certificates that the port serves; if it serves none, those in the file.
  private static List<X509Certificate> served(
      DoctorSubject site, List<X509Certificate> inFile, Report report) {
    if (!site.running() || site.settings().vasa().port() == 0) {
      return inFile;
    }
    try {
      List<X509Certificate> served = site.served().chain();
      if (!served.getFirst().equals(inFile.getFirst())) {
        report.warn(
            "certificate",
            "the port still serves another certificate (%s) than the file holds: restart",
            subject(served.getFirst()));
      }
      return served;
    } catch (IOException e) {
      report.fail(
          "certificate",
          Cause.SERVICE,
          "The VASA port %s makes no TLS connection: %s.".formatted(site.vasa(), e.getMessage()),
          "look into the provider's log; if it goes on, restart it.");
      return inFile;
    }
  }

  private static void chain(Path file, List<X509Certificate> chain, Report report) {
    for (int i = 0; i + 1 < chain.size(); i++) {
      if (!signedBy(chain.get(i), chain.get(i + 1))) {
        report.fail(
            "chain",
            Cause.CHAIN,
            "The chain in %s is broken: %s is followed by %s, which did not sign it."
                .formatted(file, subject(chain.get(i)), subject(chain.get(i + 1))),
            "write the chain anew, leaf first, each followed by its issuer, and restart.");
        return;
      }
    }
    X509Certificate last = chain.getLast();
    if (chain.size() == 1 && !signedBy(last, last)) {
      report.warn(
          "chain",
          "it has no issuer beside it: clients must know %s themselves",
          last.getIssuerX500Principal().getName());
    } else {
      report.ok("chain", "complete, up to %s", subject(last));
    }
  }

  private static void dates(Judged judged, Report report) {
    X509Certificate leaf = judged.leaf();
    Instant now = judged.site().now();
    Instant begin = leaf.getNotBefore().toInstant();
    Instant end = leaf.getNotAfter().toInstant();
    boolean invalid = now.isBefore(begin) || now.isAfter(end);
    if (invalid && judged.ours() && !judged.site().running() && now.isAfter(end)) {
      report.warn("expiry", "it ended on %s; the next start makes another", end);
    } else if (invalid) {
      report.fail(
          "expiry",
          Cause.EXPIRED,
          "The certificate %s %s on %s."
              .formatted(
                  subject(leaf),
                  now.isAfter(end) ? "ended" : "is not valid before it begins",
                  now.isAfter(end) ? end : begin),
          judged.renewal());
    } else {
      left(judged, Duration.between(now, end).toDays(), end, report);
    }
  }

  private static void left(Judged judged, long days, Instant end, Report report) {
    if (days > NOTICE_DAYS) {
      report.ok("expiry", "%d days left, until %s", days, end);
      return;
    }
    String haste = "within 90 days";
    if (days <= NOW_DAYS) {
      haste = "now";
    } else if (days <= SOON_DAYS) {
      haste = "within the month";
    }
    report.warn("expiry", "%d days left, until %s; %s: %s", days, end, haste, judged.renewal());
  }

  private static void names(Judged judged, Report report) {
    SubjectNames names = SubjectNames.of(judged.leaf());
    Optional<String> inUrl = judged.site().nameInUrl();
    if (inUrl.isEmpty()) {
      report.ok("names", "the certificate is for %s", names);
    } else if (names.include(inUrl.get())) {
      report.ok("names", "the certificate is for %s among others", inUrl.get());
    } else {
      report.fail(
          "names",
          Cause.NAME,
          "The certificate is not for %s, only for %s.".formatted(inUrl.get(), names),
          "set coppice.tls.names to %s and %s"
              .formatted(
                  inUrl.get(),
                  judged.ours()
                      ? "move %s away, then restart: the provider makes another."
                          .formatted(judged.file())
                      : judged.renewal()));
    }
  }

  static boolean signedBy(X509Certificate certificate, X509Certificate issuer) {
    if (!certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
      return false;
    }
    try {
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  static String subject(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName();
  }
}
