package io.coppice.vasa.session;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ProviderCertificate;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.EchoedText;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Registration and its consequences: roots, revocation lists and our own certificate.
///
/// Certificates and lists arrive and leave as PEM text. Safe for any thread.
public final class ProviderRegistration {

  private static final Logger log = LoggerFactory.getLogger(ProviderRegistration.class);

  private static final int MOST_ECHOED = 100;

  /// Longer than any certificate or usual revocation list, in characters.
  private static final int LONGEST = 16_384;

  private final LoginGuard guard;
  private final TrustSets trust;
  private final VasaSessions sessions;
  private final ProviderCertificate certificate;
  private final boolean retain;
  private final InstantSource clock;

  /// @param retain whether our own certificate stays after registration
  public ProviderRegistration(
      LoginGuard guard,
      TrustSets trust,
      VasaSessions sessions,
      ProviderCertificate certificate,
      boolean retain,
      InstantSource clock) {
    this.guard = guard;
    this.trust = trust;
    this.sessions = sessions;
    this.certificate = certificate;
    this.retain = retain;
    this.clock = clock;
  }

  public boolean retainsCertificate() {
    return retain;
  }

  /// Trusts clients whose certificates chain to these roots from now on.
  ///
  /// @throws VasaException (InvalidLogin, InvalidCertificate)
  public void register(
      VasaCaller caller, String user, String password, List<String> roots, List<String> lists) {
    guard.check(user, password, caller.address());
    Material material = parse(roots, lists);
    UUID set = trust.register(material.roots(), material.lists(), caller.address());
    guard.remember(caller.address(), set);
    sessions.review(set);
    log.atInfo()
        .addKeyValue("trustSet", set)
        .addKeyValue("roots", material.roots().size())
        .addKeyValue("address", caller.address())
        .log("client roots registered");
  }

  /// Replaces the roots and lists of the session's own registration.
  ///
  /// @throws VasaException (PermissionDenied) if it is not the session of a vCenter,
  ///   (InvalidCertificate)
  public void refresh(VasaSession session, List<String> roots, List<String> lists) {
    if (!(session.peer() instanceof Peer.Vcenter)) {
      throw new VasaException(
          new Fault.PermissionDenied(),
          "expected the session of a vCenter, got that of host " + session.peer().guid());
    }
    Material material = parse(roots, lists);
    trust.refresh(session.trustSet(), material.roots(), material.lists());
    sessions.review(session.trustSet());
    log.atInfo().addKeyValue("trustSet", session.trustSet()).log("client roots refreshed");
  }

  /// Ends the registration that the caller's certificate belongs to.
  ///
  /// @param existing the certificate it registered or uses, PEM
  /// @throws VasaException (InvalidSession) if the connection's certificate belongs to no
  ///   registration, (PermissionDenied) if it is not that of its vCenter, (InvalidCertificate) if
  ///   `existing` is blank or belongs to another one
  public void unregister(VasaCaller caller, String existing) {
    ClientChain chain = requireTrusted(caller);
    requireOfOwnRegistration(existing, trust.idsTrusting(chain));
    UUID set =
        trust
            .endableBy(chain)
            .orElseThrow(
                () ->
                    // InvalidSession would be wrong: a new session would not make it a vCenter.
                    new VasaException(
                        new Fault.PermissionDenied(),
                        "expected the vCenter of a registration, got %s, which is none"
                            .formatted(chain.subject())));
    boolean gone = trust.unregister(set, chain.subject());
    sessions.review(set);
    log.atInfo().addKeyValue("trustSet", set).addKeyValue("gone", gone).log("unregistered");
  }

  private void requireOfOwnRegistration(String existing, Set<UUID> own) {
    if (existing.isBlank()) {
      throw invalid(
          List.of(), List.of(), "expected the registered one as existingCertificate, got none");
    }
    X509Certificate named = parse(List.of(existing), List.of()).roots().getFirst();
    var shown = new ClientChain(List.of(named));
    boolean ours =
        trust.all().stream()
            .filter(set -> own.contains(set.id()))
            .anyMatch(set -> set.distance(shown, clock.instant()).isPresent());
    if (!ours) {
      throw invalid(List.of(existing), List.of(), "it belongs to no registration of this client");
    }
  }

  /// Roots in use by the session's registration, PEM.
  public List<String> roots(VasaSession session) {
    return trust.get(session.trustSet()).roots().stream().map(Pem::of).toList();
  }

  /// Revocation lists in use by the session's registration, PEM.
  public List<String> revocationLists(VasaSession session) {
    return trust.get(session.trustSet()).revocationLists().stream().map(Pem::of).toList();
  }

  /// A signing request for our next certificate.
  ///
  /// @throws VasaException (PermissionDenied) if our certificate stays or the caller may not ask
  public String requestCertificate(VasaCaller caller) {
    return certificate.request(requireRenewal(caller).name());
  }

