package io.coppice.vasa.session;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.certificate.CertificateFile;
import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ProviderCertificate;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.testing.ControlPlane;
import java.nio.file.Path;
import java.security.cert.CRLException;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionOperations;

/// Which client is whom: the vCenter of a registration, its hosts, and how names change hands.
class ClaimsTest {

  private static final Duration YEAR = Duration.ofDays(365);
  private static final String PASSWORD = "secret";
  private static final String VCENTER_ADDRESS = "192.0.2.1";
  private static final String HOST_ADDRESS = "192.0.2.2";
  private static final int HOSTS = 3;
  private static final int INITIATORS = 5;
  private static final SessionLimits LIMITS =
      new SessionLimits(
          Duration.ofMinutes(30),
          Duration.ofHours(24),
          16,
          32,
          128,
          100,
          16,
          HOSTS,
          INITIATORS,
          Duration.ZERO,
          Duration.ofMinutes(10));

  @TempDir private Path folder;
  private ControlPlane plane;
  private Issuer authority;
  private VasaSessions sessions;
  private ProviderRegistration registration;
  private TrustSets trust;
  private ClientChain vcenter;
  private ClientChain host;

  @BeforeEach
  void registerOnce() throws Exception {
    plane = new ControlPlane();
    authority = authority("authority");
    trust = new TrustSets(plane.jdbc, plane.transactions, plane.clock);
    sessions = new VasaSessions(trust, plane.luns, LIMITS, plane.clock);
    var guard = new LoginGuard("vasa", () -> PASSWORD, LIMITS, plane.clock);
    Path file = folder.resolve("vasa.pem");
    var certificate =
        new ProviderCertificate(
            CertificateFile.open(
                file, () -> authority.issue(List.of("provider.test"), plane.clock.instant(), YEAR)),
            folder.resolve("request.key"),
            List.of("provider.test"));
    registration =
        new ProviderRegistration(guard, trust, sessions, certificate, false, plane.clock);
    vcenter = client(authority, "vcenter.test");
    host = client(authority, "esx1.test");
    register(authority);
  }

  @Test
  void firstVcenterOfARegistrationIsTheOnlyOne() {
    openVcenter(vcenter, "v1");

    assertFault("InvalidArgument", () -> openVcenter(host, "v2"));
    assertFault("InvalidArgument", () -> openVcenter(host, "v1"));
    assertFault("InvalidArgument", () -> openVcenter(vcenter, "v2"));

    openVcenter(client(authority, "vcenter.test"), "v1");
    assertThat(openHost(host, "h1").peer()).isEqualTo(new Peer.Host("h1"));
  }

  @Test
  void refusedVcenterLeavesTheOldOneItsSession() throws Exception {
    VasaSession session = openVcenter(vcenter, "v1");

    assertFault("InvalidArgument", () -> openVcenter(host, "v1"));

    assertThat(call(vcenter, session)).isEqualTo(session);
  }

  @Test
  void vcentersOfTwoRegistrationsDoNotMeet() {
    openVcenter(vcenter, "v1");
    Issuer second = authority("second");
    register(second);

    openVcenter(client(second, "vcenter2.test"), "v2");

    assertFault("InvalidArgument", () -> openVcenter(client(second, "vcenter3.test"), "v1"));
    assertFault("InvalidArgument", () -> openVcenter(vcenter, "v2"));
    openVcenter(vcenter, "v1");
  }

  @Test
  void vcentersThatShareAnAuthorityRegisterOneAfterTheOther() {
    openVcenter(vcenter, "v1");
    ClientChain second = client(authority, "vcenter2.test");
    registration.register(
        new VasaCaller("192.0.2.9", Optional.of(second), Optional.empty()),
        "vasa",
        PASSWORD,
        roots(authority),
        List.of());
    openVcenter(vcenter, "v1");

    assertThat(openVcenter(second, "v2").peer()).isEqualTo(new Peer.Vcenter("v2"));

    openVcenter(vcenter, "v1");
    assertFault("InvalidArgument", () -> openVcenter(host, "v3"));
  }

  @Test
  void vcenterThatRegistersAgainLeavesNoSeatToOthers() {
    openVcenter(vcenter, "v1");
    register(authority);
    openVcenter(vcenter, "v1");

    assertFault("InvalidArgument", () -> openVcenter(host, "v2"));
  }

