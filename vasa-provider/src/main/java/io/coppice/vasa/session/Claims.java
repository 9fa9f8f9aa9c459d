package io.coppice.vasa.session;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.security.cert.CertificateException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// The owners of names. An object lives for one transaction that holds the lock of trust.
///
/// - A vCenter id: a registration with the password opens one seat in its trust set. The first
///   client that names itself a vCenter takes the seat, and with it the id from its former owner.
///   Nobody else becomes a vCenter.
/// - A host id or an initiator name: the (trust set, certificate subject) that claimed it first.
///   The name passes on in two cases: a later registration of its vCenter replaced its set; or its
///   set no longer trusts the certificate of its owner, and there was a registration since.
final class Claims {

  static final String VCENTER = "vcenter";
  static final String HOST = "host";
  static final String INITIATOR = "initiator";

  private final TrustRepository repository;
  private final ClientChain chain;
  private final String address;
  private final Map<UUID, TrustSet> sets;
  private final List<UUID> candidates;
  private final Instant now;

  /// @param chain the client that claims
  /// @param address its IP address
  /// @param sets every trust set
  /// @param candidates the sets that trust it, the best first; not empty
  Claims(
      TrustRepository repository,
      Client client,
      Map<UUID, TrustSet> sets,
      List<UUID> candidates,
      Instant now) {
    this.repository = repository;
    this.chain = client.chain();
    this.address = client.address();
    this.sets = Map.copyOf(sets);
    this.candidates = List.copyOf(candidates);
    this.now = now;
  }

  /// The client that claims: its certificates and its IP address.
  record Client(ClientChain chain, String address) {}

  /// Claims a peer's names.
  ///
  /// @return the trust set that they belong to
  /// @throws VasaException (InvalidArgument) if one belongs to another client, or if this one has
  ///   more than it may
  UUID claim(Peer peer, Set<String> initiators, SessionLimits limits) {
    if (initiators.size() > limits.initiatorsPerClient()) {
      throw tooMany(limits.initiatorsPerClient(), "initiator", initiators.size());
    }
    UUID set =
        switch (peer) {
          case Peer.Vcenter vcenter -> vcenterSet(vcenter.guid());
          case Peer.Host host -> hostSet(host.guid());
        };
    int hostsBefore = count(HOST, set);
    int initiatorsBefore = count(INITIATOR, set);
    write(peer instanceof Peer.Vcenter ? VCENTER : HOST, peer.guid(), set);
    for (String initiator : initiators) {
      requireFree(INITIATOR, initiator, set);
      write(INITIATOR, initiator, set);
    }
    requireAtMost(limits.hostsPerClient(), "host id", HOST, set, hostsBefore);
    requireAtMost(limits.initiatorsPerClient(), "initiator", INITIATOR, set, initiatorsBefore);
    repository.deleteReplacedWithoutClaims();
    return set;
  }

  private int count(String kind, UUID set) {
    return repository.claims(kind, set, chain.subject());
  }

  /// Checks a limit after everything is written; a failure takes it back. Known names do not count
  /// twice. A client that was over the limit before it was set, and names no new one, comes in.
  private void requireAtMost(int limit, String what, String kind, UUID set, int before) {
    int claimed = count(kind, set);
    if (claimed > Math.max(limit, before)) {
      throw tooMany(limit, what, claimed);
    }
  }

  private VasaException tooMany(int limit, String what, int claimed) {
    return VasaException.refusing(
        new Fault.InvalidArgument(),
        "expected at most %d %ss of one client certificate, %s would have %d with those that it names now"
            .formatted(limit, what, chain.subject(), claimed));
  }

  private UUID vcenterSet(String guid) {
    Optional<TrustRepository.Owner> known = repository.owner(VCENTER, guid);
    Optional<UUID> ownSeat = seat(true);
    if (known.isPresent() && ownSeat.isEmpty() && isOwner(known.get())) {
      return known.get().trustSet();
    }
    UUID set = ownSeat.or(() -> seat(false)).orElseThrow(() -> notRegistered(guid));
    repository.takeSeat(set);
    known.map(TrustRepository.Owner::trustSet).ifPresent(old -> leave(old, guid, set));
    return set;
  }

  /// The first candidate that waits for its vCenter.
  ///
  /// @param here whether it must have been registered from the client's address
  private Optional<UUID> seat(boolean here) {
    return candidates.stream()
        .filter(set -> repository.awaitsVcenter(set, here ? address : null))
        .findFirst();
  }

  /// Leaves a set. One without vCenters stands for hosts that still show its certificates.
  private void leave(UUID old, String guid, UUID next) {
    if (!old.equals(next)) {
      repository.forget(VCENTER, guid);
      if (repository.claims(VCENTER, old) == 0) {
        repository.replace(old, next);
      }
    }
  }

  private UUID hostSet(String guid) {
    Optional<TrustRepository.Owner> known = repository.owner(HOST, guid);
    if (known.isEmpty()) {
      return candidates.getFirst();
    }
    if (isOwner(known.get())) {
      return known.get().trustSet();
    }
    return candidates.stream()
        .filter(set -> passesOn(known.get(), set))
        .findFirst()
        .orElseThrow(() -> foreign(HOST, guid));
  }

  private void requireFree(String kind, String name, UUID set) {
    Optional<TrustRepository.Owner> known = repository.owner(kind, name);
    boolean free =
        known.isEmpty()
            || (known.get().trustSet().equals(set) && known.get().subject().equals(chain.subject()))
            || passesOn(known.get(), set);
    if (!free) {
      throw foreign(kind, name);
    }
  }

  private boolean isOwner(TrustRepository.Owner owner) {
    return candidates.contains(owner.trustSet()) && owner.subject().equals(chain.subject());
  }

  private boolean passesOn(TrustRepository.Owner owner, UUID set) {
    return repository.isReplacedBy(owner.trustSet(), set)
        || (!stillTrusted(owner) && repository.registeredAfter(set, owner.used()));
  }

  /// Whether the owner could still open a session; assumed if its certificate is unknown.
  private boolean stillTrusted(TrustRepository.Owner owner) {
    if (owner.certificates().isEmpty()) {
      return true;
    }
    TrustSet set = sets.get(owner.trustSet());
    try {
      var shown = new ClientChain(Pem.certificates(owner.certificates()));
      return set != null && set.distance(shown, now).isPresent();
    } catch (CertificateException e) {
      throw new IllegalStateException("the database holds a damaged certificate", e);
    }
  }

  private void write(String kind, String name, UUID set) {
    StringBuilder shown = new StringBuilder();
    chain.certificates().forEach(certificate -> shown.append(Pem.of(certificate)));
    repository.claim(
        kind, name, new TrustRepository.Owner(set, chain.subject(), shown.toString(), now));
  }

  private VasaException foreign(String kind, String name) {
    return VasaException.refusing(
        new Fault.InvalidArgument(),
        "the %s %s belongs to another client, not to %s".formatted(kind, name, chain.subject()));
  }

  private VasaException notRegistered(String guid) {
    return VasaException.refusing(
        new Fault.InvalidArgument(),
        "the vcenter %s is not the one that registered, and %s is no host without a hostGuid:"
                .formatted(guid, chain.subject())
            + " expected a registration with the password before another vCenter");
  }
}
