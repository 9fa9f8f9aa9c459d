package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.InBandId;
import io.coppice.driver.soap.InventoryCalls;
import io.coppice.driver.soap.ProtocolEndpoint;
import io.coppice.driver.soap.StatisticsCalls;
import io.coppice.driver.soap.StorageArray;
import io.coppice.driver.soap.StorageContainer;
import io.coppice.driver.soap.VasaClient;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the provider says of itself, its array, endpoints and containers, and what it refuses to
/// do, over TLS, every reply checked against the schemas.
class VasaInventoryIT {

  private static final String OTHER_ARRAY = "StorageArray:" + UUID.randomUUID();

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
    assertThat(client.inventory().queryUniqueIdentifiersForEntity("StorageArray"))
        .containsExactly(array());
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
    assertFault(
        "count of an unknown type",
        "InvalidArgument",
        () -> client.inventory().getNumberOfEntities("Nonsense"));
    assertFault(
        "ids of an unknown type",
        "InvalidArgument",
        () -> client.inventory().queryUniqueIdentifiersForEntity("Nonsense"));
  }

  @Test
  void theOneArraySupportsVirtualVolumesAndOthersAreSkipped() {
    InventoryCalls inventory = inventory();

    assertThat(inventory.queryArrays(List.of()))
        .singleElement()
        .satisfies(array -> assertThat(array.supportedProfiles()).contains("VirtualVolumeProfile"));
    assertThat(inventory.queryArrays(List.of(OTHER_ARRAY, array())))
        .extracting(StorageArray::id)
        .containsExactly(array());
    assertThat(inventory.queryArrays(List.of(OTHER_ARRAY))).isEmpty();
  }

  @Test
  void theArrayHasNoLunsOrFileSystemsAndOnlyItIsKnown() {
    InventoryCalls inventory = inventory();

    assertThat(inventory.queryUniqueIdentifiersForLuns(array())).isEmpty();
    assertThat(inventory.queryUniqueIdentifiersForFileSystems(array())).isEmpty();
    assertFault(
        "LUNs of another array",
        "NotFound",
        () -> inventory.queryUniqueIdentifiersForLuns(OTHER_ARRAY));
    assertFault(
        "LUNs of none", "InvalidArgument", () -> inventory.queryUniqueIdentifiersForLuns(""));
    assertFault(
        "file systems of another array",
        "NotFound",
        () -> inventory.queryUniqueIdentifiersForFileSystems(OTHER_ARRAY));
    assertFault(
        "file systems of none",
        "InvalidArgument",
        () -> inventory.queryUniqueIdentifiersForFileSystems(" "));
  }

  @Test
  void thereIsNothingThatStorageDrsCouldMoveDataBetween() {
    InventoryCalls inventory = inventory();

    assertFault(
        "migration of a LUN",
        "NotFound",
        () -> inventory.queryDRSMigrationCapabilityForPerformance("a", "b", "StorageLun"));
    assertFault(
        "migration of a file system",
        "NotFound",
        () -> inventory.queryDRSMigrationCapabilityForPerformance("a", "b", "StorageFileSystem"));
    assertFault(
        "migration of an array",
        "InvalidArgument",
        () -> inventory.queryDRSMigrationCapabilityForPerformance("a", "b", "StorageArray"));
    assertFault(
        "migration from nowhere",
        "InvalidArgument",
        () -> inventory.queryDRSMigrationCapabilityForPerformance("", "b", "StorageLun"));
  }

  @Test
  void theProviderIsActiveWithoutBeingActivated() {
    VasaClient client = site.vcenter().client();

    assertThat(site.vcenter().info().needsExplicitActivation()).isFalse();
    for (String entity : List.of(array(), OTHER_ARRAY, "")) {
      assertFault(
          "activateProvider of '%s'".formatted(entity),
          "InvalidArgument",
          () -> client.sessions().activateProvider(entity));
      assertFault(
          "activateProviderEx of '%s'".formatted(entity),
          "InvalidArgument",
          () -> client.sessions().activateProviderEx(entity, null));
    }
    assertThat(client.tasks().getCurrentTask(null)).isEmpty();
    assertThat(client.inventory().queryArrays(List.of())).hasSize(1);
  }

  @Test
  void endpointsAreThoseThatTheTargetShows() {
    InventoryCalls inventory = inventory();
    List<String> ids = inventory.queryProtocolEndpointForArray(array());

    List<ProtocolEndpoint> all = inventory.queryProtocolEndpoint(List.of());

    assertThat(all).isNotEmpty().extracting(ProtocolEndpoint::id).containsExactlyElementsOf(ids);
    assertThat(all).extracting(endpoint -> endpoint.inBandId().type()).containsOnly("SCSI");
    assertThat(all)
        .extracting(endpoint -> endpoint.inBandId().lunId())
        .containsExactlyInAnyOrderElementsOf(site.host().endpoints().keySet());
    assertThat(inventory.queryProtocolEndpoint(List.of("unknown", ids.getFirst())))
        .containsExactly(all.getFirst());
    assertThat(inventory.queryProtocolEndpoint(List.of("unknown"))).isEmpty();
    assertFault(
        "endpoints of another array",
        "NotFound",
        () -> inventory.queryProtocolEndpointForArray(OTHER_ARRAY));
    assertFault(
        "endpoints of none", "InvalidArgument", () -> inventory.queryProtocolEndpointForArray(""));
  }

  @Test
  void containersAreListedAndUnknownOnesSkipped() {
    InventoryCalls inventory = inventory();
    String unknown = UUID.randomUUID().toString();

    assertThat(inventory.queryStorageContainerForArray(array())).containsExactly(site.container());
    assertThat(inventory.queryStorageContainer(List.of(unknown, "no uuid", site.container())))
        .containsExactly(new StorageContainer(site.container(), "site", 64 << 20, "SCSI"))
        .isEqualTo(inventory.queryStorageContainer(List.of()));
    assertThat(inventory.queryStorageContainer(List.of(unknown))).isEmpty();
    assertFault(
        "containers of another array",
        "NotFound",
        () -> inventory.queryStorageContainerForArray(OTHER_ARRAY));
    assertFault(
        "containers of none", "InvalidArgument", () -> inventory.queryStorageContainerForArray(""));
    assertFault(
        "space of an unknown container",
        "NotFound",
        () -> inventory.spaceStatsForStorageContainer(unknown, List.of()));
    assertFault(
        "space of no container",
        "InvalidArgument",
        () -> inventory.spaceStatsForStorageContainer("no uuid", List.of()));
    assertFault(
        "space of an unknown profile",
        "NotFound",
        () -> inventory.spaceStatsForStorageContainer(site.container(), List.of(unknown)));
  }

  @Test
  void aHostBindsOnlyThroughEndpointsThatItDeclared() {
    VasaClient host = site.host().client();
    List<ProtocolEndpoint> all = host.inventory().queryProtocolEndpoint(List.of());
    ProtocolEndpoint foreign =
        new ProtocolEndpoint(
            "foreign",
            null,
            "None",
            new InBandId("SCSI", "naa.60000000000000000000000000000001"),
            List.of());
    String id = site.create("Data", 1, Map.of());
    ThrowingCallable bind =
        () -> host.bindings().bindVirtualVolume(List.of(id), BindingCalls.NORMAL);

    host.inventory().setPEContext(List.of());
    assertFault("bind of a host that sees no endpoint", "StorageFault", bind);
    host.inventory().setPEContext(List.of(foreign));
    assertFault("bind of a host that sees a foreign endpoint", "StorageFault", bind);
    assertThat(bindingsOf(id)).isZero();

    host.inventory().setPEContext(List.of(foreign, all.getFirst()));
    site.write(id, 0, 7);
    assertThat(site.read(id, 0)).isEqualTo((byte) 7);
    host.volumes().deleteVirtualVolume(id);
    host.inventory().setPEContext(all);
  }

  @Test
  void whatIsRefusedIsRefusedWithNotImplemented() {
    VasaClient client = site.host().client();
    String id = site.create("Data", 1, Map.of());
    var manifest = new StatisticsCalls.Manifest(array(), "StorageArray", List.of(1L), 300);
    Map<String, ThrowingCallable> refused = new LinkedHashMap<>();
    refused.put(
        "prepareForBindingChange",
        () -> client.bindings().prepareForBindingChange(List.of(id), site.host().uuid()));
    refused.put(
        "bindingChangeComplete", () -> client.bindings().bindingChangeComplete(List.of(id)));
    refused.put("cancelBindingChange", () -> client.bindings().cancelBindingChange(List.of(id)));
    refused.put(
        "queryAssociatedStatisticsManifestForArray",
        () -> client.statistics().queryAssociatedStatisticsManifestForArray(List.of(manifest)));
    refused.put(
        "setStatisticsContext", () -> client.statistics().setStatisticsContext(List.of(manifest)));
    refused.put(
        "queryAssociatedStatisticsForEntity",
        () ->
            client
                .statistics()
                .queryAssociatedStatisticsForEntity("StorageArray", List.of(array())));
    refused.put(
        "queryBackingStoragePools", () -> client.inventory().queryBackingStoragePools(List.of()));
    refused.put(
        "queryDrsMigrationCapabilityForPerformanceEx",
        () -> client.inventory().queryDrsMigrationCapabilityForPerformanceEx(List.of("a", "b")));
    refused.put(
        "setStorageContainerContext",
        () -> client.inventory().setStorageContainerContext(site.container(), "user"));

    assertThat(refused).hasSize(9);
    refused.forEach((operation, call) -> assertFault(operation, "NotImplemented", call));
    client.volumes().deleteVirtualVolume(id);
  }

  private static InventoryCalls inventory() {
    return site.vcenter().client().inventory();
  }

  private static String array() {
    return inventory().queryArrays(List.of()).getFirst().id();
  }

  private static int bindingsOf(String id) {
    return provider.rest().get("bindings?vvol=" + id.replace("rfc4122.", "")).get("items").size();
  }
}
