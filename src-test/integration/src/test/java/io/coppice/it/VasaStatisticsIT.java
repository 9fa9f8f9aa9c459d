package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.StatisticsCalls;
import io.coppice.driver.soap.StatisticsCalls.Manifest;
import io.coppice.driver.soap.Xml;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Counters: what is offered, chosen and told.
class VasaStatisticsIT {

  private static final List<Long> IOS_AND_KBYTES = List.of(4L, 9L, 8L, 13L);

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  private static EsxiHost carelessHost;

  private String volume;

  @BeforeAll
  static void open() {
    carelessHost =
        EsxiHost.of(
            shared.site().vcenter(),
            "esxi-careless",
            ClientOptions.defaults().withSchemas(null),
            new CallLog());
    carelessHost.openSession();
  }

  @AfterAll
  static void close() {
    carelessHost.close();
  }

  @BeforeEach
  void create() {
    volume = shared.site().create("Data", 4, Map.of());
  }

  @AfterEach
  void delete() {
    statistics().setStatisticsContext(List.of());
    shared.site().host().client().volumes().deleteVirtualVolume(volume);
  }

  @Test
  void theManifestOffersTheCountersThatAreKnown() {
    assertThat(
            shared
                .site()
                .vcenter()
                .client()
                .inventory()
                .queryArrays(List.of())
                .getFirst()
                .supportedProfiles())
        .contains("StatisticsProfile");
    Xml offered =
        statistics()
            .queryAssociatedStatisticsManifestForArray(
                List.of(manifest("VirtualVolumeInfo", 1L), foreign()))
            .getFirst();

    assertThat(offered.required("stats:arrayId")).isEqualTo(array());
    Xml entity = offered.one("stats:entityStatisticsManifest");
    assertThat(entity.required("stats:entityTypeName")).isEqualTo("VirtualVolumeInfo");
    assertThat(entity.number("stats:maxRetrievalSize")).isEqualTo(256);
    assertThat(entity.number("stats:pollingInterval")).isEqualTo(60);
    assertThat(
            entity.texts(
                "stats:counterInfo/stats:nameValue[data:parameterName='counterName']"
                    + "/data:parameterValue"))
        .contains("TotalIOs", "KBytesTransfered", "IOTimeCounter", "StatisticsTime")
        .doesNotContain("ReadHitIOs", "IdleTimeCounter");
    assertThat(statistics().queryAssociatedStatisticsManifestForArray(List.of(foreign())))
        .isEmpty();
    assertThat(
            statistics()
                .queryAssociatedStatisticsManifestForArray(List.of(manifest("StoragePort", 1L))))
        .isEmpty();
  }

  @Test
  void countersTellWhatTheHostDid() {
    statistics()
        .setStatisticsContext(
            List.of(
                new Manifest(array(), "VirtualVolumeInfo", IOS_AND_KBYTES, 60),
                new Manifest(array(), "StorageArray", IOS_AND_KBYTES, 60)));
    long[] before = told("StorageArray", array());
    VvolDisk disk = shared.site().host().bind(volume);
    ByteBuffer block = ByteBuffer.allocate(8192).put(0, (byte) 1);
    disk.disk().write(0, block.duplicate());
    disk.disk().write(8192, block.duplicate());
    disk.disk().read(0, block.duplicate());

    long[] bound = told("VirtualVolumeInfo", volume);
    assertThat(bound[1]).isEqualTo(2);
    assertThat(bound[3]).isEqualTo(16);
    assertThat(bound[0]).isPositive();
    assertThat(bound[2]).isGreaterThanOrEqualTo(8);
    shared.site().host().unbind(disk);

    assertThat(told("VirtualVolumeInfo", volume)).containsExactly(0, 0, 0, 0);
    long[] after = told("StorageArray", array());
    assertThat(after[1] - before[1])
        .as("writes of the array, the unbound volume's too")
        .isEqualTo(2);
    assertThat(after[3] - before[3]).isEqualTo(16);
  }

  @Test
  void valuesStandInTheOrderOfTheChoice() {
    List<Long> timeThenStored = List.of(16L, 101L, 3L);
    statistics()
        .setStatisticsContext(
            List.of(new Manifest(array(), "VirtualVolumeInfo", timeThenStored, 300)));
    shared.site().write(volume, 0, 7);

    long[] values = told("VirtualVolumeInfo", volume);

    assertThat(values).hasSize(3);
    assertThat(values[0]).isGreaterThan(1_700_000_000_000L);
    assertThat(values[1]).isEqualTo(4);
  }

