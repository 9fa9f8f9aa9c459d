package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.VasaClient.Reply;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.event.ObjectType;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.transaction.support.TransactionOperations;

/// Limits as a client meets them, with a provider that keeps its own certificate.
class LimitsTest {

  private static final Duration YEAR = Duration.ofDays(365);
  private static final int SESSIONS = 3;
  private static final int EVENTS = 100;

  @RegisterExtension
  private static final SharedProvider provider =
      new SharedProvider(
          "--coppice.vasa.certificate=retain",
          "--coppice.vasa.sessions.sessions=" + SESSIONS,
          "--coppice.vasa.sessions.concurrent-calls=5",
          "--coppice.vasa.events.kept=" + EVENTS);

  private static VasaClient vcenter;
  private static VasaClient host;
  private static Reply registered;
  private static Reply opened;

  @BeforeAll
  static void register() throws Exception {
    registered = provider.register();
    vcenter = provider.client(provider.certificate("vcenter.test"));
    opened = vcenter.openAsVcenter("vc-1");
    host = provider.client(provider.certificate("esx1.test"));
    host.openAsHost("host-1", "iqn.2026-11.test:host-1");
  }

  @Test
  void limitsAreAnnounced() {
    assertThat(opened.value("maxBatchSize")).isEqualTo("256");
    assertThat(opened.value("maxConcurrentRequestsPerSession")).isEqualTo("5");
    assertThat(opened.value("defaultSessionTimeoutInSeconds")).isEqualTo("1800");
  }

  @Test
  void batchesOverTheLimitAreTooManyWhereThatIsListed() throws Exception {
    String ids = ("<ns:vvolId>rfc4122." + UUID.randomUUID() + "</ns:vvolId>").repeat(257);
    String context = "<ns:bindContext>Normal</ns:bindContext>";

    assertTooMany(vcenter.call("queryVirtualVolumeInfo", ids));
    assertTooMany(vcenter.call("spaceStatsForVirtualVolume", ids));
    assertTooMany(vcenter.call("unbindVirtualVolumeFromAllHost", ids));
    assertTooMany(host.call("bindVirtualVolume", ids + context));
    assertTooMany(
        host.call(
            "unbindVirtualVolume",
            "<ns:vvolHandle/>".repeat(257) + "<ns:unbindContext>Normal</ns:unbindContext>"));
    assertTooMany(
        vcenter.call(
            "snapshotVirtualVolume",
            "<ns:snapshotInfo/>".repeat(257) + "<ns:timeoutMS>1000</ns:timeoutMS>"));
    assertThat(
            vcenter
                .call("queryStorageContainer", "<ns:containerId>x</ns:containerId>".repeat(257))
                .status())
        .isEqualTo(200);
  }

  @Test
  void clientBehindWhatIsKeptIsToldThatItLostEvents() throws Exception {
    EventLog events = provider.get().bean(EventLog.class);
    provider
        .get()
        .bean(TransactionOperations.class)
        .executeWithoutResult(
            _ -> {
              for (int i = 0; i < 3 * EVENTS; i++) {
                events.append(
                    NewEvent.config(
                        ChangeKind.UPDATE,
                        ObjectType.STORAGE_CONTAINER,
                        "c" + i,
                        "io.coppice.event.c"));
              }
            });

    assertThat(vcenter.call("getEvents", "<ns:lastEventId>0</ns:lastEventId>").fault())
        .isEqualTo("LostEvent");
    Reply all = vcenter.call("getEvents", "<ns:lastEventId>-1</ns:lastEventId>");
    assertThat(all.status()).isEqualTo(200);
    String newest = all.values("eventId").getLast();
    Reply rest = vcenter.call("getEvents", "<ns:lastEventId>%s</ns:lastEventId>".formatted(newest));
    assertThat(rest.values("eventId")).isEmpty();
    assertThat(rest.status()).isEqualTo(200);
    assertThat(vcenter.call("getAlarms", "<ns:lastAlarmId>77</ns:lastAlarmId>").fault())
        .isEqualTo("LostAlarm");
  }

  @Test
  void retainedCertificateStaysWhateverIsAsked() throws Exception {
    X509Certificate before = vcenter.served();

    assertThat(registered.value("retainVasaProviderCertificate")).isEqualTo("true");
    assertThat(opened.value("retainVasaProviderCertificate")).isEqualTo("true");
    assertThat(vcenter.callEmpty("requestCSR").fault()).isEqualTo("PermissionDenied");
    String other = Pem.of(provider.certificate("localhost").leaf());
    Reply replacement =
        vcenter.call(
            "registerCASignedProviderCertificate",
            "<ns:providerCert>%s</ns:providerCert><ns:forceApply>true</ns:forceApply>"
                .formatted(other));
    assertThat(replacement.fault()).isEqualTo("PermissionDenied");

    assertThat(vcenter.served()).isEqualTo(before);
    var second = Issuer.create("second", Instant.now(), YEAR);
    assertThat(
            provider
                .client(null)
                .register(
                    provider.get().password(), List.of(Pem.of(second.served().leaf())), List.of())
                .status())
        .isEqualTo(200);
    assertThat(vcenter.served()).isEqualTo(before);
    assertThat(vcenter.callEmpty("queryCatalog").status()).isEqualTo(200);
  }

  @Test
  void sessionsOverTheLimitAreRefusedInOneSentence() throws Exception {
    Reply last = opened;
    for (int i = 0; i <= SESSIONS && last.fault().isEmpty(); i++) {
      last =
          provider
              .client(provider.certificate("esx%d.test".formatted(10 + i)))
              .openAsHost("host-" + (10 + i), "iqn.2026-11.test:host-" + (10 + i));
    }

    assertThat(last.fault()).isEqualTo("StorageFault");
    assertThat(last.value("faultstring")).isEqualTo("3 sessions are open, which is the limit");
    assertThat(vcenter.callEmpty("queryCatalog").status()).isEqualTo(200);
    assertThat(vcenter.openAsVcenter("vc-1").status()).isEqualTo(200);
  }

  private static void assertTooMany(Reply reply) {
    assertThat(reply.fault()).as(reply.text()).isEqualTo("TooMany");
    assertThat(reply.value("maxBatchSize")).isEqualTo("256");
  }
}
