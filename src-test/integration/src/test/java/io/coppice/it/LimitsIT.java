package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.driver.soap.Capability;
import io.coppice.driver.soap.ComplianceResult;
import io.coppice.driver.soap.PropertyValue;
import io.coppice.driver.soap.StorageProfile;
import io.coppice.driver.soap.VasaClient;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Limits that a policy asks for over SOAP, as a host meets them over iSCSI.
class LimitsIT {

  private static final String NAMESPACE = "io.coppice.capability";
  private static final int BLOCK = 512;

  @RegisterExtension
  private static final SharedSite shared = new SharedSite("--coppice.vasa.alarms.period=1s");

  @Test
  void aNewVolumeIsHeldToItsPolicyAndAChangeOfPolicyCountsForWhatWaits() throws Exception {
    String id = create(iops("slow", 50));
    VvolDisk disk = shared.site().host().bind(id);
    long start = System.nanoTime();
    awaitGood(reads(disk, 60));

    // 60 at 50 a second, but for the 20 ms that are saved up and the first: never faster.
    assertThat(System.nanoTime() - start).isGreaterThan(58 * 1_000_000_000L / 50);

    // At 10 a second what follows would take 10 s.
    apply(id, iops("slowest", 10));
    List<CompletableFuture<ScsiResult>> waiting = reads(disk, 100);
    assertThat(waiting.getLast()).isNotDone();
    apply(id, StorageProfile.noRequirements());
    for (CompletableFuture<ScsiResult> read : waiting) {
      read.get(5, TimeUnit.SECONDS);
    }
    awaitGood(waiting);
    shared.site().host().unbind(disk);
    shared.site().host().client().volumes().deleteVirtualVolume(id);
  }

  @Test
  void aFloodedVolumeHoldsUpNoOtherOfTheSession() throws Exception {
    String slow = create(iops("held", 10));
    String free = shared.site().create("Data", 4, Map.of());
    VvolDisk flooded = shared.site().host().bind(slow);
    VvolDisk neighbour = shared.site().host().bind(free);
    List<CompletableFuture<ScsiResult>> flood = reads(flooded, 140); // more than the window
    List<CompletableFuture<ScsiResult>> before = List.copyOf(flood);

    for (int i = 0; i < 200; i++) {
      neighbour.disk().write(0, ByteBuffer.allocate(4096));
    }

    assertThat(before.getLast()).as("the flood still waits").isNotDone();
    shared.site().host().unbind(flooded);
    for (CompletableFuture<ScsiResult> read : flood) {
      read.get(5, TimeUnit.SECONDS); // taken out, and answered
    }
    shared.site().host().unbind(neighbour);
    List.of(slow, free).forEach(shared.site().host().client().volumes()::deleteVirtualVolume);
  }

  @Test
  void anotherLimitThanThePolicysIsNonCompliant() {
    VasaClient client = shared.site().host().client();
    String id =
        create(
            StorageProfile.of(
                "both",
                List.of(
                    limit("maxIops", 500),
                    Capability.of(
                        NAMESPACE,
                        "maxBandwidth",
                        new PropertyValue.Range("long", "1048576", "10485760")))));
    String limits = "vvols/" + id.replace("rfc4122.", "") + "/limits";
    assertThat(shared.provider().rest().get(limits).get("maxIops").asLong()).isEqualTo(500);
    assertThat(shared.provider().rest().get(limits).get("maxBandwidth").asLong())
        .isEqualTo(10 << 20);
    assertThat(compliance(id).status()).isEqualTo("compliant");

    shared.provider().rest().put(limits, "{\"maxIops\": 1000, \"maxBandwidth\": 10485760}");

    assertThat(compliance(id).status()).isEqualTo("nonCompliant");
    assertThat(compliance(id).violations())
        .containsExactly(
            new ComplianceResult.Violation(limit("maxIops", 500), limit("maxIops", 1000)));
    awaitAlarm(id, "Yellow", "nonCompliant");
    shared.provider().rest().put(limits, "{\"maxIops\": 500, \"maxBandwidth\": 10485760}");
    awaitAlarm(id, "Green", "compliant");
    String snapshot = shared.site().snapshot(id);
    String clone =
        shared
            .site()
            .await(
                client
                    .snapshots()
                    .fastCloneVirtualVolume(snapshot, null, Map.of("VMW_VVolType", "Data")))
            .requireResult();
    assertThat(compliance(clone).status())
        .as("a clone starts with what is asked for")
        .isEqualTo("compliant");
    List.of(clone, snapshot, id).forEach(client.volumes()::deleteVirtualVolume);
  }

