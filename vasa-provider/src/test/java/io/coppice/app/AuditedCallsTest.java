package io.coppice.app;

import static io.coppice.app.WireArguments.element;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.VasaClient.Reply;
import io.coppice.vasa.audit.AuditEntry;
import io.coppice.vasa.audit.AuditFilter;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.AuditRows;
import io.coppice.vasa.audit.Channel;
import io.coppice.vasa.audit.Outcome;
import io.coppice.vasa.soap.audit.CallAudit;
import io.coppice.vasa.sort.RowOrder;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The calls of VASA that are in the audit trail although they write no event: bindings, refusals,
/// and operations that only prepare something. [EveryVasaChangeTest] has the others.
class AuditedCallsTest {

  private static final String WRONG = "a-wrong-password-that-nobody-may-see";

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  private static RightArguments arguments;
  private static VasaClient host;
  private static RightArguments.Hosts hosts;

  @BeforeAll
  static void prepare() throws Exception {
    provider.register();
    arguments = new RightArguments(provider.get(), "audit", "host-a", "iqn.2026-11.test:host-a");
    host = host("host-a");
    hosts = new RightArguments.Hosts(host, host("host-c"), "host-c");
  }

  private static VasaClient host(String guid) throws Exception {
    VasaClient client = provider.client(provider.certificate(guid + ".test"));
    assertThat(client.openAsHost(guid, "iqn.2026-11.test:" + guid).status()).isEqualTo(200);
    arguments.prepareSession(client);
    return client;
  }

  private static AuditRecord newest() {
    return newest(provider.get());
  }

  /// The record of the call that was answered last. The end of its job may come after it.
  static AuditRecord newest(TestProvider provider) {
    return provider
        .bean(AuditRows.class)
        .page(AuditFilter.ALL, new RowOrder("seq", true, null), 10)
        .stream()
        .map(AuditEntry::recorded)
        .filter(one -> one.channel() != Channel.COPPICE)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyOperationThatDoesMoreThanAskIsRecorded() {
    Set<String> recorded = new TreeSet<>(EveryVasaChangeTest.operations());
    recorded.removeIf(operation -> !CallAudit.isRecorded(operation));
    Set<String> expected = new TreeSet<>(EveryVasaChangeTest.operations());
    for (String group : List.of("it asks", "its effect ends with the session")) {
      expected.removeAll(EveryVasaChangeTest.UNCHANGING.getOrDefault(group, Set.of()));
    }
    assertThat(recorded).isEqualTo(expected).contains("bindVirtualVolume", "requestCSR");
  }

  @Test
  void bindingsAndPreparationsAreRecordedWithTheirCertificate() throws Exception {
    for (String operation :
        List.of(
            "bindVirtualVolume",
            "unbindVirtualVolume",
            "prepareForBindingChange",
            "prepareToSnapshotVirtualVolume",
            "unbindAllVirtualVolumesFromHost")) {
      Reply reply = EveryVasaChangeTest.call(host, operation, arguments.of(operation, hosts));
      assertThat(reply.status()).as(operation + reply.text()).isEqualTo(200);
      AuditRecord recorded = newest();
      assertThat(recorded.action()).isEqualTo(operation);
      assertThat(recorded.author().account()).isEqualTo("host host-a");
      assertThat(recorded.author().certificate()).matches("[0-9a-f]{64} CN=.*");
      assertThat(recorded.outcome()).as(operation).isIn(Outcome.DONE, Outcome.ACCEPTED);
    }
  }

  @Test
  void refusalsAreRecordedWithTheirFault() throws Exception {
    for (String operation : EveryVasaChangeTest.REFUSED) {
      EveryVasaChangeTest.call(host, operation, arguments.of(operation, hosts));
      assertThat(newest().action()).isEqualTo(operation);
    }
    String gone = "rfc4122." + UUID.randomUUID();
    EveryVasaChangeTest.call(host, "deleteVirtualVolume", element("vvolId", gone));
    assertThat(newest().outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(newest().code()).isEqualTo("NotFound");
    assertThat(newest().object()).isEqualTo(gone);
    EveryVasaChangeTest.call(host, "bindVirtualVolume", element("vvolId", gone));
    assertThat(newest().outcome())
        .as("each part of the answer is a fault: %s", newest())
        .isEqualTo(Outcome.REFUSED);
  }

  @Test
  void aWrongPasswordIsRecordedAndIsNot() throws Exception {
    Reply refused = provider.client(null).register(WRONG, List.of("no certificate"), List.of());
    assertThat(refused.status()).isEqualTo(500);
    assertThat(newest().action()).isEqualTo("registerCACertificatesAndCRLs");
    assertThat(newest().code()).isEqualTo("InvalidLogin");
    assertThat(newest().author().account()).isEqualTo("client at 127.0.0.1");
    assertThat(newest().toString()).doesNotContain(WRONG);
  }

  @Test
  void callersWithoutASessionAreOneEntryAMinute() throws Exception {
    VasaClient stranger = provider.client(null);
    String gone = element("vvolId", "rfc4122." + UUID.randomUUID());
    EveryVasaChangeTest.call(stranger, "revertVirtualVolume", gone);
    AuditRecord first = newest();
    assertThat(first.code()).isEqualTo("InvalidSession");
    for (int i = 0; i < 5; i++) {
      EveryVasaChangeTest.call(stranger, "revertVirtualVolume", gone);
    }
    assertThat(newest().id()).isEqualTo(first.id());
  }
}
