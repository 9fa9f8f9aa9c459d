package io.coppice.driver.soap;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Calls of the operations of 2.0 that the client has methods for, each one once.
final class GoldenCalls {
  static final String VVOL = "rfc4122.9d0c3e5b-1f62-4a8d-8b1e-5c7f2d9e4b02";
  static final String MISSING = "rfc4122.00000000-0000-4000-8000-00000000dead";
  static final String CONTAINER = "abaab415-bedc-44cd-98b8-f37495884db0";
  static final String ARRAY = "StorageArray:2c6f1b8a-7d5e-4f0c-9a31-e9b2c4d7a650";
  static final StorageProfile PROFILE =
      new StorageProfile(
          "7f3a9c12-5d8e-4b60-9e27-c4a1b5d6e7f8",
          "gold & <more>",
          3,
          "a description",
          List.of(
              new StorageProfile.SubProfile(
                  "rule",
                  List.of(
                      Capability.of(
                          "com.vmware.storageprofile.std",
                          "spaceEfficiency",
                          PropertyValue.text("Thin")),
                      Capability.of("a", "b", new PropertyValue.Discrete(List.of("x", "y"))),
                      Capability.of("a", "c", new PropertyValue.Range("long", "1", "9")),
                      Capability.of("a", "d", new PropertyValue.Span("HOURS", 4))))));
  private static final Map<String, String> PAIRS =
      Map.of("VMW_VVolType", "Data", "VMW_VVolName", "a & b");

  private GoldenCalls() {}

  static Map<String, Function<VasaClient, Object>> all() {
    Map<String, Function<VasaClient, Object>> calls = new LinkedHashMap<>();
    registration(calls);
    activation(calls);
    inventory(calls);
    withoutVolumes(calls);
    statistics(calls);
    policies(calls);
    volumes(calls);
    bindings(calls);
    snapshots(calls);
    calls.put("getTaskUpdate", c -> c.tasks().getTaskUpdate("t"));
    calls.put("getCurrentTask", c -> c.tasks().getCurrentTask(null));
    calls.put("cancelTask", c -> done(() -> c.tasks().cancelTask("t")));
    calls.put("getEvents", c -> c.events().getEvents(-1));
    calls.put("getAlarms", c -> c.events().getAlarms(7));
    return calls;
  }

  private static void registration(Map<String, Function<VasaClient, Object>> calls) {
    calls.put(
        "setContext",
        c -> c.sessions().setContext(UsageContext.ofHost("guid", "iqn.1998-01.com.vmware:a")));
    calls.put(
        "registerCACertificatesAndCRLs",
        c ->
            c.registration()
                .registerCACertificatesAndCRLs("u", "p<&", List.of("root"), List.of("crl")));
    calls.put(
        "registerVASACertificate", c -> c.registration().registerVASACertificate("u", "p", "c"));
    calls.put(
        "unregisterVASACertificate",
        c -> done(() -> c.registration().unregisterVASACertificate("c")));
    calls.put("requestCSR", c -> c.registration().requestCSR());
    calls.put(
        "registerCASignedProviderCertificate",
        c -> done(() -> c.registration().registerCASignedProviderCertificate("c", true)));
    calls.put(
        "refreshCACertificatesAndCRLs",
        c -> done(() -> c.registration().refreshCACertificatesAndCRLs(List.of("root"), List.of())));
    calls.put("queryCACertificates", c -> c.registration().queryCACertificates());
    calls.put(
        "queryCACertificateRevocationLists",
        c -> c.registration().queryCACertificateRevocationLists());
  }

  private static void activation(Map<String, Function<VasaClient, Object>> calls) {
    calls.put("activateProvider", c -> done(() -> c.sessions().activateProvider(ARRAY)));
    calls.put(
        "activateProviderEx", c -> c.sessions().activateProviderEx(ARRAY, "https://192.0.2.11/"));
  }