  /// Waits for the alarm of a vVol that says so.
  private static void awaitAlarm(String id, String status, String compliance) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (shared.site().vcenter().client().events().getAlarms(-1).stream()
        .noneMatch(
            alarm ->
                id.equals(alarm.objectId())
                    && alarm.status().equals(status)
                    && compliance.equals(alarm.complianceStatus()))) {
      assertThat(System.nanoTime()).as("an alarm of %s, %s", id, status).isLessThan(deadline);
    }
  }

  @Test
  void limitsThatAreNotOfferedAreInvalidProfiles() {
    for (Capability capability :
        List.of(
            limit("maxIops", 9),
            limit("maxIops", -1),
            limit("maxBandwidth", 1000),
            Capability.of(NAMESPACE, "maxIops", PropertyValue.text("fast")),
            Capability.of(NAMESPACE, "minIops", PropertyValue.number(100)))) {
      StorageProfile unmet = StorageProfile.of("unmet", List.of(capability));
      assertFault(capability.toString(), "InvalidProfile", () -> create(unmet));
    }
  }

  @Test
  void theCapabilitiesAreTold() {
    assertThat(
            shared
                .site()
                .vcenter()
                .client()
                .policies()
                .queryCapabilityMetadata(List.of(NAMESPACE))
                .stream()
                .flatMap(schema -> schema.all("capprov:capabilityMetadataPerCategory").stream())
                .filter(category -> category.required("capprov:category").equals("Performance"))
                .flatMap(category -> category.all("capprov:capabilityMetadata").stream())
                .map(capability -> capability.required("cap:capabilityId/cap:id")))
        .containsExactly("maxIops", "maxBandwidth");
  }

  private static Capability limit(String id, long value) {
    return Capability.of(NAMESPACE, id, PropertyValue.number(value));
  }

  private static StorageProfile iops(String name, long iops) {
    return StorageProfile.of(name, List.of(limit("maxIops", iops)));
  }

  private static String create(StorageProfile profile) {
    return shared
        .site()
        .await(
            shared
                .site()
                .host()
                .client()
                .volumes()
                .createVirtualVolume(
                    shared.site().container(), "Data", profile, 4, Map.of("VMW_VVolType", "Data")))
        .requireResult();
  }

  private static void apply(String id, StorageProfile profile) {
    shared
        .site()
        .await(
            shared
                .site()
                .host()
                .client()
                .policies()
                .updateStorageProfileForVirtualVolume(id, profile));
  }

  private static ComplianceResult compliance(String id) {
    return shared
        .site()
        .host()
        .client()
        .policies()
        .queryComplianceResult(List.of(id), null, 0)
        .getFirst();
  }

  private static List<CompletableFuture<ScsiResult>> reads(VvolDisk disk, int count) {
    List<CompletableFuture<ScsiResult>> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      reads.add(disk.unit().startRead(0, 1, BLOCK));
    }
    return reads;
  }

  private static void awaitGood(List<CompletableFuture<ScsiResult>> reads) throws Exception {
    for (CompletableFuture<ScsiResult> read : reads) {
      assertThat(read.get(1, TimeUnit.MINUTES).status()).isZero();
    }
  }
}
