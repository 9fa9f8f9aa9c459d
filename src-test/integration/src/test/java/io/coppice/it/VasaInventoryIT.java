package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.InBandId;
import io.coppice.driver.soap.InventoryCalls;
import io.coppice.driver.soap.MessageCatalog;
import io.coppice.driver.soap.ProtocolEndpoint;
import io.coppice.driver.soap.StorageArray;
import io.coppice.driver.soap.StorageContainer;
import io.coppice.driver.soap.StorageProfile;
import io.coppice.driver.soap.TaskInfo;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.Xml;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What the provider says of itself, its array, endpoints and containers, and what it refuses to
/// do, over TLS, every reply checked against the schemas.
class VasaInventoryIT {

  private static final String OTHER_ARRAY = "StorageArray:" + UUID.randomUUID();
  private static final String OTHER_PROCESSOR = "StorageProcessor:" + UUID.randomUUID();

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  @Test
  void entitiesAreCountedAndNamed() {
    InventoryCalls inventory = inventory();

    assertThat(inventory.queryUniqueIdentifiersForEntity("StorageArray")).containsExactly(array());
    assertThat(inventory.queryUniqueIdentifiersForEntity("StorageContainer"))
        .containsExactly(shared.site().container());
    assertThat(inventory.queryUniqueIdentifiersForEntity("StorageLun")).isEmpty();
    for (String type :
        List.of("StorageArray", "StorageProcessor", "StoragePort", "StorageContainer")) {
      assertThat(inventory.getNumberOfEntities(type))
          .as(type)
          .isEqualTo(inventory.queryUniqueIdentifiersForEntity(type).size())
          .isPositive();
    }
    assertFault(
        "count of an unknown type",
        "InvalidArgument",
        () -> inventory.getNumberOfEntities("Nonsense"));
    assertFault(
        "ids of an unknown type",
        "InvalidArgument",
        () -> inventory.queryUniqueIdentifiersForEntity("Nonsense"));
  }

  @Test
  void processorAndPortsBelongToTheArray() {
    String processor = inventory().queryUniqueIdentifiersForEntity("StorageProcessor").getFirst();
    List<String> ports = inventory().queryUniqueIdentifiersForEntity("StoragePort");

    assertThat(list("queryStorageProcessors", "spUniqueId", processor, OTHER_PROCESSOR))
        .extracting(x -> x.required("data:uniqueIdentifier"))
        .containsExactly(processor);
    List<Xml> shown = list("queryStoragePorts", "portUniqueId");
    assertThat(shown)
        .extracting(x -> x.required("data:uniqueIdentifier"))
        .containsExactlyElementsOf(ports);
    assertThat(shown).extracting(x -> x.required("data:portType")).containsOnly("ISCSI");
    assertThat(shown)
        .extracting(x -> x.required("data:iscsiIdentifier"))
        .anyMatch(name -> name.endsWith(":pe"));
    assertThat(list("queryAssociatedProcessorsForArray", "arrayUniqueId", array()))
        .singleElement()
        .satisfies(pair -> assertAssociated(pair, array(), List.of(processor)));
    assertThat(list("queryAssociatedPortsForProcessor", "spUniqueId", processor))
        .singleElement()
        .satisfies(pair -> assertAssociated(pair, processor, ports));
    assertThat(list("queryStorageProcessors", "spUniqueId", OTHER_PROCESSOR)).isEmpty();
    assertThat(list("queryStoragePorts", "portUniqueId", "StoragePort:iqn.other")).isEmpty();
    assertThat(list("queryAssociatedProcessorsForArray", "arrayUniqueId", OTHER_ARRAY)).isEmpty();
    assertThat(list("queryAssociatedPortsForProcessor", "spUniqueId", OTHER_PROCESSOR)).isEmpty();
    assertFault(
        "no processor",
        "InvalidArgument",
        () -> list("queryStorageProcessors", "spUniqueId", "unknown"));
    assertFault("no port", "InvalidArgument", () -> list("queryStoragePorts", "portUniqueId", "x"));
  }

  @Test
  void listsOfWhatTheArrayHasNotAreEmpty() {
    Map<String, String> lists =
        Map.of(
            "queryStorageFileSystems", "fsUniqueId",
            "queryAssociatedCapabilityForFileSystem", "fsUniqueId");

    lists.forEach(
        (operation, argument) -> {
          assertThat(list(operation, argument)).as(operation).isEmpty();
          assertThat(list(operation, argument, "StorageFileSystem:" + UUID.randomUUID()))
              .as(operation)
              .isEmpty();
          assertFault(
              operation, "InvalidArgument", () -> list(operation, argument, "no file system"));
        });
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
    assertFault("no array", "InvalidArgument", () -> inventory.queryArrays(List.of("x")));
  }

  @Test
  void catalogsForEventsAndAlarmsAreThereToBeRead() {
    VasaClient client = shared.site().vcenter().client();
    List<MessageCatalog> catalogs = inventory().queryCatalog();

    for (String locale : List.of("en", "de")) {
      assertThat(catalogs)
          .filteredOn(catalog -> locale.equals(catalog.locale()))
          .extracting(MessageCatalog::name)
          .containsExactlyInAnyOrder("Event", "Alarm", "Fault", "Policy");
    }
    for (MessageCatalog catalog : catalogs) {
      URI uri = shared.site().vcenter().service().resolve(Objects.requireNonNull(catalog.uri()));
      VasaClient.RawReply file = client.get(uri);
      assertThat(file.status()).as("%s", uri).isEqualTo(200);
      assertThat(file.text()).as("%s", uri).isNotBlank();
    }
  }