  @Test
  void entitiesThatAreNotThereAreLeftOut() {
    statistics()
        .setStatisticsContext(
            List.of(
                manifest("VirtualVolumeInfo", 1L),
                manifest("StorageLun", 1L),
                manifest("StorageArray", 1L)));

    assertThat(values("VirtualVolumeInfo", Wrong.volumeId(), volume)).hasSize(1);
    assertThat(values("StorageLun", "StorageLun:" + UUID.randomUUID())).isEmpty();
    assertFault("no LUN", "InvalidArgument", () -> values("StorageLun", "no LUN"));
    assertThat(values("StorageArray", "StorageArray:" + UUID.randomUUID())).isEmpty();
  }

  @Test
  void choicesThatWereNotOffered() {
    careless().setStatisticsContext(List.of(manifest("StorageArray", 1L)));
    for (Manifest bad :
        List.of(
            foreign(),
            manifest("StoragePort", 1L),
            manifest("Nonsense", 1L),
            manifest("StorageArray", 5L),
            manifest("StorageArray", -1L),
            manifest("StorageArray"),
            manifest("StorageArray", 1L, 1L),
            new Manifest(array(), "StorageArray", List.of(1L), 59),
            new Manifest(array(), "StorageArray", List.of(1L), -1))) {
      assertFault(
          bad.toString(),
          "InvalidStatisticsContext",
          () -> careless().setStatisticsContext(List.of(bad)));
    }
    assertFault(
        "a type twice",
        "InvalidStatisticsContext",
        () ->
            careless()
                .setStatisticsContext(
                    List.of(manifest("StorageArray", 1L), manifest("StorageArray", 2L))));
    assertFault(
        "a choice without an array",
        "InvalidArgument",
        () ->
            careless()
                .setStatisticsContext(List.of(new Manifest("", "StorageArray", List.of(1L), 60))));
    assertFault(
        "a manifest of nothing",
        "InvalidArgument",
        () -> careless().queryAssociatedStatisticsManifestForArray(List.of()));
    assertFault(
        "a manifest without a type",
        "InvalidArgument",
        () ->
            careless()
                .queryAssociatedStatisticsManifestForArray(
                    List.of(new Manifest(array(), " ", List.of(1L), 60))));
    assertThat(carelessly("StorageArray", array())).as("the choice from before stays").hasSize(1);
  }

  @Test
  void questionsWithoutAChoiceOrBeyondIt() {
    careless().setStatisticsContext(List.of());
    assertFault("no choice", "InvalidStatisticsContext", () -> carelessly("StorageArray", array()));
    careless().setStatisticsContext(List.of(manifest("VirtualVolumeInfo", 1L)));
    assertFault(
        "a type that was not chosen",
        "InvalidStatisticsContext",
        () -> carelessly("StorageArray", array()));
    assertFault(
        "a type without counters",
        "InvalidStatisticsContext",
        () -> carelessly("StoragePort", "a port"));
    assertFault("a strange type", "InvalidArgument", () -> carelessly("Nonsense", array()));
    assertFault("no entity", "InvalidArgument", () -> carelessly("VirtualVolumeInfo"));
    assertFault(
        "a malformed entity",
        "InvalidArgument",
        () -> carelessly("VirtualVolumeInfo", "rfc4122.x"));
    assertFault(
        "too many",
        "TooMany",
        () ->
            careless()
                .queryAssociatedStatisticsForEntity(
                    "VirtualVolumeInfo", Collections.nCopies(257, volume)));
  }

  private static long[] told(String type, String entity) {
    Xml answer = values(type, entity).getFirst();
    assertThat(answer.required("stats:entityId")).isEqualTo(entity);
    return Arrays.stream(answer.required("stats:statisticsString").split(",", -1))
        .mapToLong(Long::parseLong)
        .toArray();
  }

  /// By a host that checks nothing before it asks.
  private static List<Xml> carelessly(String type, String... entities) {
    return careless().queryAssociatedStatisticsForEntity(type, List.of(entities));
  }

  private static StatisticsCalls careless() {
    return carelessHost.client().statistics();
  }

  private static List<Xml> values(String type, String... entities) {
    return statistics().queryAssociatedStatisticsForEntity(type, List.of(entities));
  }

  private static Manifest manifest(String type, Long... counters) {
    return new Manifest(array(), type, List.of(counters), 60);
  }

  private static Manifest foreign() {
    return new Manifest("StorageArray:" + UUID.randomUUID(), "StorageArray", List.of(1L), 60);
  }

  private static StatisticsCalls statistics() {
    return shared.site().host().client().statistics();
  }

  private static String array() {
    return shared.site().host().client().inventory().queryArrays(List.of()).getFirst().id();
  }
}
