package io.coppice.vasa.certificate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CRLException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

/// PEM texts (RFC 7468) and the fingerprints of what is in them. Lines end in LF alone.
public final class Pem {

  private Pem() {}

  /// All certificates of a text: PEM blocks, or bare Base64 of one DER certificate.
  ///
  /// @throws CertificateException if there is none or one is damaged
  public static List<X509Certificate> certificates(String text) throws CertificateException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    for (byte[] der : blocks(text, "CERTIFICATE")) {
      certificates.add(
          (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
    }
    if (certificates.isEmpty()) {
      throw new CertificateException("expected a certificate in PEM form, got none");
    }
    return List.copyOf(certificates);
  }

  /// All revocation lists of a text.
  ///
  /// @throws CRLException if there is none or one is damaged
  public static List<X509CRL> revocationLists(String text) throws CRLException {
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      List<X509CRL> lists = new ArrayList<>();
      for (byte[] der : blocks(text, "X509 CRL")) {
        lists.add((X509CRL) factory.generateCRL(new ByteArrayInputStream(der)));
      }
      if (lists.isEmpty()) {
        throw new CRLException("expected a revocation list in PEM form, got none");
      }
      return List.copyOf(lists);
    } catch (CertificateException e) {
      throw new CRLException(e.getMessage(), e);
    }
  }

  /// The private key of a text, RSA or EC, in PKCS #8 form.
  ///
  /// @throws CertificateException if there is none
  public static PrivateKey privateKey(String text) throws CertificateException {
    for (byte[] der : blocks(text, "PRIVATE KEY")) {
      var spec = new PKCS8EncodedKeySpec(der);
      for (String algorithm : List.of("RSA", "EC")) {
        try {
          return KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (GeneralSecurityException _) {
          // The key is of the other algorithm, which comes next.
        }
      }
    }
    throw new CertificateException(
        "expected an RSA or EC key in a \"BEGIN PRIVATE KEY\" block, got none");
  }

  public static String of(X509Certificate certificate) {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public static String of(X509CRL list) {
    try {
      return block("X509 CRL", list.getEncoded());
    } catch (CRLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public static String of(PrivateKey key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  /// One PEM block.
  static String block(String type, byte[] der) {
    try {
      var text = new StringWriter();
      try (var writer = new PemWriter(text)) {
        writer.writeObject(new PemObject(type, der));
      }
      return text.toString().replace("\r", "");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /// SHA-256 of the certificate's DER form, lower-case hex.
  public static String fingerprint(X509Certificate certificate) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<byte[]> blocks(String text, String type) {
    List<byte[]> found = new ArrayList<>();
    try (var reader = new PemReader(new StringReader(text.strip() + "\n"))) {
      for (PemObject next = reader.readPemObject(); next != null; next = reader.readPemObject()) {
        if (next.getType().equals(type)) {
          found.add(next.getContent());
        }
      }
      if (found.isEmpty() && !text.contains("-----")) {
        found.add(Base64.getMimeDecoder().decode(text.getBytes(StandardCharsets.US_ASCII)));
      }
    } catch (IOException | RuntimeException _) {
      // Base64 is damaged or an END line is missing, so earlier finds are not to be trusted either.
      return List.of();
    }
    return found;
  }
}
