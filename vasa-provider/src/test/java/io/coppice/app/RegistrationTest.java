package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.session.RefusedClients;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// Registration, certificates and sessions over TLS, each test with an authority of its own.
class RegistrationTest {

  private static final Duration YEAR = Duration.ofDays(365);
  private static final int OPEN_CALLS = 10;

  @TempDir static Path home;
  private static @Nullable TestProvider provider;

  private Issuer authority;
  private ServedCertificate vcenter;
  private ServedCertificate host;

  @BeforeAll
  static void startProvider() {
    provider =
        TestProvider.start(home, "--coppice.vasa.limits.calls-without-session=" + OPEN_CALLS)
            .ready();
  }

  @AfterAll
  static void stopProvider() {
    TestProvider running = provider;
    if (running != null) {
      running.close();
    }
  }

  @BeforeEach
  void makeAuthority() {
    authority = Issuer.create("authority " + UUID.randomUUID(), Instant.now(), YEAR);
    vcenter = authority.issue(List.of("vcenter.test"), Instant.now(), YEAR);
    host = authority.issue(List.of("esx1.test"), Instant.now(), YEAR);
  }

  @Test
  void registrationOpensTheWayForItsClientsOnly() throws Exception {
    String guid = UUID.randomUUID().toString();
    var before = client(vcenter).openAsVcenter(guid);
    assertThat(before.fault()).isEqualTo("InvalidSession");

    var registered = client(null).register(provider.password(), roots(), List.of());

    assertThat(registered.status()).isEqualTo(200);
    assertThat(registered.value("sessionId")).isEqualTo("0");
    assertThat(registered.value("retainVasaProviderCertificate")).isEqualTo("false");
    var session = client(vcenter);
    var opened = session.openAsVcenter(guid);
    assertThat(opened.cookie()).contains(opened.value("sessionId"));
    assertThat(session.callEmpty("queryCACertificates").values("return"))
        .containsExactly(roots().getFirst());
    var stranger = Issuer.create("stranger", Instant.now(), YEAR);
    var foreign = client(stranger.issue(List.of("vcenter.test"), Instant.now(), YEAR));
    assertThat(foreign.openAsVcenter(UUID.randomUUID().toString()).fault())
        .isEqualTo("InvalidSession");
    assertThat(client(null).openAsVcenter(UUID.randomUUID().toString()).fault())
        .isEqualTo("InvalidSession");
  }

  @Test
  void wrongPasswordAndBadCertificatesChangeNothing() throws Exception {
    assertThat(client(null).register("wrong", roots(), List.of()).fault())
        .isEqualTo("InvalidLogin");
    var bad = client(null).register(provider.password(), List.of("no certificate"), List.of());
    assertThat(bad.fault()).isEqualTo("InvalidCertificate");
    assertThat(bad.values("certificate")).containsExactly("no certificate");
    var list = client(null).register(provider.password(), roots(), List.of("no list"));
    assertThat(list.values("crl")).containsExactly("no list");
    var old = Issuer.create("old", Instant.now().minus(Duration.ofDays(800)), YEAR);
    var expired =
        client(null).register(provider.password(), List.of(Pem.of(old.served().leaf())), List.of());
    assertThat(expired.fault()).isEqualTo("InvalidCertificate");

    assertThat(client(vcenter).openAsVcenter(UUID.randomUUID().toString()).fault())
        .isEqualTo("InvalidSession");
  }

  @Test
  void sessionIsWorthNothingWithoutItsCertificate() throws Exception {
    register();
    var owner = client(vcenter);
    String id = owner.openAsVcenter(UUID.randomUUID().toString()).value("sessionId");
    var thief = client(host);
    thief.useSession(id);
    var anonymous = client(null);
    anonymous.useSession(id);

    assertThat(thief.callEmpty("queryCatalog").fault()).isEqualTo("InvalidSession");
    assertThat(anonymous.callEmpty("queryCatalog").fault()).isEqualTo("InvalidSession");
    assertThat(owner.callEmpty("queryCatalog").status()).isEqualTo(200);
    owner.useSession(null);
    assertThat(owner.callEmpty("queryCatalog").fault()).isEqualTo("InvalidSession");
    owner.useSession("unknown");
    assertThat(owner.callEmpty("queryCatalog").fault()).isEqualTo("InvalidSession");
  }

