package io.coppice.vasa.session;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// Whom we trust: the roots of each registration, and which names belong to whom.
///
/// A host id, an initiator name and a vCenter id belong to the (trust set, certificate subject)
/// that claimed them first; they become free when that set is unregistered. Safe for any thread.
@Service
public final class TrustSets {

  private static final String VCENTER = "vcenter";
  private static final String HOST = "host";
  private static final String INITIATOR = "initiator";

  private final TrustRepository repository;
  private final TransactionOperations transactions;
  private final InstantSource clock;

  public TrustSets(JdbcClient jdbc, TransactionOperations transactions, InstantSource clock) {
    this.repository = new TrustRepository(jdbc);
    this.transactions = transactions;
    this.clock = clock;
  }

  /// Takes a registration's roots. The same roots again are the same set, with these lists.
  UUID register(List<X509Certificate> roots, List<X509CRL> lists, String address) {
    return inTransaction(
        () -> {
          var fresh = new TrustSet(UUID.randomUUID(), distinct(roots), lists);
          UUID id =
              repository.sets().stream()
                  .filter(set -> set.fingerprints().equals(fresh.fingerprints()))
                  .map(TrustSet::id)
                  .findFirst()
                  .orElse(fresh.id());
          repository.save(new TrustSet(id, fresh.roots(), lists), clock.instant(), address);
          return id;
        });
  }

  /// Gives a set new roots and lists.
  void refresh(UUID id, List<X509Certificate> roots, List<X509CRL> lists) {
    inTransaction(
        () -> {
          get(id);
          repository.save(new TrustSet(id, distinct(roots), lists), clock.instant(), "");
          return id;
        });
  }

  /// Ends what a vCenter registered. A set that another vCenter uses too stays.
  ///
  /// @return whether the set is gone
  boolean unregister(UUID id, String subject) {
    return inTransaction(
        () -> {
          repository.forget(VCENTER, id, subject);
          boolean last = repository.claims(VCENTER, id) == 0;
          if (last) {
            repository.delete(id);
          }
          return last;
        });
  }

  public List<TrustSet> all() {
    return repository.sets();
  }

  TrustSet get(UUID id) {
    return all().stream()
        .filter(set -> set.id().equals(id))
        .findFirst()
        .orElseThrow(
            () -> VasaException.invalidSession("the registration of this client has been ended"));
  }

  /// Sets that a client's chain leads to, the nearest root first; of equally near ones the newest.
  List<TrustSet> trusting(ClientChain chain) {
    List<TrustSet> newestFirst = all().reversed();
    record Candidate(TrustSet set, int distance) {}
    return newestFirst.stream()
        .flatMap(
            set -> set.distance(chain, clock.instant()).map(d -> new Candidate(set, d)).stream())
        .sorted(Comparator.comparingInt(Candidate::distance))
        .map(Candidate::set)
        .toList();
  }

  /// Claims a peer's names, all or none.
  ///
  /// @return the client as it is known from now on
  /// @throws VasaException (InvalidSession) if no set trusts it, (InvalidArgument) if a name
  ///   belongs to another client
  Session.Client claim(ClientChain chain, Peer peer, Set<String> initiators) {
    return inTransaction(
        () -> {
          List<TrustSet> candidates = trusting(chain);
          if (candidates.isEmpty()) {
            throw VasaException.invalidSession(
                "the client certificate %s chains to no registered root"
                    .formatted(chain.subject()));
          }
          var owner = ownerOf(kind(peer), peer.guid(), chain, candidates);
          repository.claim(kind(peer), peer.guid(), owner, clock.instant());
          for (String initiator : initiators) {
            requireSame(INITIATOR, initiator, owner);
            repository.claim(INITIATOR, initiator, owner, clock.instant());
          }
          if (peer instanceof Peer.Vcenter vcenter) {
            repository.link(owner.trustSet(), vcenter.guid());
          }
          return new Session.Client(owner.trustSet(), chain.fingerprint(), chain.subject());
        });
  }

  private TrustRepository.Owner ownerOf(
      String kind, String name, ClientChain chain, List<TrustSet> candidates) {
    Optional<TrustRepository.Owner> known = repository.owner(kind, name);
    if (known.isEmpty()) {
      return new TrustRepository.Owner(candidates.getFirst().id(), chain.subject());
    }
    var owner = known.get();
    boolean trusted = candidates.stream().anyMatch(set -> set.id().equals(owner.trustSet()));
    if (!trusted || !owner.subject().equals(chain.subject())) {
      throw foreign(kind, name, chain.subject());
    }
    return owner;
  }

  private void requireSame(String kind, String name, TrustRepository.Owner owner) {
    Optional<TrustRepository.Owner> known = repository.owner(kind, name);
    if (known.isPresent() && !known.get().equals(owner)) {
      throw foreign(kind, name, owner.subject());
    }
  }

  private static VasaException foreign(String kind, String name, String subject) {
    return new VasaException(
        new Fault.InvalidArgument(),
        "the %s %s belongs to another client, not to %s".formatted(kind, name, subject));
  }

  private static String kind(Peer peer) {
    return switch (peer) {
      case Peer.Vcenter _ -> VCENTER;
      case Peer.Host _ -> HOST;
    };
  }

  private static List<X509Certificate> distinct(List<X509Certificate> roots) {
    var seen = new HashSet<String>();
    return roots.stream().filter(root -> seen.add(Pem.fingerprint(root))).toList();
  }

  /// Ids of the sets that `chain` may act for.
  Set<UUID> idsTrusting(ClientChain chain) {
    return trusting(chain).stream().map(TrustSet::id).collect(Collectors.toUnmodifiableSet());
  }

  private <T> T inTransaction(java.util.function.Supplier<T> work) {
    Function<Object, T> body =
        _ -> {
          repository.lock();
          return work.get();
        };
    return java.util.Objects.requireNonNull(transactions.execute(body::apply));
  }
}