  @Test
  void vcenterWithANewSubjectTakesItsIdOverByThePassword() throws Exception {
    VasaSession old = openVcenter(vcenter, "v1");
    ClientChain renamed = client(authority, "vc.test");
    assertFault("InvalidArgument", () -> openVcenter(renamed, "v1"));

    register(authority);
    VasaSession session = openVcenter(renamed, "v1");

    assertThat(call(renamed, session)).isEqualTo(session);
    assertFault("InvalidSession", () -> call(vcenter, old));
    assertFault("InvalidArgument", () -> openVcenter(vcenter, "v1"));
  }

  @Test
  void newRootOfAVcenterTakesItsNamesAlongHostByHost() {
    openVcenter(vcenter, "v1");
    openHost(host, "h1");
    ClientChain late = client(authority, "esx2.test");
    openHost(late, "h2");
    Issuer next = authority("next");
    assertFault("InvalidSession", () -> openVcenter(client(next, "vcenter.test"), "v1"));

    register(next);
    assertFault("InvalidArgument", () -> openHost(client(next, "esx1.test"), "h1"));
    VasaSession moved = openVcenter(client(next, "vcenter.test"), "v1");

    assertThat(openHost(client(next, "esx1.renamed"), "h1").trustSet()).isEqualTo(moved.trustSet());
    assertFault("InvalidArgument", () -> openHost(host, "h1"));
    assertThat(openHost(late, "h2").trustSet()).isNotEqualTo(moved.trustSet());
    openHost(client(next, "esx2.test"), "h2");
    assertFault("InvalidSession", () -> openHost(late, "h2"));
  }

  @Test
  void hostWithANewSubjectTakesItsIdOverOnceTheOldOneIsRevokedAndThePasswordCame() {
    VasaSession session = openVcenter(vcenter, "v1");
    openHost(host, "h1");
    ClientChain renamed = client(authority, "esx1.renamed");
    assertFault("InvalidArgument", () -> openHost(renamed, "h1"));

    registration.refresh(session, roots(authority), List.of(Pem.of(revoke(host))));
    assertFault("InvalidArgument", () -> openHost(renamed, "h1"));
    plane.clock.advance(Duration.ofSeconds(1));
    registration.register(
        caller(vcenter, VCENTER_ADDRESS),
        "vasa",
        PASSWORD,
        roots(authority),
        List.of(Pem.of(revoke(host))));

    assertThat(openHost(renamed, "h1").peer()).isEqualTo(new Peer.Host("h1"));
  }

  @Test
  void passwordAloneTakesNothingFromAHostThatIsStillTrusted() {
    openVcenter(vcenter, "v1");
    openHost(host, "h1");
    plane.clock.advance(Duration.ofSeconds(1));

    register(authority);

    assertFault("InvalidArgument", () -> openHost(client(authority, "esx2.test"), "h1"));
  }

  @Test
  void strangersAreTurnedAwayWithoutWaitingForTheLockOfTrust() throws Exception {
    ClientChain stranger = client(authority("stranger"), "esx1.test");
    var held = new CountDownLatch(1);
    var done = new CountDownLatch(1);
    Thread holder =
        Thread.ofVirtual()
            .start(
                () ->
                    plane.transactions.executeWithoutResult(
                        _ -> {
                          plane.jdbc.sql("LOCK TABLE trust_set IN EXCLUSIVE MODE").update();
                          held.countDown();
                          awaitAtMostAMinute(done);
                        }));
    awaitAtMostAMinute(held);

    var refused = CompletableFuture.runAsync(() -> openHost(stranger, "h1"));

    assertThat(refused)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withMessageContaining("chains to no registered root");
    done.countDown();
    holder.join();
  }

