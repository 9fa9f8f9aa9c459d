package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.ScsiCommand;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.scsi.transport.TaskAttribute;
import io.coppice.vasa.testing.ControlPlane;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Counters of what hosts read and write, over REST.
class TrafficTest {

  private static final String INITIATOR = "iqn.2026-11.test:reader";
  private static final String BUSY = "iqn.2026-11.test:busy";
  private static final String READ_8 = "28000000000000000800"; // 8 blocks
  private static final String WRITE_1 = "2a000000000000000100"; // 1 block

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void commandsAndBytesAreCountedByVolumeAndInAll() throws Exception {
    String container = server.container("traffic");
    VolumeId used = VolumeId.parse(server.volume(container, "used"));
    String idle = server.volume(container, "idle");
    server.control.luns.export(
        OperationId.random(), used, Optional.of(0), false, Set.of(INITIATOR));
    TargetDevice target = server.control.target.plain();
    Nexus nexus = target.attach(new InitiatorPort(INITIATOR, 1));
    execute(target, nexus, "000000000000", 0); // takes the unit attention
    Answer before = server.get("traffic/total");
    execute(target, nexus, READ_8, 0);
    execute(target, nexus, READ_8, 0);
    execute(target, nexus, WRITE_1, 512);

    Answer list = server.get("traffic?total=true");
    Answer after = server.get("traffic/total");

    assertThat(AdminServer.texts(list, "/vvol")).contains(used.toString()).doesNotContain(idle);
    var one =
        list.json()
            .get("items")
            .valueStream()
            .filter(it -> it.get("vvol").asString().equals(used.toString()))
            .findFirst()
            .orElseThrow();
    assertThat(one.get("name").asString()).isEqualTo("used");
    assertThat(one.get("read").get("commands").asLong()).isEqualTo(2);
    assertThat(one.get("read").get("bytes").asLong()).isEqualTo(2 * 8 * 512);
    assertThat(one.get("write").get("commands").asLong()).isEqualTo(1);
    assertThat(one.get("write").get("bytes").asLong()).isEqualTo(512);
    assertThat(after.number("/read/bytes") - before.number("/read/bytes")).isEqualTo(2 * 8 * 512);
    assertThat(after.number("/write/commands") - before.number("/write/commands")).isEqualTo(1);
    assertThat(after.text("/at")).isNotEmpty();
  }

  @Test
  void theBusiestComeFirstWithTheirRates() throws Exception {
    var container = server.control.container("busy");
    VolumeId web =
        server.control.volume(
            container, ControlPlane.GIB, Map.of("VMW_VVolName", "web", "VMW_VmID", "vm-1"));
    VolumeId database =
        server.control.volume(
            container, ControlPlane.GIB, Map.of("VMW_VVolName", "db", "VMW_VmID", "vm-2"));
    VolumeId plain = VolumeId.parse(server.volume(container.id().toString(), "plain"));
    OffloadsTest.export(server, web, BUSY);
    OffloadsTest.export(server, database, BUSY);
    OffloadsTest.export(server, plain, BUSY);
    server.get("traffic/busiest"); // begins to count
    server.control.diagnosed.addAndGet(TimeUnit.SECONDS.toNanos(60));
    server.get("traffic/busiest"); // what came before is in its sample
    OffloadsTest.send(server, BUSY, web, READ_8, READ_8, READ_8, READ_8);
    OffloadsTest.send(server, BUSY, database, "28000000000000010000", "28000000000000010000");
    OffloadsTest.send(server, BUSY, plain, READ_8);
    server.control.diagnosed.addAndGet(TimeUnit.SECONDS.toNanos(2));

    Answer all = server.get("traffic/busiest?window=PT1S");
    Answer first = server.get("traffic/busiest?window=PT1S&by=bandwidth&limit=1");
    Answer machines = server.get("traffic/busiest?of=vm&window=PT1S");

    assertThat(all.number("/window")).isEqualTo(2000);
    assertThat(AdminServer.texts(all, "/id"))
        .containsExactly(web.toString(), database.toString(), plain.toString());
    assertThat(all.json().at("/items/0/iops").asDouble()).isEqualTo(2);
    assertThat(all.json().at("/items/0/bandwidth").asDouble()).isEqualTo(4 * 8 * 512 / 2.0);
    assertThat(all.text("/items/0/name")).isEqualTo("web");
    assertThat(all.text("/items/0/vm")).isEqualTo("vm-1");
    assertThat(all.json().at("/items/2/vm").isNull()).isTrue();
    assertThat(AdminServer.texts(first, "/name")).containsExactly("db");
    assertThat(AdminServer.texts(machines, "/id")).containsExactly("vm-1", "vm-2");
    assertThat(AdminServer.texts(machines, "/vm")).containsExactly("vm-1", "vm-2");
    server.control.diagnosed.addAndGet(TimeUnit.SECONDS.toNanos(60));
    assertThat(server.get("traffic/busiest").json().get("items")).isEmpty();
  }

  @Test
  void whatIsNoQuestionForTheBusiestIsRefused() {
    for (String query :
        new String[] {
          "of=host", "by=size", "limit=0", "limit=101", "window=PT0S", "window=PT10M1S", "window=1m"
        }) {
      assertProblem(server.get("traffic/busiest?" + query), 400, "invalid-argument");
    }
    assertProblem(server.get("traffic/busiest?sort=name"), 400, "unknown-parameter");
    assertThat(server.get("traffic/busiest?by=latency&of=vm&limit=100").status()).isEqualTo(200);
  }

  @Test
  void onlyTheGrammarOfListsIsTaken() {
    assertProblem(server.get("traffic?volume=x"), 400, "unknown-parameter");
    assertProblem(server.get("traffic/total?limit=1"), 400, "unknown-parameter");
  }

  private static void execute(TargetDevice target, Nexus nexus, String cdb, int dataOut)
      throws Exception {
    CompletableFuture<ScsiResponse> end = new CompletableFuture<>();
    target.execute(
        new ScsiCommand(
            nexus,
            new LogicalUnitNumber(0),
            1,
            TaskAttribute.SIMPLE,
            ByteBuffer.wrap(HexFormat.of().parseHex(cdb)),
            ByteBuffer.allocate(dataOut),
            ByteBuffer::allocate,
            end::complete,
            false));
    end.get(30, TimeUnit.SECONDS);
  }
}
