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

/// The certificates that a client showed in its handshake, leaf first, and their worth.
public record ClientChain(List<X509Certificate> certificates) {

  private static final Refusal UNKNOWN =
      new Refusal(Distrust.UNKNOWN_ROOT, "chains to no registered root");

  private static final Refusal REVOKED =
      new Refusal(Distrust.REVOKED, "has been revoked, or one of its issuers has");

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
  /// A revocation list counts if its issuer signed it. An old list still revokes, since a
  /// revocation is final.
  public Optional<Integer> distanceTo(
      Collection<X509Certificate> roots, Collection<X509CRL> revocationLists, Instant now) {
    return pathTo(roots, revocationLists, now).map(path -> path.size() - 1);
  }

  /// The certificates from the leaf to its nearest root, both included, each signed by the next.
  /// Empty if [#distanceTo] is. The order and the rest of the chain do not matter.
  public Optional<List<X509Certificate>> pathTo(
      Collection<X509Certificate> roots, Collection<X509CRL> revocationLists, Instant now) {
    if (!inDate(now)) {
      return Optional.empty();
    }
    if (isOneOf(roots)) {
      return Optional.of(List.of(leaf()));
    }
    return path(roots, now).filter(path -> !revoked(path, revocationLists));
  }

  /// A reason that a chain leads to no root. Later ones come nearer to being trusted.
  public enum Distrust {
    UNKNOWN_ROOT,
    NOT_YET_VALID,
    EXPIRED,
    REVOKED
  }

  /// @param sentence follows the name of the certificate
  public record Refusal(Distrust why, String sentence) {}

  /// The reason that there is no [#pathTo] these roots.
  public Refusal refusal(
      Collection<X509Certificate> roots, Collection<X509CRL> revocationLists, Instant now) {
    if (!inDate(now)) {
      return outOfDate(roots, revocationLists, now);
    }
    Optional<List<X509Certificate>> path = path(roots, now);
    if (path.isPresent()) {
      return revoked(path.get(), revocationLists) ? REVOKED : UNKNOWN;
    }
    // A path that existed, or will exist, within the leaf's own time.
    return path(roots, leaf().getNotBefore().toInstant())
        .or(() -> path(roots, leaf().getNotAfter().toInstant()))
        .flatMap(
            found ->
                found.stream()
                    .filter(issuer -> !inDate(issuer, now))
                    .map(issuer -> ofDate(issuer, now, "has an issuer that"))
                    .findFirst())
        .orElse(UNKNOWN);
  }

  private Refusal outOfDate(
      Collection<X509Certificate> roots, Collection<X509CRL> revocationLists, Instant now) {
    Instant then =
        now.isAfter(leaf().getNotAfter().toInstant())
            ? leaf().getNotAfter().toInstant()
            : leaf().getNotBefore().toInstant();
    Optional<List<X509Certificate>> path =
        isOneOf(roots) ? Optional.of(List.of(leaf())) : path(roots, then);
    if (path.isEmpty()) {
      return UNKNOWN;
    }
    return revoked(path.get(), revocationLists) ? REVOKED : ofDate(leaf(), now, "");
  }

  private static Refusal ofDate(X509Certificate late, Instant now, String whose) {
    Instant end = late.getNotAfter().toInstant();
    Refusal refusal =
        now.isAfter(end)
            ? new Refusal(Distrust.EXPIRED, "has expired: it was valid until " + end)
            : new Refusal(
                Distrust.NOT_YET_VALID,
                "is not valid yet: it is from " + late.getNotBefore().toInstant());
    return whose.isEmpty() ? refusal : new Refusal(refusal.why(), whose + " " + refusal.sentence());
  }

  private boolean isOneOf(Collection<X509Certificate> roots) {
    String fingerprint = fingerprint();
    return roots.stream().anyMatch(root -> Pem.fingerprint(root).equals(fingerprint));
  }

  private boolean inDate(Instant now) {
    return inDate(leaf(), now);
  }

  private static boolean inDate(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && !now.isAfter(certificate.getNotAfter().toInstant());
  }

  /// A path from leaf to root, both included.
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

  /// Whether an issuer signed a revocation list.
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
