package io.coppice.vasa.certificate;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The certificates that a client showed in its handshake, leaf first, and what they are worth.
public record ClientChain(List<X509Certificate> certificates) {

  public ClientChain {
    certificates = List.copyOf(certificates);
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("expected a certificate, got an empty chain");
    }
  }

  public X509Certificate leaf() {
    return certificates.getFirst();
  }

  public String fingerprint() {
    return Pem.fingerprint(leaf());
  }

  public String subject() {
    return leaf().getSubjectX500Principal().getName();
  }

  /// Number of certificates between the leaf and the root it chains to, the root included; empty if
  /// there is no valid path (RFC 5280 §6) or a certificate on it is revoked. A leaf that itself is
  /// a root counts 0.
  ///
  /// A revocation list counts if its issuer signed it; an old one still revokes, since what was
  /// revoked stays so.
  public Optional<Integer> distanceTo(
      Collection<X509Certificate> roots, Collection<X509CRL> revocationLists, Instant now) {
    return pathTo(roots, revocationLists, now).map(path -> path.size() - 1);
  }

  /// The certificates from the leaf to its nearest root, both included, each signed by the next;
  /// empty where [#distanceTo] is. The order and the rest of the chain do not matter.
  public Optional<List<X509Certificate>> pathTo(
      Collection<X509Certificate> roots, Collection<X509CRL> revocationLists, Instant now) {
    if (!inDate(now)) {
      return Optional.empty();
    }
    String fingerprint = fingerprint();
    if (roots.stream().anyMatch(root -> Pem.fingerprint(root).equals(fingerprint))) {
      return Optional.of(List.of(leaf()));
    }
    return path(roots, now).filter(path -> !revoked(path, revocationLists));
  }

  private boolean inDate(Instant now) {
    return !now.isBefore(leaf().getNotBefore().toInstant())
        && !now.isAfter(leaf().getNotAfter().toInstant());
  }

  /// Leaf to root, both included.
  private Optional<List<X509Certificate>> path(Collection<X509Certificate> roots, Instant now) {
    Set<TrustAnchor> anchors = new HashSet<>();
    roots.stream()
        .filter(root -> root.getBasicConstraints() >= 0)
        .forEach(root -> anchors.add(new TrustAnchor(root, null)));
    if (anchors.isEmpty()) {
      return Optional.empty();
    }
    try {
      var selector = new X509CertSelector();
      selector.setCertificate(leaf());
      var parameters = new PKIXBuilderParameters(anchors, selector);
      parameters.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(certificates)));
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(now));
      var result =
          (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(parameters);
      List<X509Certificate> path = new ArrayList<>();
      result.getCertPath().getCertificates().forEach(c -> path.add((X509Certificate) c));
      path.add(result.getTrustAnchor().getTrustedCert());
      return Optional.of(path);
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private static boolean revoked(List<X509Certificate> path, Collection<X509CRL> lists) {
    for (int i = 0; i + 1 < path.size(); i++) {
      for (X509CRL list : lists) {
        if (list.isRevoked(path.get(i)) && signedBy(list, path.get(i + 1))) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether a revocation list is that of an issuer.
  public static boolean signedBy(X509CRL list, X509Certificate issuer) {
    if (!list.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
      return false;
    }
    try {
      list.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