  @Test
  void whatPoliciesMayAskForIsTold() {
    VasaClient client = shared.site().vcenter().client();
    String everything = "6f4b8f0e-5a35-4b0c-9d86-1c0f9f4e3a52";

    assertThat(client.policies().queryCapabilityMetadata(List.of())).hasSize(2);
    for (String id : List.of("com.vmware.storageprofile.std", "io.coppice.capability")) {
      assertThat(client.policies().queryCapabilityMetadata(List.of(id)))
          .singleElement()
          .satisfies(schema -> assertThat(schema.required("capprov:schemaId")).isEqualTo(id));
    }
    String made =
        shared
            .provider()
            .rest()
            .post("policies", "{\"name\": \"told\", \"spaceEfficiency\": \"thin\"}")
            .get("id")
            .asString();
    assertThat(client.policies().queryCapabilityProfile(List.of()))
        .extracting(StorageProfile::profileId)
        .containsExactly(everything, made);
    assertThat(client.policies().queryCapabilityProfile(List.of(made)))
        .extracting(StorageProfile::name)
        .containsExactly("told");
    assertThat(
            client.policies().queryCapabilityProfileForResource(List.of(shared.site().container())))
        .isEqualTo(Map.of(shared.site().container(), List.of(everything, made)));
    assertThat(
            client
                .policies()
                .queryDefaultProfileForStorageContainer(shared.site().container(), List.of("Data")))
        .isEmpty();
    shared.provider().rest().delete("policies/" + made);
    assertFault(
        "a profile that was deleted",
        "NotFound",
        () -> client.policies().queryCapabilityProfile(List.of(made)));
  }

  @Test
  void theArrayHasNoFileSystemsAndOnlyItIsKnown() {
    InventoryCalls inventory = inventory();

    assertThat(inventory.queryUniqueIdentifiersForFileSystems(array())).isEmpty();
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
  void theProviderIsActiveWithoutBeingActivated() {
    VasaClient client = shared.site().vcenter().client();

    assertThat(shared.site().vcenter().info().needsExplicitActivation()).isFalse();
    client.sessions().activateProvider(array());
    TaskInfo task = client.sessions().activateProviderEx(array(), null);
    assertThat(task.state()).isEqualTo(TaskInfo.SUCCESS);
    assertThat(client.tasks().getTaskUpdate(task.taskId())).isEqualTo(task);
    for (String entity : List.of(OTHER_ARRAY, "")) {
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
        .containsExactlyInAnyOrderElementsOf(shared.site().host().endpoints().keySet());
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

    assertThat(inventory.queryStorageContainerForArray(array()))
        .containsExactly(shared.site().container());
    assertThat(
            inventory.queryStorageContainer(List.of(unknown, "no uuid", shared.site().container())))
        .containsExactly(new StorageContainer(shared.site().container(), "site", 64 << 20, "SCSI"))
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
        () -> inventory.spaceStatsForStorageContainer(shared.site().container(), List.of(unknown)));
  }

  @Test
  void aHostBindsOnlyThroughEndpointsThatItDeclared() {
    VasaClient host = shared.site().host().client();
    List<ProtocolEndpoint> all = host.inventory().queryProtocolEndpoint(List.of());
    ProtocolEndpoint foreign =
        new ProtocolEndpoint(
            "foreign",
            null,
            "None",
            new InBandId("SCSI", "naa.60000000000000000000000000000001"),
            List.of());
    String id = shared.site().create("Data", 1, Map.of());
    ThrowingCallable bind =
        () -> host.bindings().bindVirtualVolume(List.of(id), BindingCalls.NORMAL);

    host.inventory().setPEContext(List.of());
    assertFault("bind of a host that sees no endpoint", "StorageFault", bind);
    host.inventory().setPEContext(List.of(foreign));
    assertFault("bind of a host that sees a foreign endpoint", "StorageFault", bind);
    assertThat(bindingsOf(id)).isZero();

    host.inventory().setPEContext(List.of(foreign, all.getFirst()));
    shared.site().write(id, 0, 7);
    assertThat(shared.site().read(id, 0)).isEqualTo((byte) 7);
    host.volumes().deleteVirtualVolume(id);
    host.inventory().setPEContext(all);
  }

  /// What an operation with a list of ids answers.
  private static List<Xml> list(String operation, String argument, String... ids) {
    return shared
        .site()
        .vcenter()
        .client()
        .call(operation, x -> x.each("ns:" + argument, List.of(ids)))
        .orElseThrow()
        .all("ns:return");
  }

  private static void assertAssociated(Xml pair, String entity, List<String> associated) {
    assertThat(pair.texts("data:entityId/data:uniqueIdentifier")).containsExactly(entity);
    assertThat(pair.texts("data:associatedId/data:uniqueIdentifier"))
        .containsExactlyElementsOf(associated);
  }

  private static InventoryCalls inventory() {
    return shared.site().vcenter().client().inventory();
  }

  private static String array() {
    return inventory().queryArrays(List.of()).getFirst().id();
  }

  private static int bindingsOf(String id) {
    return shared
        .provider()
        .rest()
        .get("bindings?vvol=" + id.replace("rfc4122.", ""))
        .get("items")
        .size();
  }
}
