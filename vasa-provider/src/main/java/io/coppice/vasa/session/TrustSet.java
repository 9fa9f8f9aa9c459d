package io.coppice.vasa.session;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Pem;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// The roots and revocation lists of one registration.
public record TrustSet(UUID id, List<X509Certificate> roots, List<X509CRL> revocationLists) {

  public TrustSet {
    roots = List.copyOf(roots);
    revocationLists = List.copyOf(revocationLists);
  }

  Set<String> fingerprints() {
    return roots.stream().map(Pem::fingerprint).collect(Collectors.toUnmodifiableSet());
  }

  /// See [ClientChain#pathTo].
  Optional<List<X509Certificate>> path(ClientChain chain, Instant now) {
    return chain.pathTo(roots, revocationLists, now);
  }

  /// See [ClientChain#refusal].
  ClientChain.Refusal refusal(ClientChain chain, Instant now) {
    return chain.refusal(roots, revocationLists, now);
  }

  /// See [ClientChain#distanceTo].
  Optional<Integer> distance(ClientChain chain, Instant now) {
    return chain.distanceTo(roots, revocationLists, now);
  }
}
