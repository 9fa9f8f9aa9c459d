package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.ScsiCommand;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.scsi.transport.TaskAttribute;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.testing.ControlPlane;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What hosts offloaded, over REST: two hosts and one initiator of none, on volumes of two virtual
/// machines and of none.
class OffloadsTest {

  static final String ZERO_16 = "93010000000000000000000000100000"; // 16 blocks
  private static final String BEYOND = "93010000000000ffffff000000100000";

  private static final String ANCHOR = "93100000000000000000000000100000"; // without UNMAP

  private static AdminServer server;
  private static VolumeId disk;
  private static VolumeId plain;

  @BeforeAll
  static void start() throws Exception {
    server = new AdminServer();
    StorageContainer container = server.control.container("offloads");
    disk = server.control.volume(container, ControlPlane.GIB, named("web-disk", "vm-1"));
    VolumeId database = server.control.volume(container, ControlPlane.GIB, named("db", "vm-2"));
    plain = server.control.volume(container, ControlPlane.GIB);
    declare("esx-1", "iqn.2026-11.test:one-a", "iqn.2026-11.test:one-b");
    declare("esx-2", "iqn.2026-11.test:two");
    export(
        server, disk, "iqn.2026-11.test:one-a", "iqn.2026-11.test:one-b", "iqn.2026-11.test:two");
    export(server, database, "iqn.2026-11.test:two");
    export(server, plain, "iqn.2026-11.test:stranger");

    send(server, "iqn.2026-11.test:one-a", disk, ZERO_16, ZERO_16, BEYOND);
    send(server, "iqn.2026-11.test:one-b", disk, ZERO_16);
    send(server, "iqn.2026-11.test:two", disk, ZERO_16);
    send(server, "iqn.2026-11.test:two", database, BEYOND);
    send(server, "iqn.2026-11.test:stranger", plain, ZERO_16);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Map<String, String> named(String name, String machine) {
    return Map.of("VMW_VVolName", name, "VMW_VmID", machine);
  }

  private static void declare(String host, String... initiators) {
    server.control.luns.declareHost(OperationId.random(), new HostId(host), Set.of(initiators));
  }

  static void export(AdminServer server, VolumeId volume, String... initiators) {
    server.control.luns.export(
        OperationId.random(), volume, Optional.empty(), false, Set.of(initiators));
  }

  static void send(AdminServer server, String initiator, VolumeId volume, String... commands)
      throws Exception {
    int lun = server.control.luns.exportOf(volume).orElseThrow().lun();
    TargetDevice target = server.control.target.plain();
    Nexus nexus = target.attach(new InitiatorPort(initiator, 1));
    execute(target, nexus, lun, "000000000000"); // takes the unit attention
    for (String command : commands) {
      execute(target, nexus, lun, command);
    }
  }

  private static void execute(TargetDevice target, Nexus nexus, int lun, String cdb)
      throws Exception {
    CompletableFuture<ScsiResponse> end = new CompletableFuture<>();
    target.execute(
        new ScsiCommand(
            nexus,
            new LogicalUnitNumber((long) lun << 48),
            1,
            TaskAttribute.SIMPLE,
            ByteBuffer.wrap(HexFormat.of().parseHex(cdb)),
            ByteBuffer.allocate(0),
            ByteBuffer::allocate,
            end::complete,
            false));
    end.get(30, TimeUnit.SECONDS);
  }

  @Test
  void countsStandByVolumeAndInitiatorWithTheNamesOfHostAndVirtualMachine() {
    Answer list = server.get("offloads?vvol=" + disk + "&total=true");

    assertThat(list.number("/total")).isEqualTo(3);
    assertThat(AdminServer.texts(list, "/initiator"))
        .containsExactly(
            "iqn.2026-11.test:one-a", "iqn.2026-11.test:one-b", "iqn.2026-11.test:two");
    assertThat(AdminServer.texts(list, "/host")).containsExactly("esx-1", "esx-1", "esx-2");
    assertThat(list.text("/items/0/name")).isEqualTo("web-disk");
    assertThat(list.text("/items/0/vm")).isEqualTo("vm-1");
    assertThat(list.number("/items/0/counts/kinds/writeSame/commands")).isEqualTo(2);
    assertThat(list.number("/items/0/counts/kinds/writeSame/bytesSpared")).isEqualTo(2 * 16 * 512);
    assertThat(list.number("/items/0/counts/kinds/writeSame/fallBacks")).isEqualTo(1);
    assertThat(list.number("/items/0/counts/total/commands")).isEqualTo(2);
    assertThat(list.json().at("/items/0/counts/kinds").propertyNames())
        .containsExactly("writeSame");
  }

  @Test
  void fallBacksAreShownWithWhatTheHostWasTold() throws Exception {
    VolumeId asked = server.control.volume(server.control.container("refused"), ControlPlane.GIB);
    export(server, asked, "iqn.2026-11.test:refused");
    send(server, "iqn.2026-11.test:refused", asked, ZERO_16, ANCHOR, BEYOND, BEYOND);

    Answer one = server.get("offloads?vvol=" + asked);

    assertThat(one.number("/items/0/counts/total/fallBacks")).isEqualTo(3);
    String reasons = "/items/0/counts/kinds/writeSame/reasons";
    assertThat(one.json().at(reasons)).hasSize(2);
    assertThat(one.text(reasons + "/0/sense")).isEqualTo("5h/21h/00h");
    assertThat(one.number(reasons + "/0/count")).isEqualTo(2);
    assertThat(one.text(reasons + "/0/sentence")).startsWith("The command named blocks behind");
    assertThat(one.text(reasons + "/1/sense")).isEqualTo("5h/24h/00h");
    assertThat(one.number(reasons + "/1/count")).isEqualTo(1);
    assertThat(one.json().at("/items/0/counts/total/reasons"))
        .as("those of the only kind")
        .isEqualTo(one.json().at(reasons));
    assertThat(server.get("offloads?vvol=" + plain).json().at("/items/0/counts/total/reasons"))
        .isEmpty();
    server.control.luns.unexport(OperationId.random(), asked);
  }

  @Test
  void sumsHaveTheReasonsOfTheirParts() {
    Answer hosts = server.get("offloads/hosts");
    assertThat(hosts.number("/items/1/counts/total/reasons/0/count")).isEqualTo(1);
    Answer machines = server.get("offloads/vms");
    assertThat(machines.text("/items/2/counts/total/reasons/0/sense")).isEqualTo("5h/21h/00h");
    Answer total = server.get("offloads/total");
    long counted =
        total
            .json()
            .at("/total/reasons")
            .valueStream()
            .mapToLong(it -> it.at("/count").asLong())
            .sum();
    assertThat(counted).isEqualTo(total.number("/total/fallBacks"));
  }

  @Test
  void partsAndFiltersOfTheListShowEachCountOnce() {
    Answer first = server.get("offloads?limit=4");
    Answer rest = server.get("offloads?limit=4&cursor=" + first.text("/next"));

    assertThat(AdminServer.texts(first, "/initiator")).hasSize(4);
    assertThat(AdminServer.texts(rest, "/initiator")).hasSize(1);
    assertThat(rest.json().get("next").isNull()).isTrue();
    assertThat(AdminServer.texts(server.get("offloads?host=esx-2"), "/host"))
        .containsExactly("esx-2", "esx-2");
    assertThat(AdminServer.texts(server.get("offloads?vm=vm-2"), "/name")).containsExactly("db");
    assertThat(server.get("offloads?vm=none").json().get("items")).isEmpty();
  }

  @Test
  void sumsOfVirtualMachinesAndHostsAddUp() {
    Answer machines = server.get("offloads/vms");
    assertThat(machines.json().at("/items/0/vm").isNull()).as("of no machine").isTrue();
    assertThat(machines.number("/items/0/counts/total/commands")).isEqualTo(1);
    assertThat(machines.text("/items/1/vm")).isEqualTo("vm-1");
    assertThat(machines.number("/items/1/counts/total/commands")).isEqualTo(4);
    assertThat(machines.number("/items/1/counts/total/bytesSpared")).isEqualTo(4 * 16 * 512);
    assertThat(machines.text("/items/2/vm")).isEqualTo("vm-2");
    assertThat(machines.number("/items/2/counts/total/fallBacks")).isEqualTo(1);

    Answer hosts = server.get("offloads/hosts");
    assertThat(hosts.json().at("/items/0/host").isNull()).as("of no host").isTrue();
    assertThat(hosts.text("/items/0/initiators/0")).isEqualTo("iqn.2026-11.test:stranger");
    assertThat(hosts.text("/items/1/host")).isEqualTo("esx-1");
    assertThat(hosts.number("/items/1/counts/kinds/writeSame/commands")).isEqualTo(3);
    assertThat(hosts.json().at("/items/1/initiators")).hasSize(2);
    assertThat(hosts.text("/items/2/host")).isEqualTo("esx-2");
    assertThat(hosts.number("/items/2/counts/total/commands")).isEqualTo(1);
    assertThat(hosts.number("/items/2/counts/total/fallBacks")).isEqualTo(1);
    Answer one = server.get("offloads/hosts?limit=1");
    assertThat(
            server.get("offloads/hosts?limit=1&cursor=" + one.text("/next")).text("/items/0/host"))
        .isEqualTo("esx-1");
  }

  @Test
  void theTotalNeverFallsAndNeedsNoDatabase() throws Exception {
    Answer before = server.get("offloads/total");
    VolumeId gone = server.control.volume(server.control.container("gone"), ControlPlane.GIB);
    export(server, gone, "iqn.2026-11.test:stranger");
    send(server, "iqn.2026-11.test:stranger", gone, ZERO_16, BEYOND);
    server.control.luns.unexport(OperationId.random(), gone);

    server.database.cutOff = true;
    Answer after = server.get("offloads/total");
    server.database.cutOff = false;

    assertThat(server.get("offloads?vvol=" + gone).json().get("items")).isEmpty();
    assertThat(after.text("/since")).isEqualTo(before.text("/since")).isNotEmpty();
    assertThat(after.number("/total/commands")).isEqualTo(before.number("/total/commands") + 1);
    assertThat(after.number("/total/fallBacks")).isEqualTo(before.number("/total/fallBacks") + 1);
    assertThat(after.number("/kinds/writeSame/bytesSpared"))
        .isEqualTo(before.number("/kinds/writeSame/bytesSpared") + 16 * 512);
  }

  @Test
  void operatorsReadThemAndNobodyWithoutAToken() {
    String token = server.token("operator");

    assertThat(server.callAs(token, "GET", "offloads", null).status()).isEqualTo(200);
    assertThat(server.callAs(token, "GET", "offloads/vms", null).status()).isEqualTo(200);
    assertProblem(server.callAs("", "GET", "offloads/hosts", null), 401, "unauthorized");
    assertProblem(server.delete("offloads"), 405, "method-not-allowed");
    assertProblem(server.get("offloads?limit=0"), 400, "invalid-argument");
    assertProblem(server.get("offloads?vvol=x"), 400, "invalid-argument");
  }

  /// Offloads of four hosts at four disks.
  static void someOffloads(AdminServer server, List<VolumeId> disks) throws Exception {
    for (int i = 0; i < 4; i++) {
      export(server, disks.get(i), "iqn.2026-11.test:esx-" + i % 3, "iqn.2026-11.test:x");
      send(server, "iqn.2026-11.test:esx-" + i % 3, disks.get(i), ZERO_16);
    }
    send(server, "iqn.2026-11.test:x", disks.getFirst(), ZERO_16, ZERO_16);
  }
}