  private static void withoutVolumes(Map<String, Function<VasaClient, Object>> calls) {
    calls.put(
        "queryUniqueIdentifiersForLuns", c -> c.inventory().queryUniqueIdentifiersForLuns(ARRAY));
    calls.put(
        "queryUniqueIdentifiersForFileSystems",
        c -> c.inventory().queryUniqueIdentifiersForFileSystems(ARRAY));
    calls.put(
        "queryDRSMigrationCapabilityForPerformance",
        c -> c.inventory().queryDRSMigrationCapabilityForPerformance("a", "b", "StorageLun"));
    calls.put(
        "queryDrsMigrationCapabilityForPerformanceEx",
        c -> c.inventory().queryDrsMigrationCapabilityForPerformanceEx(List.of("a", "b")));
    calls.put(
        "queryBackingStoragePools", c -> c.inventory().queryBackingStoragePools(List.of("pool")));
    calls.put(
        "setStorageContainerContext",
        c -> c.inventory().setStorageContainerContext(CONTAINER, "user"));
  }

  private static void statistics(Map<String, Function<VasaClient, Object>> calls) {
    var manifest = new StatisticsCalls.Manifest(ARRAY, "StorageArray", List.of(1L, 2L), 300);
    calls.put(
        "queryAssociatedStatisticsManifestForArray",
        c -> c.statistics().queryAssociatedStatisticsManifestForArray(List.of(manifest)));
    calls.put(
        "setStatisticsContext",
        c -> done(() -> c.statistics().setStatisticsContext(List.of(manifest))));
    calls.put(
        "queryAssociatedStatisticsForEntity",
        c -> c.statistics().queryAssociatedStatisticsForEntity("StorageArray", List.of(ARRAY)));
  }

  private static void inventory(Map<String, Function<VasaClient, Object>> calls) {
    calls.put("queryCatalog", c -> c.inventory().queryCatalog());
    calls.put("getNumberOfEntities", c -> c.inventory().getNumberOfEntities("StorageArray"));
    calls.put(
        "queryUniqueIdentifiersForEntity",
        c -> c.inventory().queryUniqueIdentifiersForEntity("StorageArray"));
    calls.put("queryArrays", c -> c.inventory().queryArrays(List.of(ARRAY)));
    calls.put(
        "queryProtocolEndpointForArray", c -> c.inventory().queryProtocolEndpointForArray(ARRAY));
    calls.put("queryProtocolEndpoint", c -> c.inventory().queryProtocolEndpoint(List.of("a")));
    calls.put(
        "setPEContext",
        c ->
            done(
                () ->
                    c.inventory()
                        .setPEContext(
                            List.of(
                                new ProtocolEndpoint(
                                    "pe",
                                    null,
                                    "None",
                                    new InBandId("SCSI", "naa.6"),
                                    List.of("127.0.0.1"))))));
    calls.put(
        "queryStorageContainerForArray", c -> c.inventory().queryStorageContainerForArray(ARRAY));
    calls.put(
        "queryStorageContainer", c -> c.inventory().queryStorageContainer(List.of(CONTAINER)));
    calls.put(
        "spaceStatsForStorageContainer",
        c -> c.inventory().spaceStatsForStorageContainer(CONTAINER, List.of("p")));
  }

  private static void policies(Map<String, Function<VasaClient, Object>> calls) {
    calls.put("queryCapabilityMetadata", c -> c.policies().queryCapabilityMetadata(List.of()));
    calls.put("queryCapabilityProfile", c -> c.policies().queryCapabilityProfile(List.of()));
    calls.put(
        "queryCapabilityProfileForResource",
        c -> c.policies().queryCapabilityProfileForResource(List.of(CONTAINER)));
    calls.put(
        "queryDefaultProfileForStorageContainer",
        c -> c.policies().queryDefaultProfileForStorageContainer(CONTAINER, List.of("Data")));
    calls.put(
        "queryComplianceResult",
        c -> c.policies().queryComplianceResult(List.of(VVOL), "profile", 3));
    calls.put(
        "updateStorageProfileForVirtualVolume",
        c -> c.policies().updateStorageProfileForVirtualVolume(VVOL, PROFILE));
  }

