package io.coppice.driver.pki;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;

/// Text forms of certificates. Lines end with `\n` only, as the contract wants it.
public final class Pem {
  private Pem() {}

  /// `bytes` under a PEM label, for example `CERTIFICATE`.
  public static String encode(String label, byte[] bytes) {
    byte[] newline = "\n".getBytes(StandardCharsets.US_ASCII);
    String body = Base64.getMimeEncoder(64, newline).encodeToString(bytes);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label);
  }

  public static String encode(X509Certificate certificate) {
    try {
      return encode("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException("the certificate has no encoding", e);
    }
  }

  /// The bytes of the one PEM object with this label.
  ///
  /// @throws IllegalArgumentException if it is missing, or the text has CR characters
  public static byte[] decode(String label, String text) {
    String begin = "-----BEGIN " + label + "-----";
    String end = "-----END " + label + "-----";
    int from = text.indexOf(begin);
    int to = text.indexOf(end);
    if (from < 0 || to < from || text.indexOf('\r') >= 0) {
      throw new IllegalArgumentException(
          "expected \"%s\" and lines that end with LF only, got \"%s\""
              .formatted(begin, text.substring(0, Math.min(40, text.length()))));
    }
    String body = text.substring(from + begin.length(), to).replaceAll("\\s", "");
    return Base64.getDecoder().decode(body);
  }

  public static X509Certificate certificate(String text) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(decode("CERTIFICATE", text)));
    } catch (CertificateException e) {
      throw new IllegalArgumentException("expected an X.509 certificate, got another text", e);
    }
  }

  /// The SHA-256 of a certificate in lower case hex: the thumbprint an administrator confirms.
  public static String thumbprint(X509Certificate certificate) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
      throw new IllegalStateException("a certificate without a thumbprint", e);
    }
  }
}
