package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.InventoryCalls;
import io.coppice.driver.soap.UsageContext;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.Xml;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Plain exports as the LUNs of VASA 1.0, seen by whom they are served to, the pool behind them,
/// and what Storage DRS hears of both.
class VasaLunsIT {

  private static final String UNKNOWN = "StorageLun:" + UUID.randomUUID();

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  private static String mine;
  private static String alsoMine;
  private static String foreign;

  @BeforeAll
  static void export() {
    String initiator = shared.site().host().initiatorName();
    mine = exported("mine", initiator, "iqn.2026-11.test:neighbour");
    alsoMine = exported("also-mine", initiator);
    foreign = exported("foreign", "iqn.2026-11.test:stranger");
  }

  private static String exported(String name, String... initiators) {
    shared.provider().exportPlainVolume(name, 64L << 20, initiators);
    for (var item : shared.provider().rest().get("exports").get("items")) {
      String volume = item.get("vvol").asString();
      if (shared.provider().rest().get("vvols/" + volume).get("name").asString().equals(name)) {
        return "StorageLun:" + volume;
      }
    }
    throw new AssertionError("expected an export of " + name);
  }

  @Test
  void aHostSeesTheLunsThatAreServedToIt() {
    assertThat(host().queryUniqueIdentifiersForLuns(array())).containsExactly(mine, alsoMine);
    assertThat(host().queryUniqueIdentifiersForEntity("StorageLun"))
        .containsExactly(mine, alsoMine);
    assertThat(host().getNumberOfEntities("StorageLun")).isEqualTo(2);
    assertThat(ids(list("queryStorageLuns", "lunUniqueId"))).containsExactly(mine, alsoMine);
    assertThat(ids(list("queryStorageLuns", "lunUniqueId", UNKNOWN, foreign, alsoMine)))
        .containsExactly(alsoMine);
    assertThat(list("queryStorageLuns", "lunUniqueId", foreign)).isEmpty();
  }

  @Test
  void aVcenterSeesThoseOfTheInitiatorsThatItNames() {
    VasaClient vcenter = shared.site().vcenter().client();
    assertThat(vcenter.inventory().queryUniqueIdentifiersForLuns(array())).isEmpty();
    assertThat(vcenter.inventory().getNumberOfEntities("StorageLun")).isZero();
    assertThat(listOf(vcenter, "queryAssociatedLunsForPort", "portUniqueId")).isEmpty();

    String guid = shared.site().vcenter().guid();
    String initiator = "iqn.2026-11.test:neighbour";
    vcenter
        .sessions()
        .setContext(new UsageContext(null, List.of(initiator), 1800, List.of("System"), guid));

    assertThat(vcenter.inventory().queryUniqueIdentifiersForLuns(array())).containsExactly(mine);
    shared.site().vcenter().openSession();
  }

  @Test
  void aLunIsDescribedAsTheHostSeesItsDisk() {
    Xml lun = list("queryStorageLuns", "lunUniqueId", mine).getFirst();

    assertThat(lun.number("data:capacityInMB")).isEqualTo(64);
    assertThat(lun.required("data:displayName")).isEqualTo("mine");
    assertThat(lun.required("data:esxLunIdentifier")).matches("naa\\.6[0-9a-f]{31}");
    assertThat(lun.flag("data:thinProvisioned")).isTrue();
    assertThat(lun.required("data:thinProvisioningStatus")).isEqualTo("Green");
    assertThat(lun.number("data:usedSpaceInMB")).isZero();
    assertThat(lun.flag("data:drsManagementPermitted")).isFalse();
    assertThat(lun.required("data:backingConfig/data:thinProvisionBackingIdentifier"))
        .isEqualTo(pool().required("data:uniqueIdentifier"));
    assertThat(lun.texts("data:alternateIdentifier"))
        .containsExactly(mine.replace("StorageLun:", "rfc4122."));
  }

  @Test
  void lunsHangOnThePlainPortAndHaveTheCapabilityOfTheirSpace() {
    List<String> ports = host().queryUniqueIdentifiersForEntity("StoragePort");
    String plain = ports.stream().filter(id -> id.endsWith(":lun")).findFirst().orElseThrow();

    assertThat(list("queryAssociatedLunsForPort", "portUniqueId"))
        .singleElement()
        .satisfies(
            pair -> {
              assertThat(pair.texts("data:entityId/data:uniqueIdentifier")).containsExactly(plain);
              assertThat(pair.texts("data:associatedId/data:uniqueIdentifier"))
                  .containsExactly(mine, alsoMine);
            });
    assertThat(
            list(
                "queryAssociatedLunsForPort",
                "portUniqueId",
                ports.stream().filter(id -> id.endsWith(":pe")).findFirst().orElseThrow()))
        .isEmpty();
    List<String> capabilities = ids(list("queryStorageCapabilities", "capabilityUniqueId"));
    assertThat(capabilities)
        .containsExactly("StorageCapability:Thin", "StorageCapability:Thick")
        .isEqualTo(host().queryUniqueIdentifiersForEntity("StorageCapability"));
    assertThat(list("queryStorageCapabilities", "capabilityUniqueId", "StorageCapability:Fast"))
        .isEmpty();
    assertFault(
        "no capability",
        "InvalidArgument",
        () -> list("queryStorageCapabilities", "capabilityUniqueId", "unknown"));
    assertThat(list("queryAssociatedCapabilityForLun", "lunUniqueId", mine, foreign))
        .singleElement()
        .satisfies(
            pair -> {
              assertThat(pair.texts("data:entityId/data:uniqueIdentifier")).containsExactly(mine);
              assertThat(pair.texts("data:associatedId/data:uniqueIdentifier"))
                  .containsExactly("StorageCapability:Thin");
            });
  }