  @Test
  void secondSetContextEndsTheFirstSession() throws Exception {
    register();
    var client = client(vcenter);
    String guid = UUID.randomUUID().toString();
    String first = client.openAsVcenter(guid).value("sessionId");

    String second = client.openAsVcenter(guid).value("sessionId");

    assertThat(second).isNotEqualTo(first);
    assertThat(client.callEmpty("queryCatalog").status()).isEqualTo(200);
    client.useSession(first);
    assertThat(client.callEmpty("queryCatalog").fault()).isEqualTo("InvalidSession");
  }

  @Test
  void hostAndItsInitiatorsBelongToTheFirstThatClaimsThem() throws Exception {
    register();
    String guid = UUID.randomUUID().toString();
    String initiator = "iqn.2026-11.test:" + guid;
    assertThat(client(host).openAsHost(guid, initiator).status()).isEqualTo(200);
    assertThat(provider.bean(LunDirectory.class).initiatorsOf(new HostId(guid)))
        .containsExactly(initiator);
    var other = authority.issue(List.of("esx2.test"), Instant.now(), YEAR);

    assertThat(client(other).openAsHost(guid, "iqn.2026-11.test:new").fault())
        .isEqualTo("InvalidArgument");
    assertThat(client(other).openAsHost(UUID.randomUUID().toString(), initiator).fault())
        .isEqualTo("InvalidArgument");
    assertThat(client(host).openAsHost(guid, initiator).status()).isEqualTo(200);
  }

  @Test
  void contextWithoutANameOrWithABadOneIsRefused() throws Exception {
    register();
    var client = client(vcenter);

    assertThat(client.call("setContext", "").fault()).isEqualTo("InvalidArgument");
    assertThat(client.open("").fault()).isEqualTo("InvalidArgument");
    assertThat(client.open("<d:vcGuid>a/b</d:vcGuid>").fault()).isEqualTo("InvalidArgument");
    assertThat(client.open("<d:vcGuid>" + "x".repeat(201) + "</d:vcGuid>").fault())
        .isEqualTo("InvalidArgument");
    assertThat(
            client
                .open(
                    "<d:sessionTimeoutInSeconds>-1</d:sessionTimeoutInSeconds><d:vcGuid>v</d:vcGuid>")
                .fault())
        .isEqualTo("InvalidArgument");
  }

  @Test
  void signedCertificateIsServedAtOnceAndClientsAreStillJudged() throws Exception {
    register();
    var client = client(vcenter);
    String guid = UUID.randomUUID().toString();
    client.openAsVcenter(guid);
    X509Certificate before = client.served();

    String request = client.callEmpty("requestCSR").value("return");
    assertThat(request).startsWith("-----BEGIN CERTIFICATE REQUEST-----\n").doesNotContain("\r");
    String signed = sign(request);
    var accepted =
        client.call(
            "registerCASignedProviderCertificate",
            "<ns:providerCert>%s</ns:providerCert><ns:forceApply>true</ns:forceApply>"
                .formatted(signed));

    assertThat(accepted.status()).isEqualTo(200);
    assertThat(accepted.document().getElementsByTagNameNS("*", "Body").item(0).getFirstChild())
        .isNull();
    var fresh = client(vcenter);
    assertThat(fresh.served()).isNotEqualTo(before);
    assertThat(Pem.of(fresh.served())).isEqualTo(signed);
    assertThat(fresh.openAsVcenter(guid).status()).isEqualTo(200);
    assertThat(client.callEmpty("queryCatalog").status()).isEqualTo(200);
    assertThat(client(null).openAsVcenter("v").fault()).isEqualTo("InvalidSession");
    assertThat(Files.readString(home.resolve("tls/vasa.pem"))).contains(signed.strip());
    var again =
        client.call(
            "registerCASignedProviderCertificate",
            "<ns:providerCert>%s</ns:providerCert><ns:forceApply>true</ns:forceApply>"
                .formatted(Pem.of(vcenter.leaf())));
    assertThat(again.fault()).isEqualTo("InvalidCertificate");
  }

