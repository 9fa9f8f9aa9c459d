package io.coppice.cli.rest;

import io.coppice.cli.failure.CommandFailedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/// Certificates as text: PEM and fingerprints.
public final class Certificates {

  private Certificates() {}

  /// The first certificate of a file in PEM.
  ///
  /// @throws CommandFailedException if there is none
  public static X509Certificate read(Path file) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(file)));
    } catch (IOException | CertificateException e) {
      throw CommandFailedException.usage("expected a certificate in PEM in %s, but %s", file, e);
    }
  }

  public static String pem(X509Certificate certificate) {
    String base64 =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(encoded(certificate));
    return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n".formatted(base64);
  }

  /// SHA-256 of the certificate, in pairs of digits with colons.
  public static String fingerprint(X509Certificate certificate) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(encoded(certificate));
      return HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Whether a fingerprint as a person typed it, with or without colons, is that of a certificate.
  public static boolean isFingerprint(String typed, X509Certificate certificate) {
    String digits = typed.replaceAll("(?i)^sha-?256[:= ]", "").replaceAll("[: ]", "");
    return digits.toUpperCase(Locale.ROOT).equals(fingerprint(certificate).replace(":", ""));
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }
}
