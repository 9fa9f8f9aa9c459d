package io.coppice.driver.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.pki.CertificateAuthority;
import io.coppice.driver.pki.Pem;
import io.coppice.driver.pki.ServerTrust;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The client against messages that were written by hand from the contract.
class VasaClientTest {
  private static final ClientOptions OPTIONS =
      new ClientOptions(
          false, false, false, SchemaCheck.ofFolder(GoldenServer.SCHEMAS), Duration.ofSeconds(10));

  private static GoldenServer server;
  private final CallLog log = new CallLog();

  @BeforeAll
  static void start() throws Exception {
    server = GoldenServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// The schema check is on: it judges each request and each reply.
  @ParameterizedTest
  @CsvSource({
    "false, false, false",
    "true, false, false",
    "false, true, true",
    "true, true, false",
    "false, false, true"
  })
  void everyRequestIsValidAndEveryGoldenReplyIsRead(boolean soap12, boolean mtom, boolean nil) {
    ClientOptions options = OPTIONS.withSoap12(soap12).withMtom(mtom).withAbsentAsNil(nil);
    try (VasaClient client = server.client(options, log)) {
      GoldenCalls.all()
          .forEach(
              (operation, call) -> {
                Object value = call.apply(client);

                assertThat(value).as(operation).isNotNull();
                if (value instanceof List<?> list) {
                  assertThat(list).as(operation).isNotEmpty();
                }
                assertThat(server.last().operation()).isEqualTo(operation);
              });
    }
    assertThat(log.since(0)).hasSize(GoldenCalls.all().size());
  }

  @Test
  void everyGoldenFaultArrivesUnderItsName() throws Exception {
    try (GoldenServer faulty = GoldenServer.start();
        VasaClient client = faulty.client(OPTIONS, log)) {
      GoldenCalls.all()
          .forEach(
              (operation, call) -> {
                faulty.answer(operation, "fault");

                assertThatThrownBy(() -> call.apply(client))
                    .as(operation)
                    .isInstanceOfSatisfying(
                        VasaFault.class, fault -> assertThat(fault.typed()).isTrue());
              });
    }
  }

  @Test
  void aBindKeepsTheOrderAndTellsHandleFromFault() {
    List<BindResult> results =
        call(
            c ->
                c.bindings()
                    .bindVirtualVolume(
                        List.of(GoldenCalls.VVOL, GoldenCalls.MISSING), BindingCalls.NORMAL));

    assertThat(results.getFirst().requireHandle())
        .isEqualTo(
            new VvolHandle(
                GoldenCalls.VVOL,
                new InBandId("SCSI", "naa.6c0991ce2c6f1b8a0000000000000001"),
                "0xd2000005"));
    assertThat(results.getFirst().logicalSizeMb()).isEqualTo(16384);
    assertThatThrownBy(results.getLast()::requireHandle)
        .isInstanceOfSatisfying(VasaFault.class, f -> assertThat(f.name()).isEqualTo("NotFound"));
  }

  @Test
  void aFaultCarriesItsFields() throws Exception {
    try (GoldenServer faulty = GoldenServer.start();
        VasaClient client = faulty.client(OPTIONS, log)) {
      faulty.answer("bindVirtualVolume", "fault");

      assertThatThrownBy(
              () -> client.bindings().bindVirtualVolume(List.of("a"), BindingCalls.NORMAL))
          .isInstanceOfSatisfying(
              VasaFault.class,
              fault -> {
                assertThat(fault.is("TooMany")).isTrue();
                assertThat(fault.fields()).containsEntry("maxBatchSize", "64");
              });
      assertThat(log.since(0)).extracting(CallRecord::outcome).containsExactly("TooMany");
    }
  }

  @Test
  void aFailedTaskThrowsItsError() {
    assertThatThrownBy(
            () -> call(c -> c.tasks().await(c.tasks().getTaskUpdate("t"), Duration.ofSeconds(1))))
        .isInstanceOfSatisfying(
            VasaFault.class, fault -> assertThat(fault.name()).isEqualTo("OutOfResource"));
  }

  @Test
  void aPreparedSnapshotIsReadFromTheTasksResult() {
    TaskInfo task =
        call(
            c ->
                c.snapshots()
                    .prepareToSnapshotVirtualVolume(
                        GoldenCalls.VVOL, GoldenCalls.PROFILE, "SnapshotReadOnly"));

    assertThat(task.prepared())
        .isEqualTo(
            new TaskInfo.PreparedSnapshot(
                "rfc4122.e2b7c6a4-0d93-4be5-b6f1-7a8c9d0e1f04",
                new VvolInfo(GoldenCalls.VVOL, Map.of("VMW_VVolType", "Data")),
                new SpaceStats(GoldenCalls.VVOL, 4100, 16384, 4100, true)));
  }

  @Test
  void aRebindEventNamesItsVolumes() {
    List<StorageEvent> events = call(c -> c.events().getEvents(41));

    assertThat(events).extracting(StorageEvent::id).containsExactly(42L, 43L, 44L);
    assertThat(events.getLast().vvolIds()).containsExactly(GoldenCalls.VVOL);
  }

  @Test
  void aViolationShowsExpectedAndCurrentValue() {
    ComplianceResult result =
        call(c -> c.policies().queryComplianceResult(List.of(GoldenCalls.VVOL), null, 0))
            .getFirst();

    ComplianceResult.Violation violation = result.violations().getFirst();
    String std = "com.vmware.storageprofile.std";
    assertThat(violation.expected())
        .isEqualTo(Capability.of(std, "spaceEfficiency", PropertyValue.text("Thick")));
    assertThat(violation.current())
        .isEqualTo(Capability.of(std, "spaceEfficiency", PropertyValue.text("Thin")));
  }

  @Test
  void aBitmapIsReadLeastSignificantBitFirst() {
    BitSet bits =
        call(c -> c.snapshots().allocatedBitmapVirtualVolume(GoldenCalls.VVOL, 0, 65536, 4096));

    assertThat(bits.cardinality()).isEqualTo(8);
    assertThat(bits.nextClearBit(0)).isEqualTo(8);
  }

  @Test
  void theSessionTravelsInTheCookie() {
    try (VasaClient client = server.client(OPTIONS, log)) {
      client.sessions().setContext(UsageContext.ofVcenter("vc"));
      client.inventory().queryCatalog();

      assertThat(server.last().cookie()).isEqualTo("VASASESSIONID=" + GoldenServer.SESSION);
      assertThat(server.last().body()).contains("<s:Body/>");
    }
  }

  @Test
  void aForgottenSessionIsRenewedOnceAndTheCallRepeatedOnce() throws Exception {
    try (GoldenServer forgetful = GoldenServer.start();
        VasaClient client = forgetful.client(OPTIONS, log)) {
      forgetful.forgetSession("queryStorageContainerForArray");
      AtomicInteger renewals = new AtomicInteger();
      client.renewSessionWith(
          () -> {
            renewals.incrementAndGet();
            forgetful.answer("queryStorageContainerForArray", "reply");
          });

      assertThat(client.inventory().queryStorageContainerForArray("a")).isNotEmpty();

      assertThat(renewals).hasValue(1);
      assertThat(log.since(0))
          .extracting(CallRecord::outcome)
          .containsExactly(VasaFault.INVALID_SESSION, CallRecord.OK);
    }
  }

  @Test
  void aCertificateIsJudgedByThumbprintOrAuthority() throws Exception {
    String thumbprint = Pem.thumbprint(ServerTrust.firstContact(server.uri()));
    CertificateAuthority foreign = CertificateAuthority.create("foreign");

    assertThat(catalogWith(ServerTrust.thumbprint(thumbprint))).isNotEmpty();
    assertThatThrownBy(() -> catalogWith(ServerTrust.thumbprint("00" + thumbprint.substring(2))))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("thumbprint");
    assertThatThrownBy(() -> catalogWith(ServerTrust.authorities(List.of(foreign.certificate()))))
        .isInstanceOf(UnreachableException.class);
    assertThat(log.since(0))
        .extracting(CallRecord::outcome)
        .containsExactly(CallRecord.OK, CallRecord.UNREACHABLE, CallRecord.UNREACHABLE);
  }

  private List<MessageCatalog> catalogWith(ServerTrust trust) {
    try (VasaClient client =
        new VasaClient(server.uri(), "test", trust.context(null), OPTIONS, log)) {
      return client.inventory().queryCatalog();
    }
  }

  private <T> T call(Function<VasaClient, T> call) {
    try (VasaClient client = server.client(OPTIONS, log)) {
      return call.apply(client);
    }
  }
}