  /// Serves a certificate that was signed for one of our requests.
  ///
  /// @param text PEM, leaf first; the rest of the chain may be in any order, or missing
  /// @param force whether to serve it even if clients of other registrations that have sessions now
  ///   will not trust it
  /// @throws VasaException (PermissionDenied, InvalidCertificate), (StorageFault) if it would have
  ///   to be forced; the former certificate stays in service
  public void acceptCertificate(VasaCaller caller, String text, boolean force) {
    Set<UUID> sets = requireRenewal(caller).sets();
    var sent = new ClientChain(parse(List.of(text), List.of()).roots());
    List<X509Certificate> chain =
        trust.all().stream()
            .filter(set -> sets.contains(set.id()))
            .flatMap(set -> set.path(sent, clock.instant()).stream())
            .findFirst()
            .orElseThrow(
                () ->
                    invalid(
                        List.of(text),
                        List.of(),
                        "it is out of date or chains to no root of this registration"));
    if (!force) {
      requireNobodyCutOff(new ClientChain(chain));
    }
    certificate.replace(chain);
    trust
        .changes()
        .note(
            NewChange.of(
                ChangeTopic.ACCESS,
                ChangeKind.UPDATE,
                new NewChange.Subject(
                    ObjectType.CERTIFICATE,
                    chain.getFirst().getSerialNumber().toString(16),
                    "CertificateNew"),
                Map.of(
                    "issuer",
                    chain.getFirst().getIssuerX500Principal().getName(),
                    "until",
                    chain.getFirst().getNotAfter().toInstant().toString())));
    log.atInfo()
        .addKeyValue("issuer", chain.getFirst().getIssuerX500Principal().getName())
        .addKeyValue("until", chain.getFirst().getNotAfter().toInstant())
        .log("serving the signed certificate");
  }

  /// Requires that no client is cut off. Clients trust the authorities that they registered: a
  /// client with a session that does not know the issuer of `next` would not come back.
  private void requireNobodyCutOff(ClientChain next) {
    for (VasaSession session : sessions.all()) {
      boolean known =
          trust.all().stream()
              .filter(set -> set.id().equals(session.trustSet()))
              .anyMatch(set -> set.path(next, clock.instant()).isPresent());
      if (!known) {
        throw new VasaException(
            new Fault.StorageFault("io.coppice.fault.CertificateCutsOff"),
            "expected forceApply, since %s has a session and does not know the issuer of %s"
                .formatted(session.peer(), next.subject()));
      }
    }
  }

  /// The client that renews our certificate.
  ///
  /// @param name tells it from other clients
  /// @param sets the registrations that it may renew it for
  private record Renewal(String name, Set<UUID> sets) {}

  /// The client, if it may renew our certificate: the vCenter of a registration may, and so may a
  /// client that registered from this address a moment ago. A host may not, though its certificate
  /// is trusted: it could know the key of the next certificate.
  private Renewal requireRenewal(VasaCaller caller) {
    if (retain) {
      throw new VasaException(
          new Fault.PermissionDenied(),
          "this provider keeps its own certificate (coppice.vasa.certificate: retain)");
    }
    Set<UUID> own = caller.chain().map(trust::idsOfVcenter).orElse(Set.of());
    Set<UUID> sets = new HashSet<>(own);
    guard.recentRegistration(caller.address()).ifPresent(sets::add);
    if (sets.isEmpty()) {
      throw new VasaException(
          new Fault.PermissionDenied(),
          "expected the vCenter of a registration, or a registration from this address just before;"
              + " got "
              + whoIs(caller));
    }
    String name =
        own.isEmpty()
            ? "address " + caller.address()
            : caller.chain().map(ClientChain::subject).orElseThrow();
    return new Renewal(name, sets);
  }

  /// The description of a refused caller, with the standing of its certificate.
  private String whoIs(VasaCaller caller) {
    return caller
        .chain()
        .map(
            chain ->
                trust.idsTrusting(chain).isEmpty()
                    ? trust.distrust(chain)
                    : "the client certificate %s of another client".formatted(chain.subject()))
        .orElse("no client certificate");
  }

  private ClientChain requireTrusted(VasaCaller caller) {
    ClientChain chain =
        caller
            .chain()
            .orElseThrow(
                () ->
                    VasaException.invalidSession(
                        "expected a client certificate, the connection has none"));
    if (trust.idsTrusting(chain).isEmpty()) {
      throw VasaException.invalidSession(trust.distrust(chain));
    }
    return chain;
  }

  private record Material(List<X509Certificate> roots, List<X509CRL> lists) {}

  private Material parse(List<String> roots, List<String> lists) {
    List<X509Certificate> certificates = new ArrayList<>();
    List<String> badCertificates = new ArrayList<>();
    for (String text : roots) {
      try {
        for (X509Certificate root : Pem.certificates(text)) {
          root.checkValidity(java.util.Date.from(clock.instant()));
          certificates.add(root);
        }
      } catch (CertificateException _) {
        badCertificates.add(text);
      }
    }
    List<X509CRL> revocations = new ArrayList<>();
    List<String> badLists = new ArrayList<>();
    for (String text : lists) {
      try {
        revocations.addAll(Pem.revocationLists(text));
      } catch (CRLException _) {
        badLists.add(text);
      }
    }
    if (!badCertificates.isEmpty() || !badLists.isEmpty() || certificates.isEmpty()) {
      throw invalid(
          badCertificates,
          badLists,
          "expected certificates in date and revocation lists, in PEM form, got %d of %d bad"
              .formatted(badCertificates.size() + badLists.size(), roots.size() + lists.size()));
    }
    return new Material(certificates, revocations);
  }

  private static VasaException invalid(
      List<String> certificates, List<String> lists, String reason) {
    return new VasaException(
        new Fault.InvalidCertificate(echoed(certificates), echoed(lists)),
        "certificate refused: " + reason);
  }

  /// The refused texts for the fault. They need not be certificates at all.
  private static List<String> echoed(List<String> texts) {
    return texts.stream()
        .limit(MOST_ECHOED)
        .map(text -> text.length() <= LONGEST ? text : EchoedText.of(text, LONGEST))
        .toList();
  }
}
