package io.coppice.vasa.replication.pairing;

import static java.util.Objects.requireNonNull;

import io.coppice.replication.PoolName;
import io.coppice.scsi.secret.SecretsLockedException;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The pairing of this pool with others.
///
/// *What a cut leaves:* the end that shows the code keeps the peer before it answers, the other one
/// when it has the answer. If the answer is lost, the first end knows a peer that cannot come:
/// pairing again replaces it. Safe for any thread.
public final class Pairing {

  /// How long a code can be typed.
  public static final Duration VALIDITY = Duration.ofMinutes(10);

  private static final Duration AUTHORITY_YEARS = Duration.ofDays(20 * 365);
  private static final Duration LINK_YEAR = Duration.ofDays(365);
  private static final int NONCE_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Site site;
  private final PeerRecords peers;
  private final PairingOffers offers;
  private final PairingCalls calls;
  private final Consumer<NewChange> history;
  private final InstantSource clock;

  /// This end.
  ///
  /// @param pool who this is
  /// @param linkAddress host and port of this pool's links, as others reach them
  /// @param server the certificate that this provider's REST API shows now
  public record Site(
      PoolName pool, Supplier<String> linkAddress, Supplier<X509Certificate> server) {}

  /// @param history hears of each change
  /// @param nanos a clock that nobody sets
  public Pairing(
      Site site,
      PeerRecords peers,
      PairingCalls calls,
      Consumer<NewChange> history,
      InstantSource clock,
      LongSupplier nanos) {
    this.site = site;
    this.peers = peers;
    this.offers = new PairingOffers(nanos);
    this.calls = calls;
    this.history = history;
    this.clock = clock;
  }

  public List<KnownPeer> peers() {
    return peers.known();
  }

  /// @throws VasaException (NotFound) if this pool is not paired with that one
  public KnownPeer peer(UUID pool) {
    return peers.known(pool).orElseThrow(() -> notPaired(pool));
  }

  /// A peer with its keys.
  ///
  /// @throws VasaException (NotFound) as [#peer]
  /// @throws SecretsLockedException if they cannot be read
  PairedPool paired(UUID pool) {
    return peers.find(pool).orElseThrow(() -> notPaired(pool));
  }

  private static VasaException notPaired(UUID pool) {
    return VasaException.notFound("this pool is not paired with pool " + pool);
  }

  /// Notes where the links of a peer are now.
  ///
  /// @param address host and port
  /// @throws VasaException (NotFound) if this pool is not paired with that one; (InvalidArgument)
  ///   if the address is none
  /// @throws SecretsLockedException if the keys of the peer cannot be read: they are sealed anew
  public KnownPeer move(UUID pool, String address) {
    PairedPool now = paired(pool);
    String checked = PeerAddress.checked(address);
    PairedPool moved =
        new PairedPool(now.pool(), checked, now.paired(), now.own(), now.authority(), now.issuer());
    peers.put(moved);
    KnownPeer known = KnownPeer.of(moved);
    history.accept(change(known, ChangeKind.UPDATE));
    return known;
  }

  /// Ends the pairing with a pool: its certificates are trusted no more. Needs no key.
  ///
  /// @throws VasaException (NotFound) if this pool is not paired with that one
  public void end(UUID pool) {
    KnownPeer ended = peer(pool);
    peers.remove(ended.pool().id());
    history.accept(change(ended, ChangeKind.DELETE));
  }

  // ---- at the pool that shows the code

  /// A new code, to be typed at the other pool within [#VALIDITY]. It serves once.
  ///
  /// @throws VasaException (InvalidArgument) if too many wait
  /// @throws SecretsLockedException if the key is missing that would seal those of the peer
  public String offer() {
    peers.requireKey();
    requireNonNull(site.linkAddress().get()); // the port must be there when the other pool calls
    String code = offers.add(VALIDITY).shown();
    history.accept(
        NewChange.of(
            ChangeTopic.CONFIG,
            ChangeKind.UPDATE,
            new NewChange.Subject(ObjectType.PEER, site.pool().id().toString(), "PairingOffered"),
            Map.of()));
    return code;
  }

