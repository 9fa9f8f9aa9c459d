package io.coppice.driver.vcenter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.CallRecord;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.GoldenServer;
import io.coppice.driver.soap.SchemaCheck;
import io.coppice.driver.soap.StorageEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// vCenter's call orders against golden messages.
class VCenterTest {
  private final CallLog log = new CallLog();
  private GoldenServer server;
  private VCenter vcenter;

  @BeforeEach
  void start() throws Exception {
    server = GoldenServer.start();
    ClientOptions options =
        ClientOptions.defaults().withSchemas(SchemaCheck.ofFolder(GoldenServer.SCHEMAS));
    vcenter = new VCenter("vcenter.test", options, log);
  }

  @AfterEach
  void stop() {
    vcenter.close();
    server.close();
  }

  @Test
  void aProviderThatGoesOnShowingItsOldCertificateIsFoundOut() {
    assertThatThrownBy(() -> vcenter.register(server.uri(), "user", "password"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("expected a new connection to show serial");
    assertThat(log.since(0))
        .extracting(CallRecord::operation)
        .containsExactly(
            "registerCACertificatesAndCRLs", "requestCSR", "registerCASignedProviderCertificate");
  }

  @Test
  void aProviderThatKeepsItsCertificateIsAskedForNoRequest() throws Exception {
    server.keepCertificate();

    vcenter.register(server.uri(), "user", "password");

    assertThat(log.since(0))
        .extracting(CallRecord::operation)
        .containsExactly("registerCACertificatesAndCRLs", "setContext");
    assertThat(server.last().body()).contains(vcenter.guid());
  }

  @Test
  void aFullSyncReadsEverythingInTheContractsOrder() throws Exception {
    server.keepCertificate();
    vcenter.register(server.uri(), "user", "password");
    int mark = log.mark();

    Inventory inventory = vcenter.sync();

    assertThat(inventory.arrays()).isNotEmpty();
    assertThat(inventory.containers()).isNotEmpty();
    assertThat(log.since(mark))
        .extracting(CallRecord::operation)
        .startsWith("queryCatalog", "queryArrays", "queryStorageContainerForArray")
        .containsSubsequence(
            "queryStorageContainer",
            "queryCapabilityMetadata",
            "queryCapabilityProfile",
            "queryCapabilityProfileForResource",
            "queryDefaultProfileForStorageContainer");
  }

  @Test
  void pollingAsksFromTheLastEventAndRefusesOldOnes() throws Exception {
    server.keepCertificate();
    vcenter.register(server.uri(), "user", "password");

    assertThat(vcenter.pollEvents()).extracting(StorageEvent::id).containsExactly(42L, 43L, 44L);

    assertThatThrownBy(() -> vcenter.pollEvents())
        .hasMessageContaining("expected an event id above 44, got 42");
    assertThat(server.last().body()).contains(">44<");
  }
}
