package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.Capability;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.PropertyValue;
import io.coppice.driver.soap.SnapshotCalls;
import io.coppice.driver.soap.StorageProfile;
import io.coppice.driver.soap.TaskInfo;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.VasaFault;
import io.coppice.driver.soap.VvolInfo;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// VASA operations that the demo has no use for, against a whole provider over TLS, every reply
/// checked against the schemas.
class VasaOperationsIT {

  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final long MIB = 1 << 20;

  @TempDir private static Path folder;
  private static RunningProvider provider;
  private static RegisteredSite site;

  @BeforeAll
  static void start() {
    provider = RunningProvider.start(folder);
    site = new RegisteredSite(provider, ClientOptions.defaults());
  }

  @AfterAll
  static void stop() {
    if (site != null) {
      site.close();
    }
    if (provider != null) {
      provider.close();
    }
  }

  @Test
  void theInventoryAnswersEachOfItsQueries() {
    VasaClient client = site.vcenter().client();

    assertThat(client.inventory().getNumberOfEntities("StorageArray")).isEqualTo(1);
    assertThat(client.inventory().queryUniqueIdentifiersForEntity("StorageArray")).hasSize(1);
    for (String operation :
        List.of(
            "queryStorageProcessors",
            "queryStoragePorts",
            "queryStorageLuns",
            "queryStorageFileSystems",
            "queryStorageCapabilities",
            "queryAssociatedProcessorsForArray",
            "queryAssociatedPortsForProcessor",
            "queryAssociatedLunsForPort",
            "queryAssociatedCapabilityForLun",
            "queryAssociatedCapabilityForFileSystem")) {
      assertThat(client.call(operation, _ -> {})).as(operation).isPresent();
    }
    assertThatThrownBy(() -> client.inventory().getNumberOfEntities("Nonsense"))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("InvalidArgument");
  }

  @Test
  void certificatesOfTheRegistrationAreListedAndRefreshed() {
    VasaClient client = site.vcenter().client();

    assertThat(client.registration().queryCACertificates()).isNotEmpty();
    assertThat(client.registration().queryCACertificateRevocationLists()).isNotEmpty();
    site.vcenter().refreshTrust(List.of());

    assertThat(client.registration().queryCACertificates()).isNotEmpty();
  }

  @Test
  void volumesAreFoundDescribedResizedAndMeasured() {
    VasaClient client = site.host().client();
    String id = create("Data", 16, Map.of("VMW_VVolName", "found", "VMW_VmID", "vm-1"));

    assertThat(client.volumes().queryVirtualVolume(Map.of("VMW_VVolName", "found")))
        .containsExactly(id);
    client.volumes().updateVirtualVolumeMetaData(id, Map.of("VMW_VVolName", "renamed"));
    assertThat(client.volumes().queryVirtualVolumeInfo(List.of(id)))
        .extracting(VvolInfo::metadata)
        .singleElement()
        .satisfies(metadata -> assertThat(metadata).containsEntry("VMW_VVolName", "renamed"));
    await(client.volumes().resizeVirtualVolume(id, 32));

    assertThat(client.volumes().spaceStatsForVirtualVolume(List.of(id)))
        .singleElement()
        .satisfies(stats -> assertThat(stats.logical()).isEqualTo(32));
    assertThat(client.inventory().spaceStatsForStorageContainer(site.container(), List.of()))
        .hasSize(1);
    client.volumes().deleteVirtualVolume(id);
    assertThat(client.volumes().queryVirtualVolumeInfo(List.of(id))).isEmpty();
  }

  @Test
  void bitmapsTellWhatASnapshotDoesNotShareAndDiffsAreCopied() {
    SnapshotCalls snapshots = site.host().client().snapshots();
    String id = create("Data", 4, Map.of());
    write(id, 0, 1);
    String base = snapshot(id);
    write(id, 2 * MIB, 2);
    String later = snapshot(id);

    assertThat(snapshots.allocatedBitmapVirtualVolume(later, 0, 4 * MIB, MIB).stream().boxed())
        .containsExactly(0, 2);
    assertThat(snapshots.unsharedBitmapVirtualVolume(later, base, 0, 4 * MIB, MIB).stream().boxed())
        .containsExactly(2);
    assertThat(snapshots.unsharedChunksVirtualVolume(later, base, 0, 4 * MIB).unsharedChunks())
        .isPositive();
    String copy =
        await(snapshots.fastCloneVirtualVolume(base, null, Map.of("VMW_VVolType", "Data")))
            .requireResult();
    await(snapshots.copyDiffsToVirtualVolume(later, base, copy));
    assertThat(read(copy, 2 * MIB)).isEqualTo((byte) 2);
    assertThat(read(copy, 0)).isEqualTo((byte) 1);
    List.of(base, later, copy, id).forEach(site.host().client().volumes()::deleteVirtualVolume);
  }