  @Test
  void clientThatIsRevokedWhileItOpensASessionGetsNone() {
    Runnable[] afterClaim = {() -> {}};
    TransactionOperations slow =
        new TransactionOperations() {
          @Override
          public <T extends @Nullable Object> T execute(TransactionCallback<T> action) {
            T result = plane.transactions.execute(action);
            Runnable then = afterClaim[0];
            afterClaim[0] = () -> {};
            then.run();
            return result;
          }
        };
    trust = new TrustSets(plane.jdbc, slow, plane.clock);
    sessions = new VasaSessions(trust, plane.luns, LIMITS, plane.clock);
    VasaSession ofHost = openHost(host, "h1");
    afterClaim[0] =
        () -> {
          trust.refresh(
              ofHost.trustSet(), List.of(authority.served().leaf()), List.of(revoke(host)));
          sessions.review(ofHost.trustSet());
        };

    assertFault("InvalidSession", () -> openHost(host, "h1"));

    assertThat(sessions.all()).isEmpty();
  }

  @Test
  void rootsAreChangedByTheirVcenterOnly() {
    VasaSession ofVcenter = openVcenter(vcenter, "v1");
    VasaSession ofHost = openHost(host, "h1");
    List<String> foreign = roots(authority("foreign"));

    assertFault("PermissionDenied", () -> registration.refresh(ofHost, foreign, List.of()));

    assertThat(registration.roots(ofVcenter)).isEqualTo(roots(authority));
    registration.refresh(ofVcenter, roots(authority), List.of());
  }

  @Test
  void registrationIsEndedByItsVcenterOnly() {
    String own = roots(authority).getFirst();
    openHost(host, "h1");
    // Not InvalidSession, after which a client opens a session and asks again, for ever.
    assertFault("PermissionDenied", () -> registration.unregister(caller(host, HOST_ADDRESS), own));
    openVcenter(vcenter, "v1");
    assertFault("PermissionDenied", () -> registration.unregister(caller(host, HOST_ADDRESS), own));
    ClientChain nobody = client(authority, "nobody.test");
    assertFault(
        "PermissionDenied", () -> registration.unregister(caller(nobody, HOST_ADDRESS), own));
    ClientChain stranger = client(authority("stranger"), "vcenter.test");
    assertFault(
        "InvalidSession", () -> registration.unregister(caller(stranger, HOST_ADDRESS), own));
    assertFault(
        "InvalidCertificate", () -> registration.unregister(caller(vcenter, VCENTER_ADDRESS), " "));

    registration.unregister(caller(vcenter, VCENTER_ADDRESS), own);

    assertFault("InvalidSession", () -> openHost(host, "h1"));
  }

  @Test
  void certificateIsRenewedByTheVcenterAndFromTheAddressOfARegistration() {
    openVcenter(vcenter, "v1");
    openHost(host, "h1");
    VasaCaller here = new VasaCaller(VCENTER_ADDRESS, Optional.empty(), Optional.empty());

    assertThat(registration.requestCertificate(here)).contains("CERTIFICATE REQUEST");
    plane.clock.advance(LIMITS.renewalWindow());

    assertFault("PermissionDenied", () -> registration.requestCertificate(here));
    assertThat(registration.requestCertificate(caller(vcenter, HOST_ADDRESS)))
        .contains("CERTIFICATE REQUEST");
  }

  @Test
  void certificateIsNotRenewedByHostsNorByStrangers() {
    openVcenter(vcenter, "v1");
    openHost(host, "h1");
    Issuer second = authority("second");
    register(second);
    plane.clock.advance(LIMITS.renewalWindow());
    List<ClientChain> others =
        List.of(
            host,
            client(authority, "esx2.test"),
            client(authority, "vcenter2.test"),
            client(second, "vcenter.test"),
            client(authority("stranger"), "vcenter.test"));

    for (ClientChain other : others) {
      VasaCaller caller = caller(other, HOST_ADDRESS);
      assertFault("PermissionDenied", () -> registration.requestCertificate(caller));
      assertFault(
          "PermissionDenied",
          () -> registration.acceptCertificate(caller, Pem.of(other.leaf()), true));
    }
  }

  @Test
  void oneCertificateClaimsSoManyHostsAndNoMore() {
    for (int i = 1; i <= HOSTS; i++) {
      openHost(host, "h" + i);
    }

    assertThatThrownBy(() -> openHost(host, "h4"))
        .isInstanceOfSatisfying(
            VasaException.class,
            refusal -> {
              assertThat(refusal.fault().name()).isEqualTo("InvalidArgument");
              assertThat(refusal.refusesCaller()).isTrue();
            })
        .hasMessageContaining("at most 3 host ids of one client certificate");

    assertThat(plane.luns.hosts()).doesNotContainKey(new HostId("h4"));
    openHost(host, "h2");
    openHost(client(authority, "esx2.test"), "h4");
    trust.forgetHost("h1", Set.of("iqn.2026-11.test:h1"));
    openHost(host, "h5");
  }