  @Test
  void signedChainIsServedInOrderWhateverTheOrderItCameIn() throws Exception {
    register();
    var client = client(vcenter);
    client.openAsVcenter(UUID.randomUUID().toString());
    String signed = sign(client.callEmpty("requestCSR").value("return"));
    String root = roots().getFirst();

    var accepted = accept(client, signed + root + Pem.of(vcenter.leaf()) + root + signed);

    assertThat(accepted.status()).isEqualTo(200);
    assertThat(Pem.of(client(vcenter).served())).isEqualTo(signed);
    String file = Files.readString(home.resolve("tls/vasa.pem"));
    assertThat(Pem.certificates(file)).extracting(Pem::of).containsExactly(signed, root);
  }

  @Test
  void certificateThatCutsOthersOffIsServedOnlyIfForced() throws Exception {
    register();
    assertThat(client(vcenter).openAsVcenter(UUID.randomUUID().toString()).status()).isEqualTo(200);
    makeAuthority();
    register();
    var client = client(vcenter);
    client.openAsVcenter(UUID.randomUUID().toString());
    X509Certificate before = client.served();
    String signed = sign(client.callEmpty("requestCSR").value("return"));

    var refused = accept(client, signed, false);

    assertThat(refused.fault()).isEqualTo("StorageFault");
    assertThat(client(vcenter).served()).isEqualTo(before);
    assertThat(accept(client, signed, true).status()).isEqualTo(200);
    assertThat(Pem.of(client(vcenter).served())).isEqualTo(signed);
  }

  private static VasaClient.Reply accept(VasaClient client, String chain) throws Exception {
    return accept(client, chain, true);
  }

  private static VasaClient.Reply accept(VasaClient client, String chain, boolean force)
      throws Exception {
    return client.call(
        "registerCASignedProviderCertificate",
        "<ns:providerCert>%s</ns:providerCert><ns:forceApply>%s</ns:forceApply>"
            .formatted(chain, force));
  }