  @Test
  void theOnePoolIsTold() {
    Xml pool = pool();

    assertThat(pool.required("data:uniqueIdentifier"))
        .isEqualTo(host().queryUniqueIdentifiersForEntity("BackingStoragePool").getFirst());
    assertThat(pool.required("data:type")).isEqualTo("ThinProvisioningPool");
    assertThat(pool.number("data:usedSpaceInMB"))
        .isPositive()
        .isLessThan(pool.number("data:capacityInMB"));
    assertThat(host().queryBackingStoragePools(List.of("BackingStoragePool:" + UUID.randomUUID())))
        .isEmpty();
    assertFault(
        "no pool", "InvalidArgument", () -> host().queryBackingStoragePools(List.of("unknown")));
  }

  @Test
  void storageDrsHearsThatMovingWithinOnePoolIsNoUse() {
    assertThat(host().queryDRSMigrationCapabilityForPerformance(mine, alsoMine, "StorageLun"))
        .isFalse();
    Xml result =
        host()
            .queryDrsMigrationCapabilityForPerformanceEx(List.of(alsoMine, UNKNOWN, mine, foreign));
    assertThat(result.all("data:nonRecommendedEntitySet"))
        .singleElement()
        .satisfies(set -> assertThat(set.texts("data:entityId")).containsExactly(alsoMine, mine));
    assertThat(
            host()
                .queryDrsMigrationCapabilityForPerformanceEx(List.of(mine))
                .all("data:nonRecommendedEntitySet"))
        .isEmpty();
  }

  @Test
  void lunsThatAreNotThereOrAreOthers() {
    for (String id : List.of(UNKNOWN, foreign, "no LUN")) {
      String fault = id.equals("no LUN") ? "InvalidArgument" : "NotFound";
      assertFault(
          "migration to " + id,
          fault,
          () -> host().queryDRSMigrationCapabilityForPerformance(mine, id, "StorageLun"));
      assertFault(
          "migration from " + id,
          fault,
          () -> host().queryDRSMigrationCapabilityForPerformance(id, mine, "StorageLun"));
    }
    assertFault(
        "migration of a LUN as a file system",
        "InvalidArgument",
        () ->
            host().queryDRSMigrationCapabilityForPerformance(mine, alsoMine, "StorageFileSystem"));
    assertFault(
        "migration of an array",
        "InvalidArgument",
        () -> host().queryDRSMigrationCapabilityForPerformance(mine, alsoMine, "StorageArray"));
    assertFault(
        "migration of nothing",
        "InvalidArgument",
        () -> host().queryDRSMigrationCapabilityForPerformance("", alsoMine, "StorageLun"));
    try (EsxiHost careless =
        EsxiHost.of(
            shared.site().vcenter(),
            "esxi-careless",
            ClientOptions.defaults().withSchemas(null),
            new CallLog())) {
      careless.openSession();
      assertFault(
          "hints for nothing",
          "InvalidArgument",
          () ->
              careless.client().inventory().queryDrsMigrationCapabilityForPerformanceEx(List.of()));
    }
    assertFault(
        "LUNs of another array",
        "NotFound",
        () -> host().queryUniqueIdentifiersForLuns("StorageArray:" + UUID.randomUUID()));
    assertFault("LUNs of none", "InvalidArgument", () -> host().queryUniqueIdentifiersForLuns(""));
  }

  private static Xml pool() {
    return host().queryBackingStoragePools(List.of()).getFirst();
  }

  private static List<String> ids(List<Xml> entities) {
    return entities.stream().map(each -> each.required("data:uniqueIdentifier")).toList();
  }

  private static List<Xml> list(String operation, String argument, String... ids) {
    return listOf(shared.site().host().client(), operation, argument, ids);
  }

  private static List<Xml> listOf(
      VasaClient client, String operation, String argument, String... ids) {
    return client
        .call(operation, x -> x.each("ns:" + argument, List.of(ids)))
        .orElseThrow()
        .all("ns:return");
  }

  private static InventoryCalls host() {
    return shared.site().host().client().inventory();
  }

  private static String array() {
    return host().queryArrays(List.of()).getFirst().id();
  }
}
