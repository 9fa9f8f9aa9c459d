package io.coppice.vasa.session;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.VasaException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// The clients that we trust: the roots of each registration, and the owners of names.
///
/// Names become free when their set is unregistered; see [Claims] for the rest. Safe for any
/// thread.
@Service
public final class TrustSets {

  private final TrustRepository repository;
  private final TransactionOperations transactions;
  private final ChangeLog changes;
  private final InstantSource clock;

  public TrustSets(JdbcClient jdbc, TransactionOperations transactions, InstantSource clock) {
    this.repository = new TrustRepository(jdbc);
    this.transactions = transactions;
    this.changes = new ChangeLog(jdbc, clock);
    this.clock = clock;
  }

  /// Takes a registration's roots. The same roots again mean the same set, with these lists.
  UUID register(List<X509Certificate> roots, List<X509CRL> lists, String address) {
    return inTransaction(
        () -> {
          var fresh = new TrustSet(UUID.randomUUID(), distinct(roots), lists);
          Optional<TrustSet> before =
              repository.sets().stream()
                  .filter(set -> set.fingerprints().equals(fresh.fingerprints()))
                  .findFirst();
          UUID id = before.map(TrustSet::id).orElse(fresh.id());
          repository.register(new TrustSet(id, fresh.roots(), lists), clock.instant(), address);
          if (before.isEmpty()) {
            note(ChangeKind.NEW, "RegistrationNew", id, Map.of("address", address));
          } else {
            noteMaterial(before.get(), fresh);
          }
          return id;
        });
  }

  /// Gives a set new roots and lists.
  void refresh(UUID id, List<X509Certificate> roots, List<X509CRL> lists) {
    inTransaction(
        () -> {
          TrustSet before = get(id);
          TrustSet fresh = new TrustSet(id, distinct(roots), lists);
          repository.save(fresh);
          noteMaterial(before, fresh);
          return id;
        });
  }

  /// Notes other roots or lists. The same ones in another order are no change.
  private void noteMaterial(TrustSet before, TrustSet now) {
    if (!before.fingerprints().equals(now.fingerprints())
        || !Set.copyOf(before.revocationLists()).equals(Set.copyOf(now.revocationLists()))) {
      note(
          ChangeKind.UPDATE,
          "RegistrationUpdate",
          before.id(),
          Map.of(
              "roots", Integer.toString(now.roots().size()),
              "lists", Integer.toString(now.revocationLists().size())));
    }
  }

  private void note(ChangeKind kind, String message, UUID id, Map<String, String> parameters) {
    Map<String, String> all = new HashMap<>(parameters);
    all.put("registration", id.toString());
    changes.append(
        NewChange.of(
            ChangeTopic.ACCESS,
            kind,
            new NewChange.Subject(ObjectType.REGISTRATION, id.toString(), message),
            all));
  }

  /// The log for changes of sessions and certificates, which have no transaction of their own.
  ChangeLog changes() {
    return changes;
  }

  /// Ends the registration of a vCenter. A set that another vCenter uses too stays.
  ///
  /// @return whether the set is gone
  boolean unregister(UUID id, String subject) {
    return inTransaction(
        () -> {
          repository.forget(Claims.VCENTER, id, subject);
          boolean last = repository.claims(Claims.VCENTER, id) == 0;
          if (last) {
            repository.delete(id);
          }
          note(
              last ? ChangeKind.DELETE : ChangeKind.UPDATE,
              last ? "RegistrationDelete" : "RegistrationLeft",
              id,
              Map.of());
          return last;
        });
  }

  /// The set that a client may unregister: one of which it is a vCenter; otherwise one that no
  /// vCenter has used yet and in which it is no host.
  Optional<UUID> endableBy(ClientChain chain) {
    String subject = chain.subject();
    List<UUID> trusting = trusting(chain).stream().map(TrustSet::id).toList();
    return trusting.stream()
        .filter(set -> repository.claims(Claims.VCENTER, set, subject) > 0)
        .findFirst()
        .or(
            () ->
                trusting.stream()
                    .filter(set -> repository.claims(Claims.VCENTER, set) == 0)
                    .filter(set -> repository.claims(Claims.HOST, set, subject) == 0)
                    .findFirst());
  }

  public List<TrustSet> all() {
    return repository.sets();
  }

