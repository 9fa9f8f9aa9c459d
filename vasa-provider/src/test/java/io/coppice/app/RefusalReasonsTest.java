package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.coppice.app.VasaClient.Reply;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.session.RefusalRemedy;
import io.coppice.vasa.session.RefusedClients;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/// Reasons of refusals: each client hears its own, and an administrator finds the same one in the
/// log and in the list of refused clients.
class RefusalReasonsTest {

  private static final Duration YEAR = Duration.ofDays(365);

  @RegisterExtension
  private static final SharedProvider provider =
      new SharedProvider("--coppice.vasa.sessions.renewal-window=0s");

  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private Issuer authority;

  @BeforeEach
  void listen() {
    logged.start();
    root().addAppender(logged);
    authority =
        Issuer.create(
            "authority " + UUID.randomUUID(), Instant.now().minus(YEAR), YEAR.multipliedBy(3));
  }

  @AfterEach
  void listenNoMore() {
    root().detachAppender(logged);
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  @Test
  void certificatesThatAreNotTrustedSayWhy() throws Exception {
    ServedCertificate revoked = issue(Instant.now(), YEAR);
    register(List.of(revoke(revoked.leaf())));

    assertRefused(
        issue(Instant.now().minus(YEAR), Duration.ofDays(9)), "has expired: it was valid until 20");
    assertRefused(issue(Instant.now().plus(YEAR), YEAR), "is not valid yet: it is from 20");
    assertRefused(revoked, "has been revoked");
    assertRefused(
        Issuer.create("stranger", Instant.now(), YEAR).issue(List.of("x"), Instant.now(), YEAR),
        "chains to no registered root");
  }

  @Test
  void clientsThatAreNotWhomTheySayTheyAreAreToldAndListed() throws Exception {
    register(List.of());
    String guid = UUID.randomUUID().toString();
    assertThat(client(issue("vcenter.test")).openAsVcenter(guid).status()).isEqualTo(200);
    assertThat(client(issue("esx1.test")).openAsHost(guid, "iqn.2026-11.test:" + guid).status())
        .isEqualTo(200);

    ServedCertificate second = issue("vcenter2.test");
    assertListed(
        client(second).openAsVcenter(UUID.randomUUID().toString()),
        "InvalidArgument",
        second,
        "is not the one that registered");
    ServedCertificate neighbour = issue("esx2.test");
    assertListed(
        client(neighbour).openAsHost(guid, "iqn.2026-11.test:x"),
        "InvalidArgument",
        neighbour,
        "belongs to another client");
  }

  @Test
  void whoMayNotRenewOurCertificateIsToldAndListed() throws Exception {
    register(List.of());
    assertThat(client(issue("vcenter.test")).openAsVcenter(UUID.randomUUID().toString()).status())
        .isEqualTo(200);
    ServedCertificate host = issue("esx1.test");
    client(host).openAsHost(UUID.randomUUID().toString(), "iqn.2026-11.test:" + UUID.randomUUID());
    X509Certificate before = client(null).served();

    assertListed(
        client(host).callEmpty("requestCSR"),
        "PermissionDenied",
        host,
        "expected the vCenter of a registration");
    Reply accepted =
        client(host)
            .call(
                "registerCASignedProviderCertificate",
                "<ns:providerCert>%s</ns:providerCert><ns:forceApply>true</ns:forceApply>"
                    .formatted(Pem.of(host.leaf())));

    assertThat(accepted.fault()).isEqualTo("PermissionDenied");
    assertThat(client(null).served()).isEqualTo(before);
  }

  @Test
  void hostThatUnregistersHearsNothingThatANewSessionWouldMend() throws Exception {
    register(List.of());
    ServedCertificate host = issue("esx1.test");
    client(host).openAsHost(UUID.randomUUID().toString(), "iqn.2026-11.test:" + UUID.randomUUID());

    Reply reply =
        client(host)
            .call(
                "unregisterVASACertificate",
                "<ns:existingCertificate>%s</ns:existingCertificate>"
                    .formatted(Pem.of(authority.served().leaf())));

    assertThat(reply.fault()).isEqualTo("StorageFault");
    assertThat(reply.value("faultMessageId")).isEqualTo("io.coppice.fault.PermissionDenied");
    assertListed(reply, "StorageFault", host, "expected the vCenter of a registration");
  }

  private void assertRefused(ServedCertificate certificate, String reason) throws Exception {
    assertListed(
        client(certificate).openAsHost(UUID.randomUUID().toString(), "iqn.2026-11.test:x"),
        "InvalidSession",
        certificate,
        reason);
  }

  private void assertListed(
      Reply reply, String fault, ServedCertificate certificate, String reason) {
    String issuer = certificate.leaf().getIssuerX500Principal().getName();
    assertThat(reply.fault()).as(reason).isEqualTo(fault);
    assertThat(reply.value("faultstring")).contains(reason);
    assertThat(provider.get().bean(RefusedClients.class).all())
        .as("the list has: " + reason)
        .anyMatch(
            refusal ->
                issuer.equals(refusal.issuer())
                    && refusal.reason().contains(reason)
                    && RefusalRemedy.of(refusal.reason()) != RefusalRemedy.OTHER);
    assertThat(List.copyOf(logged.list))
        .as("the log has: " + reason)
        .filteredOn(event -> event.getFormattedMessage().equals("client refused"))
        .filteredOn(event -> String.valueOf(event.getKeyValuePairs()).contains(issuer))
        .anyMatch(event -> String.valueOf(event.getKeyValuePairs()).contains(reason));
  }

  private void register(List<String> lists) throws Exception {
    Reply registered =
        client(null)
            .register(provider.get().password(), List.of(Pem.of(authority.served().leaf())), lists);
    assertThat(registered.status()).as(registered.text()).isEqualTo(200);
  }

  private ServedCertificate issue(String name) {
    return authority.issue(List.of(name), Instant.now(), YEAR);
  }

  private ServedCertificate issue(Instant from, Duration validity) {
    return authority.issue(List.of("esx.test"), from, validity);
  }

  private static VasaClient client(@Nullable ServedCertificate certificate) throws Exception {
    return provider.client(certificate);
  }

  private String revoke(X509Certificate certificate) throws Exception {
    var builder = new JcaX509v2CRLBuilder(authority.served().leaf(), Date.from(Instant.now()));
    builder.addCRLEntry(certificate.getSerialNumber(), Date.from(Instant.now()), 0);
    var signer = new JcaContentSignerBuilder("SHA256withRSA").build(authority.served().key());
    return Pem.of(new JcaX509CRLConverter().getCRL(builder.build(signer)));
  }
}