  @Test
  void oneCertificateClaimsSoManyInitiatorsAndNoMore() {
    openHost(host, "h1", named("a"), named("b"), named("c"));
    openHost(host, "h1", named("c"), named("d"), named("e"));

    assertThatThrownBy(() -> openHost(host, "h1", named("e"), named("f")))
        .hasMessageContaining("at most 5 initiators of one client certificate")
        .hasMessageContaining("would have 6");
    assertThatThrownBy(
            () ->
                openVcenter(
                    vcenter,
                    "v1",
                    named("k"),
                    named("l"),
                    named("m"),
                    named("n"),
                    named("o"),
                    named("p")))
        .hasMessageContaining("at most 5 initiators");

    openHost(host, "h1", named("a"));
    assertThat(openHost(client(authority, "esx2.test"), "h2", named("f")).initiators())
        .containsExactly(named("f"));
  }

  /// As after an upgrade: what runs goes on.
  @Test
  void whoHasMoreNamesThanTheLimitComesInWithTheseAndNoOthers() throws Exception {
    for (int i = 1; i <= HOSTS; i++) {
      openHost(host, "h" + i);
    }
    plane
        .jdbc
        .sql(
            "INSERT INTO claim (kind, name, trust_set, subject, certificates, since, used)"
                + " SELECT kind, 'old', trust_set, subject, certificates, since, used"
                + " FROM claim WHERE name = 'h1'")
        .update();

    openHost(host, "old");
    openHost(host, "h2");

    assertFault("InvalidArgument", () -> openHost(host, "h5"));
  }

  private Issuer authority(String name) {
    return Issuer.create(name, plane.clock.instant(), YEAR);
  }

  private ClientChain client(Issuer issuer, String name) {
    return new ClientChain(issuer.issue(List.of(name), plane.clock.instant(), YEAR).chain());
  }

  private static List<String> roots(Issuer issuer) {
    return List.of(Pem.of(issuer.served().leaf()));
  }

  private void register(Issuer issuer) {
    registration.register(
        caller(vcenter, VCENTER_ADDRESS), "vasa", PASSWORD, roots(issuer), List.of());
  }

  private static String named(String initiator) {
    return "iqn.2026-11.test:" + initiator;
  }

  private VasaSession openVcenter(ClientChain chain, String guid, String... initiators) {
    String address = chain.subject().contains("esx") ? HOST_ADDRESS : VCENTER_ADDRESS;
    return sessions.open(
        caller(chain, address), new UsageContext(guid, null, Set.of(initiators), Set.of(), null));
  }

  private VasaSession openHost(ClientChain chain, String guid) {
    return openHost(chain, guid, named(guid));
  }

  private VasaSession openHost(ClientChain chain, String guid, String... initiators) {
    return sessions.open(
        caller(chain, HOST_ADDRESS),
        new UsageContext(null, guid, Set.of(initiators), Set.of(), null));
  }

  private VasaSession call(ClientChain chain, VasaSession session) throws Exception {
    return sessions.call(
        new VasaCaller(HOST_ADDRESS, Optional.of(chain), Optional.of(session.id())),
        CurrentSession::get);
  }

  private static VasaCaller caller(ClientChain chain, String address) {
    return new VasaCaller(address, Optional.of(chain), Optional.empty());
  }

  private static void awaitAtMostAMinute(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private X509CRL revoke(ClientChain chain) {
    var now = java.util.Date.from(plane.clock.instant());
    var builder = new JcaX509v2CRLBuilder(authority.served().leaf(), now);
    builder.addCRLEntry(chain.leaf().getSerialNumber(), now, 0);
    try {
      var signer = new JcaContentSignerBuilder("SHA256withRSA").build(authority.served().key());
      return new JcaX509CRLConverter().getCRL(builder.build(signer));
    } catch (OperatorCreationException | CRLException e) {
      throw new AssertionError(e);
    }
  }
}