  @Test
  @Timeout(60)
  void clientThatDoesNotTrustOurCertificateIsRecorded() throws Exception {
    var distrusting = javax.net.ssl.SSLContext.getInstance("TLS");
    distrusting.init(null, null, null);
    try (var socket =
        (javax.net.ssl.SSLSocket)
            distrusting.getSocketFactory().createSocket("127.0.0.1", provider.vasaPort())) {
      assertThatThrownBy(socket::startHandshake)
          .isInstanceOf(javax.net.ssl.SSLHandshakeException.class);
    }

    RefusedClients refused = provider.bean(RefusedClients.class);
    while (refused.all().stream().noneMatch(RegistrationTest::isOfTls)) {
      Thread.onSpinWait();
    }
    assertThat(refused.all())
        .filteredOn(RegistrationTest::isOfTls)
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.address()).isEqualTo("127.0.0.1");
              assertThat(refusal.subject()).isNull();
              assertThat(refusal.reason()).contains("alert");
            });
  }

  private static boolean isOfTls(RefusedClients.Refusal refusal) {
    return refusal.reason().startsWith("the TLS handshake failed");
  }

  @Test
  void refreshedRevocationListEndsTheRevokedSession() throws Exception {
    register();
    var vcenterClient = client(vcenter);
    vcenterClient.openAsVcenter(UUID.randomUUID().toString());
    var hostClient = client(host);
    hostClient.openAsHost(UUID.randomUUID().toString(), "iqn.2026-11.test:" + UUID.randomUUID());

    var refreshed =
        vcenterClient.call(
            "refreshCACertificatesAndCRLs",
            "<ns:caRootCert>%s</ns:caRootCert><ns:caCRL>%s</ns:caCRL>"
                .formatted(roots().getFirst(), revoke(host.leaf())));

    assertThat(refreshed.status()).isEqualTo(200);
    assertThat(hostClient.callEmpty("queryCatalog").fault()).isEqualTo("InvalidSession");
    assertThat(
            client(host)
                .openAsHost(UUID.randomUUID().toString(), "iqn.2026-11.test:" + UUID.randomUUID())
                .fault())
        .isEqualTo("InvalidSession");
    assertThat(vcenterClient.callEmpty("queryCACertificateRevocationLists").values("return"))
        .hasSize(1);
  }

  @Test
  void unregisteringEndsItsSessionsAndFreesItsNames() throws Exception {
    register();
    String guid = UUID.randomUUID().toString();
    var client = client(vcenter);
    client.openAsVcenter(guid);

    assertThat(
            client
                .call(
                    "unregisterVASACertificate",
                    "<ns:existingCertificate>%s</ns:existingCertificate>"
                        .formatted(Pem.of(vcenter.leaf())))
                .status())
        .isEqualTo(200);

    assertThat(client.callEmpty("queryCatalog").fault()).isEqualTo("InvalidSession");
    assertThat(client.openAsVcenter(guid).fault()).isEqualTo("InvalidSession");
    makeAuthority();
    register();
    assertThat(client(vcenter).openAsVcenter(guid).status()).isEqualTo(200);
  }

  @Test
  void callsWithoutSessionBeyondTheirLimitAreBusyAndThoseOfSessionsAreNot() throws Exception {
    register();
    var session = client(vcenter);
    String guid = UUID.randomUUID().toString();
    session.openAsVcenter(guid);
    List<CompletableFuture<VasaClient.Reply>> waiting = new ArrayList<>();
    inTransaction(
        jdbc -> {
          jdbc.sql("LOCK TABLE trust_set IN EXCLUSIVE MODE").update();
          for (int i = 0; i < OPEN_CALLS; i++) {
            waiting.add(inBackground(() -> client(vcenter).openAsVcenter(guid)));
          }
          provider.await("the calls wait for the lock", () -> waitingForTrust(jdbc) == OPEN_CALLS);

          var refused = client(vcenter).openAsVcenter(guid);
          assertThat(refused.fault()).isEqualTo("StorageFault");
          assertThat(refused.text()).contains("10 calls without a session run already");
          assertThat(session.callEmpty("queryCatalog").status()).isEqualTo(200);
        });

    for (CompletableFuture<VasaClient.Reply> one : waiting) {
      assertThat(one.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
    }
    assertThat(client(vcenter).openAsVcenter(guid).status()).isEqualTo(200);
  }

  private static int waitingForTrust(JdbcClient jdbc) {
    return jdbc.sql(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'trust_set'::regclass")
        .query(Integer.class)
        .single();
  }

  private static <T> CompletableFuture<T> inBackground(Callable<T> work) {
    var result = new CompletableFuture<T>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                result.complete(work.call());
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private interface Work {
    void run(JdbcClient jdbc) throws Exception;
  }

  private static void inTransaction(Work work) {
    DataSource database = provider.bean(DataSource.class);
    new TransactionTemplate(new JdbcTransactionManager(database))
        .executeWithoutResult(
            _ -> {
              try {
                work.run(JdbcClient.create(database));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
  }

  private void register() throws Exception {
    assertThat(client(null).register(provider.password(), roots(), List.of()).status())
        .isEqualTo(200);
  }

  private List<String> roots() {
    return List.of(Pem.of(authority.served().leaf()));
  }

  private static VasaClient client(ServedCertificate certificate) throws Exception {
    return new VasaClient(provider.vasaPort(), certificate);
  }

  private String sign(String request) throws Exception {
    try (var parser = new PEMParser(new java.io.StringReader(request))) {
      var csr = new JcaPKCS10CertificationRequest((PKCS10CertificationRequest) parser.readObject());
      assertThat(csr.getRequestedExtensions()).isNotNull();
      var builder =
          new JcaX509v3CertificateBuilder(
              authority.served().leaf(),
              BigInteger.valueOf(4711),
              Date.from(Instant.now().minus(Duration.ofHours(1))),
              Date.from(Instant.now().plus(YEAR)),
              new javax.security.auth.x500.X500Principal(csr.getSubject().getEncoded()),
              csr.getPublicKey());
      var signer = new JcaContentSignerBuilder("SHA256withRSA").build(authority.served().key());
      return Pem.of(new JcaX509CertificateConverter().getCertificate(builder.build(signer)));
    }
  }

  private String revoke(X509Certificate certificate) throws Exception {
    var builder = new JcaX509v2CRLBuilder(authority.served().leaf(), Date.from(Instant.now()));
    builder.setNextUpdate(Date.from(Instant.now().plus(YEAR)));
    builder.addCRLEntry(certificate.getSerialNumber(), Date.from(Instant.now()), 0);
    var signer = new JcaContentSignerBuilder("SHA256withRSA").build(authority.served().key());
    return Pem.of(new JcaX509CRLConverter().getCRL(builder.build(signer)));
  }
}
