package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.ProtocolEndpoint;
import io.coppice.driver.soap.StorageEvent;
import io.coppice.harness.Mismatch;
import io.coppice.harness.WriteLoad;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/// A protocol endpoint that an administrator takes out of service: over REST, TLS and iSCSI, with a
/// host that writes all the while.
class VasaRebindIT {

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  @Test
  void aHostMovesItsDisksToAnotherEndpointWhileItWrites() {
    EsxiHost host = shared.site().host();
    long seen = newest(host);
    JsonNode second = shared.provider().rest().post("protocol-endpoints", "{}");
    assertThat(second.get("lun").asInt()).isEqualTo(2);
    assertThat(eventsSince(host, seen))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.type()).isEqualTo("ConfigProtocolEndpoint");
              assertThat(event.configType()).isEqualTo("New");
              assertThat(event.objectId()).endsWith(":ProtocolEndpoint:2");
              assertThat(event.parameters()).containsEntry("protocolEndpoint", event.objectId());
            });
    host.scan();
    assertThat(host.endpoints()).hasSize(2);
    String volume = shared.site().create("Data", 64, Map.of());
    VvolDisk former = host.bind(volume);
    int lun = lunOf(volume);
    seen = newest(host);
    AtomicReference<LogicalUnit> unit = new AtomicReference<>(former.unit());
    try (WriteLoad load = new WriteLoad(unit::get, 0, 4096)) {
      load.start();
      load.await(500);

      assertThat(change(lun, "retire").get("inService").asBoolean()).isFalse();

      assertThat(rebindsSince(host, seen)).containsExactly(List.of(volume));
      assertThat(rebindsSince(shared.site().vcenter().client().events().getEvents(-1)))
          .as("it is the host's affair")
          .isEmpty();
      VvolDisk moved = host.rebind(volume);
      assertThat(moved.handle().endpoint()).isNotEqualTo(former.handle().endpoint());
      assertThat(endpoint(lun).get("leaving").asInt()).isEqualTo(1);
      assertThat(names(host)).as("needed until it is left").hasSize(2);
      load.await(load.acknowledgedWrites() + 500);
      unit.set(moved.unit());
      load.await(load.acknowledgedWrites() + 500);
      host.leave(former);
      host.leave(former); // its answer was lost
      load.await(load.acknowledgedWrites() + 500);
      load.stop();

      assertThat(load.wasCutOff()).isFalse();
      assertThat(load.verify(moved.unit(), load.acknowledgedNow())).isPositive();
      assertThatThrownBy(() -> former.unit().read(0, 8, 512)).isInstanceOf(RuntimeException.class);
      assertThat(endpoint(lun).get("bindings").asInt()).isZero();
      assertThat(endpoint(lun).get("leaving").asInt()).isZero();
      assertThat(names(host)).containsExactly(moved.handle().endpoint().lunId());
      assertThat(lunOf(volume)).isNotEqualTo(lun);
      String another = shared.site().create("Data", 1, Map.of());
      VvolDisk bound = host.bind(another);
      assertThat(bound.handle().endpoint()).isEqualTo(moved.handle().endpoint());
      host.unbind(List.of(bound, moved));
    }
    lastEndpointStaysAndTheOtherComesBack(host, lun);
  }

  private static void lastEndpointStaysAndTheOtherComesBack(EsxiHost host, int retired) {
    assertThatThrownBy(() -> change(3 - retired, "retire"))
        .isInstanceOf(Mismatch.class)
        .hasMessageContaining("409")
        .hasMessageContaining("expected another protocol endpoint in service");
    assertThatThrownBy(() -> change(7, "retire"))
        .isInstanceOf(Mismatch.class)
        .hasMessageContaining("404");
    shared.provider().process().kill();
    shared.provider().process().start();
    shared.provider().process().awaitReady(RunningProvider.START_LIMIT);
    host.reconnect(Duration.ofMinutes(1));
    host.reopenSession(Duration.ofMinutes(1));
    assertThat(endpoint(retired).get("inService").asBoolean()).as("after a restart").isFalse();
    assertThat(names(host)).hasSize(1);

    assertThat(change(retired, "restore").get("retiredSince").isNull()).isTrue();

    assertThat(names(host)).hasSize(2);
    VvolDisk disk = host.bind(shared.site().create("Data", 1, Map.of()));
    host.unbind(disk);
    BatchStatus.requireAllGood(
        host.client()
            .bindings()
            .unbindVirtualVolume(List.of(host.bind(disk.vvolId()).handle()), BindingCalls.NORMAL));
  }

  private static JsonNode change(int lun, String what) {
    return shared.provider().rest().post("protocol-endpoints/" + lun + "/" + what, "{}");
  }

  private static JsonNode endpoint(int lun) {
    return shared.provider().rest().get("protocol-endpoints/" + lun);
  }

  /// The endpoint that a volume is bound through.
  private static int lunOf(String volume) {
    return shared
        .provider()
        .rest()
        .get("bindings?vvol=" + volume.replace("rfc4122.", ""))
        .get("items")
        .get(0)
        .get("protocolEndpoint")
        .asInt();
  }

  /// What the host is told of endpoints.
  private static List<String> names(EsxiHost host) {
    return host.client().inventory().queryProtocolEndpoint(List.of()).stream()
        .map(ProtocolEndpoint::inBandId)
        .map(id -> Objects.requireNonNull(id.lunId()))
        .toList();
  }

  private static long newest(EsxiHost host) {
    List<StorageEvent> all = host.client().events().getEvents(-1);
    return all.isEmpty() ? -1 : all.getLast().id();
  }

  private static List<StorageEvent> eventsSince(EsxiHost host, long last) {
    return host.client().events().getEvents(last);
  }

  private static List<List<String>> rebindsSince(EsxiHost host, long last) {
    return rebindsSince(eventsSince(host, last));
  }

  private static List<List<String>> rebindsSince(List<StorageEvent> events) {
    return events.stream()
        .filter(event -> event.type().equals("Rebind"))
        .map(StorageEvent::vvolIds)
        .toList();
  }
}
