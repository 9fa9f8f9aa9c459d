package io.coppice.app.tool.doctor;

import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.Report;
import io.coppice.vasa.verdict.ServedChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/// The certificate that the VASA port serves: its key, its chain, its dates and its names.
final class CertificateCheck implements Check {

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
      ServedChain.of(site.home(), judged, site.running())
          .judge(site.nameInUrl(), site.now(), report);
    } catch (IOException | CertificateException e) {
      report.fail(
          "certificate",
          Cause.CERTIFICATE,
          "The file %s cannot be used: %s.".formatted(file, e.getMessage()),
          "put the key and the chain there, leaf first, in PEM form, and restart; or move it away:"
              + " then the next start makes a certificate.");
    }
  }

  private static void key(Path file, PrivateKey key, X509Certificate leaf, Report report) {
    if (belong(key, leaf)) {
      report.ok("certificate", "%s has the key of its certificate", file);
    } else {
      report.fail(
          "certificate",
          Cause.CERTIFICATE,
          "The key in %s is not that of the certificate in it (%s)."
              .formatted(file, ServedChain.subject(leaf)),
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
            ServedChain.subject(served.getFirst()));
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
}