  @Test
  void everyFormOfUnbindEndsABinding() {
    VasaClient host = site.host().client();
    String id = create("Data", 4, Map.of());

    VvolDisk first = site.host().bind(id);
    assertThatThrownBy(() -> host.volumes().deleteVirtualVolume(id))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("ResourceInUse");
    site.host().unbind(first);
    site.host().bind(id);
    BatchStatus.requireAllGood(
        site.vcenter().client().bindings().unbindVirtualVolumeFromAllHost(List.of(id)));
    site.host().bind(id);
    site.host().unbindAll();

    host.volumes().deleteVirtualVolume(id);
    assertThat(host.volumes().queryVirtualVolumeInfo(List.of(id))).isEmpty();
  }

  @Test
  void tasksAreKeptAndOnesThatEndedCannotBeCancelled() {
    VasaClient client = site.host().client();
    TaskInfo created =
        await(
            client
                .volumes()
                .createVirtualVolume(
                    site.container(), "Data", null, 4, Map.of("VMW_VVolType", "Data")));

    assertThat(client.tasks().getTaskUpdate(created.taskId()).requireResult())
        .isEqualTo(created.requireResult());
    assertThat(client.tasks().getCurrentTask(null)).isNotNull();
    assertThatThrownBy(() -> client.tasks().cancelTask(created.taskId()))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("NotCancellable");
    client.volumes().deleteVirtualVolume(created.requireResult());
  }

  @Test
  void aPolicyChangesAndComplianceFollows() {
    VasaClient client = site.host().client();
    provider.rest().post("policies", "{\"name\": \"thick\", \"spaceEfficiency\": \"thick\"}");
    StorageProfile thick =
        client.policies().queryCapabilityProfile(List.of()).stream()
            .filter(profile -> profile.name().equals("thick"))
            .findFirst()
            .orElseThrow();
    String id = create("Data", 8, Map.of());

    await(client.policies().updateStorageProfileForVirtualVolume(id, thick));

    assertThat(client.policies().queryComplianceResult(List.of(id), null, 0))
        .singleElement()
        .satisfies(result -> assertThat(result.status()).isEqualTo("compliant"));
    assertThat(provider.rest().get("vvols/" + id.replace("rfc4122.", "")).get("reserved").asLong())
        .isEqualTo(8 * MIB);
    assertThatThrownBy(
            () ->
                client
                    .policies()
                    .updateStorageProfileForVirtualVolume(
                        id,
                        StorageProfile.of(
                            "odd", List.of(Capability.of("", "", PropertyValue.text("Thick"))))))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("InvalidProfile");
    client.volumes().deleteVirtualVolume(id);
  }

  @Test
  void whatIsRefusedIsRefusedWithNotImplemented() {
    VasaClient client = site.host().client();

    assertThatThrownBy(() -> client.bindings().prepareForBindingChange(List.of(newId()), newId()))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("NotImplemented");
    assertThatThrownBy(() -> client.bindings().bindingChangeComplete(List.of(newId())))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("NotImplemented");
    assertThatThrownBy(() -> client.bindings().cancelBindingChange(List.of(newId())))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("NotImplemented");
  }

  private static String newId() {
    return "rfc4122." + java.util.UUID.randomUUID();
  }

  private static String create(String type, long sizeMb, Map<String, String> metadata) {
    Map<String, String> pairs = new java.util.HashMap<>(metadata);
    pairs.put("VMW_VVolType", type);
    return await(
            site.host()
                .client()
                .volumes()
                .createVirtualVolume(site.container(), type, null, sizeMb, pairs))
        .requireResult();
  }

  private static String snapshot(String id) {
    SnapshotCalls calls = site.host().client().snapshots();
    TaskInfo prepared = await(calls.prepareToSnapshotVirtualVolume(id, null, "SnapshotReadOnly"));
    String snapshot = java.util.Objects.requireNonNull(prepared.prepared()).snapshotId();
    BatchStatus.requireAllGood(
        calls.snapshotVirtualVolume(
            List.of(new VvolInfo(snapshot, Map.of("VMW_VVolType", "Data"))), 10_000));
    return snapshot;
  }

  private static void write(String id, long offset, int value) {
    VvolDisk disk = site.host().bind(id);
    ByteBuffer block = ByteBuffer.allocate(4096);
    while (block.hasRemaining()) {
      block.put((byte) value);
    }
    disk.disk().write(offset, block.flip());
    site.host().unbind(disk);
  }

  private static byte read(String id, long offset) {
    VvolDisk disk = site.host().bind(id);
    ByteBuffer block = ByteBuffer.allocate(4096);
    disk.disk().read(offset, block);
    site.host().unbind(disk);
    return block.get(0);
  }

  private static TaskInfo await(TaskInfo task) {
    return site.host().client().tasks().await(task, BOUND);
  }
}