  private static void volumes(Map<String, Function<VasaClient, Object>> calls) {
    calls.put(
        "createVirtualVolume",
        c -> c.volumes().createVirtualVolume(CONTAINER, "Data", PROFILE, 16384, PAIRS));
    calls.put("deleteVirtualVolume", c -> done(() -> c.volumes().deleteVirtualVolume(VVOL)));
    calls.put("resizeVirtualVolume", c -> c.volumes().resizeVirtualVolume(VVOL, 20000));
    calls.put(
        "queryVirtualVolume",
        c -> c.volumes().queryVirtualVolume(Map.of("VMW_ContainerId", CONTAINER, "VMW_VmID", "")));
    calls.put("queryVirtualVolumeInfo", c -> c.volumes().queryVirtualVolumeInfo(List.of(VVOL)));
    calls.put(
        "updateVirtualVolumeMetaData",
        c -> done(() -> c.volumes().removeMetaData(VVOL, List.of("VMW_VVolName"))));
    calls.put(
        "spaceStatsForVirtualVolume", c -> c.volumes().spaceStatsForVirtualVolume(List.of(VVOL)));
  }

  private static void bindings(Map<String, Function<VasaClient, Object>> calls) {
    VvolHandle handle = new VvolHandle(VVOL, new InBandId("SCSI", "naa.6"), "0xd2000005");
    calls.put(
        "bindVirtualVolume",
        c -> c.bindings().bindVirtualVolume(List.of(VVOL, MISSING), BindingCalls.NORMAL));
    calls.put(
        "unbindVirtualVolume",
        c -> c.bindings().unbindVirtualVolume(List.of(handle), BindingCalls.NORMAL));
    calls.put(
        "unbindVirtualVolumeFromAllHost",
        c -> c.bindings().unbindVirtualVolumeFromAllHost(List.of(VVOL)));
    calls.put(
        "unbindAllVirtualVolumesFromHost",
        c -> done(() -> c.bindings().unbindAllVirtualVolumesFromHost(null)));
    calls.put(
        "prepareForBindingChange",
        c -> c.bindings().prepareForBindingChange(List.of(VVOL), "host"));
    calls.put("bindingChangeComplete", c -> c.bindings().bindingChangeComplete(List.of(VVOL)));
    calls.put("cancelBindingChange", c -> c.bindings().cancelBindingChange(List.of(VVOL)));
  }

  private static void snapshots(Map<String, Function<VasaClient, Object>> calls) {
    calls.put(
        "prepareToSnapshotVirtualVolume",
        c -> c.snapshots().prepareToSnapshotVirtualVolume(VVOL, null, "SnapshotReadOnly"));
    calls.put(
        "snapshotVirtualVolume",
        c -> c.snapshots().snapshotVirtualVolume(List.of(new VvolInfo(VVOL, PAIRS)), 1000));
    calls.put("revertVirtualVolume", c -> c.snapshots().revertVirtualVolume(VVOL, MISSING));
    calls.put(
        "fastCloneVirtualVolume", c -> c.snapshots().fastCloneVirtualVolume(VVOL, null, PAIRS));
    calls.put(
        "cloneVirtualVolume", c -> c.snapshots().cloneVirtualVolume(VVOL, null, PROFILE, PAIRS));
    calls.put(
        "copyDiffsToVirtualVolume",
        c -> c.snapshots().copyDiffsToVirtualVolume(VVOL, VVOL, MISSING));
    calls.put(
        "unsharedChunksVirtualVolume",
        c -> c.snapshots().unsharedChunksVirtualVolume(VVOL, null, 0, 1 << 20));
    calls.put(
        "unsharedBitmapVirtualVolume",
        c -> c.snapshots().unsharedBitmapVirtualVolume(VVOL, MISSING, 0, 1 << 20, 4096));
    calls.put(
        "allocatedBitmapVirtualVolume",
        c -> c.snapshots().allocatedBitmapVirtualVolume(VVOL, 0, 1 << 20, 4096));
  }

  private static Object done(Runnable call) {
    call.run();
    return "done";
  }
}