  /// Answers the pool at which the code was typed, and is paired with it.
  ///
  /// @throws VasaException (InvalidLogin) if no code fits: it is wrong, used, or too old;
  ///   (InvalidArgument) if the request is malformed, or comes from this pool itself
  /// @throws SecretsLockedException as [#offer]
  public PairingMessages.Answer answer(PairingMessages.Request request) {
    if (!request.isWhole()) {
      throw VasaException.invalidArgument(
          "expected pool, name, address, key, nonce and proof of the other pool, got less");
    }
    String fingerprint = Pem.fingerprint(site.server().get());
    PairingCode code =
        offers
            .use(each -> PairingProof.holds(request.proofBy(each, fingerprint), request.proof()))
            .orElseThrow(Pairing::wrongCode);
    requireOther(request.pool());
    Issuer issuer =
        Issuer.create("replication " + site.pool().id(), clock.instant(), AUTHORITY_YEARS);
    X509Certificate authority = issuer.served().leaf();
    X509Certificate theirs =
        issuer.certify(
            publicKey(request.key()), request.pool().toString(), clock.instant(), LINK_YEAR);
    KeyPair keys = newKeys();
    X509Certificate ours =
        issuer.certify(keys.getPublic(), site.pool().id().toString(), clock.instant(), LINK_YEAR);
    PairedPool peer =
        new PairedPool(
            PeerText.pool(request.pool(), request.name()),
            PeerAddress.checked(request.address()),
            clock.instant(),
            new ServedCertificate(keys.getPrivate(), List.of(ours, authority)),
            authority,
            issuer);
    peers.put(peer);
    history.accept(change(KnownPeer.of(peer), ChangeKind.NEW));
    PairingMessages.Answer unproved =
        new PairingMessages.Answer(
            site.pool().id(),
            site.pool().name(),
            site.linkAddress().get(),
            Pem.of(authority),
            Pem.of(theirs),
            "");
    return new PairingMessages.Answer(
        unproved.pool(),
        unproved.name(),
        unproved.address(),
        unproved.authority(),
        unproved.certificate(),
        unproved.proofBy(code, fingerprint, request.nonce()));
  }

  private static NewChange change(KnownPeer peer, ChangeKind kind) {
    return NewChange.of(
        ChangeTopic.CONFIG,
        kind,
        new NewChange.Subject(
            ObjectType.PEER, peer.pool().id().toString(), "Peer" + kind.wireName()),
        Map.of("peer", peer.pool().toString(), "address", peer.address()));
  }

  private void requireOther(UUID pool) {
    if (pool.equals(site.pool().id())) {
      throw VasaException.invalidArgument(
          "expected another pool, got pool %s itself".formatted(pool));
    }
  }

  private static VasaException wrongCode() {
    return new VasaException(
        new Fault.InvalidLogin(),
        "expected the code that is shown at the other pool, got one that is wrong, used or older than %d minutes"
            .formatted(VALIDITY.toMinutes()));
  }

  // ---- at the pool at which it is typed

  /// Pairs this pool with the one at an address.
  ///
  /// @param address host and port of its REST API
  /// @param typed the code that it shows
  /// @throws VasaException (InvalidArgument) if the code has another form, or the address is this
  ///   pool's own; (InvalidLogin) if the code is wrong, or somebody stands in between; as the other
  ///   pool refused, or is not reached
  /// @throws SecretsLockedException as [#offer]
  public KnownPeer accept(String address, String typed) {
    peers.requireKey();
    PairingCode code = PairingCode.parse(typed);
    KeyPair keys = newKeys();
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    PairingMessages.Request unproved =
        new PairingMessages.Request(
            site.pool().id(),
            site.pool().name(),
            site.linkAddress().get(),
            Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()),
            Base64.getEncoder().encodeToString(nonce),
            "");
    PairingCalls.Answered answered =
        calls.call(address, server -> proved(unproved, code, Pem.fingerprint(server)));
    PairingMessages.Answer answer = answered.answer();
    String fingerprint = Pem.fingerprint(answered.server());
    String expected = answer.isWhole() ? answer.proofBy(code, fingerprint, unproved.nonce()) : "";
    if (!answer.isWhole() || !PairingProof.holds(expected, answer.proof())) {
      throw new VasaException(
          new Fault.InvalidLogin(),
          "the answer of %s was not made with this code: somebody may stand in between"
              .formatted(address));
    }
    requireOther(answer.pool());
    PairedPool paired = peer(answer, keys);
    peers.put(paired);
    KnownPeer peer = KnownPeer.of(paired);
    history.accept(change(peer, ChangeKind.NEW));
    return peer;
  }

  private static PairingMessages.Request proved(
      PairingMessages.Request request, PairingCode code, String fingerprint) {
    return new PairingMessages.Request(
        request.pool(),
        request.name(),
        request.address(),
        request.key(),
        request.nonce(),
        request.proofBy(code, fingerprint));
  }

  private PairedPool peer(PairingMessages.Answer answer, KeyPair keys) {
    try {
      X509Certificate authority = Pem.certificates(answer.authority()).getFirst();
      X509Certificate own = Pem.certificates(answer.certificate()).getFirst();
      own.verify(authority.getPublicKey());
      if (!own.getPublicKey().equals(keys.getPublic())) {
        throw new CertificateException("the certificate is for another key");
      }
      return new PairedPool(
          PeerText.pool(answer.pool(), answer.name()),
          PeerAddress.checked(answer.address()),
          clock.instant(),
          new ServedCertificate(keys.getPrivate(), List.of(own, authority)),
          authority,
          null);
    } catch (GeneralSecurityException e) {
      throw VasaException.invalidArgument(
          "expected a certificate for this pool from the other one, got one that cannot be used: "
              + e.getMessage());
    }
  }

  private static KeyPair newKeys() {
    try {
      return Issuer.newKeys();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java makes no keys", e);
    }
  }

  private static PublicKey publicKey(String base64) {
    try {
      var spec = new X509EncodedKeySpec(Base64.getDecoder().decode(base64));
      return KeyFactory.getInstance("RSA").generatePublic(spec);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw VasaException.invalidArgument(
          "expected an RSA key in Base64 as the other pool's key, got something else");
    }
  }
}
