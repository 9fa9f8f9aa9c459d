package io.coppice.app;

import static io.coppice.app.WireArguments.element;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.VasaClient.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Identifiers that are none are refused; those that name nothing are skipped or not found, as the
/// operation's list has it.
class IdentifiersTest {

  private static final List<String> MALFORMED =
      List.of(
          "",
          " ",
          "x",
          "rfc4122.x",
          "Storage",
          "StorageRack:" + UUID.randomUUID(),
          "x".repeat(5000));

  /// Operations whose unknown identifiers are skipped: their argument, and the type of its ids.
  private static final Map<String, List<String>> SKIPPING =
      Map.ofEntries(
          Map.entry("queryArrays", List.of("arrayUniqueId", "StorageArray")),
          Map.entry("queryStorageProcessors", List.of("spUniqueId", "StorageProcessor")),
          Map.entry("queryStoragePorts", List.of("portUniqueId", "StoragePort")),
          Map.entry("queryStorageLuns", List.of("lunUniqueId", "StorageLun")),
          Map.entry("queryStorageFileSystems", List.of("fsUniqueId", "StorageFileSystem")),
          Map.entry("queryStorageCapabilities", List.of("capabilityUniqueId", "StorageCapability")),
          Map.entry("queryAssociatedProcessorsForArray", List.of("arrayUniqueId", "StorageArray")),
          Map.entry("queryAssociatedPortsForProcessor", List.of("spUniqueId", "StorageProcessor")),
          Map.entry("queryAssociatedLunsForPort", List.of("portUniqueId", "StoragePort")),
          Map.entry("queryAssociatedCapabilityForLun", List.of("lunUniqueId", "StorageLun")),
          Map.entry(
              "queryAssociatedCapabilityForFileSystem", List.of("fsUniqueId", "StorageFileSystem")),
          Map.entry(
              "queryBackingStoragePools", List.of("storagePoolUniqueId", "BackingStoragePool")),
          Map.entry(
              "queryDrsMigrationCapabilityForPerformanceEx", List.of("entityId", "StorageLun")));

  /// Operations whose unknown identifiers are NotFound: the same.
  private static final Map<String, List<String>> FINDING =
      Map.of(
          "queryUniqueIdentifiersForLuns", List.of("arrayUniqueId", "StorageArray"),
          "queryUniqueIdentifiersForFileSystems", List.of("fsUniqueId", "StorageArray"),
          "queryProtocolEndpointForArray", List.of("arrayId", "StorageArray"),
          "queryStorageContainerForArray", List.of("arrayId", "StorageArray"),
          "getCurrentTask", List.of("arrayId", "StorageArray"),
          "getTaskUpdate", List.of("taskId", "createVirtualVolume"),
          "cancelTask", List.of("taskId", "createVirtualVolume"));

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  private static VasaClient host;

  @BeforeAll
  static void open() throws Exception {
    provider.register();
    host = provider.client(provider.certificate("esx1.test"));
    host.openAsHost("host-1", "iqn.2026-11.test:host-1");
  }

  @Test
  void malformedIdentifiersAreInvalidArguments() throws Exception {
    List<Map.Entry<String, List<String>>> all = new ArrayList<>(SKIPPING.entrySet());
    all.addAll(FINDING.entrySet());
    for (Map.Entry<String, List<String>> each : all) {
      for (String id : MALFORMED) {
        Reply reply = host.call(each.getKey(), element(each.getValue().getFirst(), id));

        assertThat(reply.fault()).as(each.getKey() + " of " + id).isEqualTo("InvalidArgument");
        assertThat(reply.text().length()).as(each.getKey()).isLessThan(2000);
      }
    }
  }

  @Test
  void oneMalformedIdentifierAmongOthersIsRefusedToo() throws Exception {
    String array = host.call("queryArrays", "").value("uniqueIdentifier");

    Reply reply =
        host.call("queryArrays", element("arrayUniqueId", array) + element("arrayUniqueId", "x"));

    assertThat(reply.fault()).isEqualTo("InvalidArgument");
  }

  @Test
  void unknownIdentifiersAreSkippedOrNotFound() throws Exception {
    for (Map.Entry<String, List<String>> each : SKIPPING.entrySet()) {
      Reply reply = host.call(each.getKey(), unknown(each.getValue()));

      assertThat(reply.status()).as(each.getKey() + reply.text()).isEqualTo(200);
      assertThat(reply.values("uniqueIdentifier")).as(each.getKey()).isEmpty();
    }
    for (Map.Entry<String, List<String>> each : FINDING.entrySet()) {
      assertThat(host.call(each.getKey(), unknown(each.getValue())).fault())
          .as(each.getKey())
          .isEqualTo("NotFound");
    }
  }

  private static String unknown(List<String> argument) {
    return element(argument.getFirst(), argument.getLast() + ":" + UUID.randomUUID());
  }

  @Test
  void migrationsBetweenMalformedIdentifiersAreRefused() throws Exception {
    String operation = "queryDRSMigrationCapabilityForPerformance";
    String unknown = "StorageLun:" + UUID.randomUUID();
    String type = element("entityType", "StorageLun");
    for (String id : MALFORMED) {
      assertThat(
              host.call(
                      operation,
                      element("srcUniqueId", id) + element("dstUniqueId", unknown) + type)
                  .fault())
          .as(id)
          .isEqualTo("InvalidArgument");
    }
    assertThat(
            host.call(
                    operation,
                    element("srcUniqueId", unknown) + element("dstUniqueId", unknown) + type)
                .fault())
        .isEqualTo("NotFound");
  }

  @Test
  void unknownVolumeIsNotFoundBeforeItsNewProfileIsLookedAt() throws Exception {
    for (String profile : List.of("", "<p:profileId>x</p:profileId>")) {
      Reply reply =
          host.call(
              "updateStorageProfileForVirtualVolume",
              element("vvolId", "rfc4122." + UUID.randomUUID())
                  + "<ns:newStorageProfile"
                  + " xmlns:p='http://profile.policy.data.vasa.vim.vmware.com/xsd'>"
                  + profile
                  + "</ns:newStorageProfile>");

      assertThat(reply.fault()).as(profile).isEqualTo("NotFound");
    }
  }

  @Test
  void longTextsAreNotSaidBackWhole() throws Exception {
    String longId = "rfc4122." + "0".repeat(5000);
    for (Map.Entry<String, String> each :
        Map.of(
                "deleteVirtualVolume", element("vvolId", longId),
                "spaceStatsForStorageContainer", element("containerId", longId),
                "getNumberOfEntities", element("entityType", longId),
                "activateProvider", element("entityId", longId),
                "queryCapabilityMetadata", element("schemaId", longId),
                "queryCapabilityProfile", element("profileId", longId),
                "unbindAllVirtualVolumesFromHost", element("hostUuid", longId))
            .entrySet()) {
      Reply reply = host.call(each.getKey(), each.getValue());

      assertThat(reply.fault()).as(each.getKey()).isNotEmpty();
      assertThat(reply.value("faultstring").length()).as(each.getKey()).isLessThan(600);
      assertThat(reply.text().length()).as(each.getKey()).isLessThan(3000);
    }
  }
}