  /// A registration that no later one of its vCenter has replaced.
  ///
  /// @param registered time at which the password came last
  /// @param address address from which it came
  /// @param vcenters ids of the vCenters that use it
  /// @param hosts number of hosts that have come by it
  public record Known(
      UUID id, Instant registered, String address, List<String> vcenters, long hosts) {

    public Known {
      vcenters = List.copyOf(vcenters);
    }
  }

  /// Every registration, oldest first.
  public List<Known> known() {
    return repository.known();
  }

  TrustSet get(UUID id) {
    return all().stream()
        .filter(set -> set.id().equals(id))
        .findFirst()
        .orElseThrow(
            () -> VasaException.invalidSession("the registration of this client has been ended"));
  }

  /// Sets that a client's chain leads to: the nearest root first, then the newest set.
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
  /// @param limits how many one client may have
  /// @return the client as it is known from now on
  /// @throws VasaException (InvalidSession) if no set trusts it; (InvalidArgument) if a name
  ///   belongs to another client, it is not the vCenter that it claims to be, or it has as many
  ///   names as it may
  VasaSession.Client claim(
      Claims.Client client, Peer peer, Set<String> initiators, SessionLimits limits) {
    ClientChain chain = client.chain();
    requireTrusting(chain); // a stranger must not make those wait who take the lock
    return inTransaction(
        () -> {
          Map<UUID, TrustSet> sets =
              all().stream().collect(Collectors.toMap(TrustSet::id, Function.identity()));
          List<UUID> candidates = requireTrusting(chain).stream().map(TrustSet::id).toList();
          var claims = new Claims(repository, client, sets, candidates, clock.instant());
          Optional<UUID> before = registrationOf(peer);
          UUID set = claims.claim(peer, initiators, limits);
          if (peer instanceof Peer.Vcenter && !before.equals(Optional.of(set))) {
            noteVcenter(peer.guid(), before, set);
          }
          return new VasaSession.Client(set, chain.fingerprint(), chain.subject());
        });
  }

  private Optional<UUID> registrationOf(Peer peer) {
    return repository
        .owner(peer instanceof Peer.Vcenter ? Claims.VCENTER : Claims.HOST, peer.guid())
        .map(TrustRepository.Owner::trustSet);
  }

  /// Notes that a vCenter uses a registration from now on, and which one it has left.
  private void noteVcenter(String guid, Optional<UUID> before, UUID now) {
    Map<String, String> parameters = new HashMap<>(Map.of("vcenter", guid));
    before.ifPresent(former -> parameters.put("former", former.toString()));
    note(
        ChangeKind.UPDATE,
        before.isEmpty() ? "RegistrationVcenter" : "RegistrationMoved",
        now,
        parameters);
  }

  /// Frees the id and the initiator names of a host.
  public void forgetHost(String guid, Set<String> initiators) {
    inTransaction(
        () -> {
          repository.forget(Claims.HOST, guid);
          initiators.forEach(name -> repository.forget(Claims.INITIATOR, name));
          return guid;
        });
  }

  /// Ids of the hosts of a registration, and of the hosts of its vCenter's former registrations
  /// that have not come back since.
  public Set<String> hostsOf(UUID set) {
    return repository.names(Claims.HOST, set);
  }

  private List<TrustSet> requireTrusting(ClientChain chain) {
    List<TrustSet> candidates = trusting(chain);
    if (candidates.isEmpty()) {
      throw VasaException.invalidSession(distrust(chain));
    }
    return candidates;
  }

  /// The reason that no set trusts a chain: one sentence, about the set that comes nearest to it.
  String distrust(ClientChain chain) {
    Instant now = clock.instant();
    return all().stream()
        .map(set -> set.refusal(chain, now))
        .max(Comparator.comparing(ClientChain.Refusal::why))
        .map(refusal -> "the client certificate " + chain.subject() + " " + refusal.sentence())
        .orElseGet(
            () ->
                "the client certificate %s chains to no registered root: there is no registration"
                    .formatted(chain.subject()));
  }

  /// Ids of the sets whose vCenter the client is: its certificate's subject took their seat.
  Set<UUID> idsOfVcenter(ClientChain chain) {
    String subject = chain.subject();
    return trusting(chain).stream()
        .map(TrustSet::id)
        .filter(set -> repository.claims(Claims.VCENTER, set, subject) > 0)
        .collect(Collectors.toUnmodifiableSet());
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
