package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.ScsiCommand;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.SessionOrigin;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.scsi.transport.TaskAttribute;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Exports as a list: names, filters, and what an export says about its use.
class ExportListTest {

  private static final String INITIATOR = "iqn.2026-11.listed:one";

  private static AdminServer server;
  private static String container;
  private static String data;
  private static String logs;
  private static String spare;
  private static String host;
  private static String member;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    container = server.container("listed");
    host = host("alone", INITIATOR);
    member = host("member", "iqn.2026-11.listed:two");
    String group =
        AdminServer.made(
            server.post(
                "host-groups", "{\"name\": \"both\", \"hosts\": [\"%s\"]}".formatted(member)));
    data = exported("data", "\"hosts\": [\"%s\"]".formatted(host));
    logs = exported("logs", "\"groups\": [\"%s\"]".formatted(group));
    spare = exported("spare", "\"initiators\": [\"iqn.2026-11.listed:three\"]");
  }

  private static String host(String name, String initiator) {
    return AdminServer.made(
        server.post(
            "hosts", "{\"name\": \"%s\", \"initiators\": [\"%s\"]}".formatted(name, initiator)));
  }

  private static String exported(String name, String audience) {
    String volume = server.volume(container, name);
    Answer made = server.post("exports", "{\"vvol\": \"%s\", %s}".formatted(volume, audience));
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(made.text("/name")).isEqualTo(name);
    return volume;
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer list(String query) {
    return server.get("exports?" + query);
  }

  @Test
  void anExportHasTheNameOfItsVolume() {
    assertThat(server.get("exports/" + data).text("/name")).isEqualTo("data");
    assertThat(AdminServer.texts(list("sort=-name"), "/name"))
        .containsExactly("spare", "logs", "data");
    assertThat(AdminServer.texts(list("name=logs"), "/vvol")).containsExactly(logs);

    assertThat(server.patch("volumes/" + spare, "{\"name\": \"kept\"}").status()).isEqualTo(200);
    assertThat(server.get("exports/" + spare).text("/name")).isEqualTo("kept");
    server.patch("volumes/" + spare, "{\"name\": \"spare\"}");
  }

  @Test
  void aHostHasTheExportsThatNameItOrItsGroup() {
    assertThat(AdminServer.texts(list("host=" + host), "/vvol")).containsExactly(data);
    assertThat(AdminServer.texts(list("host=" + member), "/vvol")).containsExactly(logs);
    assertThat(list("total=true&host=" + member).number("/total")).isEqualTo(1);
    assertThat(AdminServer.texts(list("host=" + UUID.randomUUID()), "/vvol")).isEmpty();
    Answer refused = list("host=host-12");
    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo("host");
  }

  @Test
  void aVolumeHasItsExport() {
    assertThat(AdminServer.texts(list("vvol=" + spare), "/vvol")).containsExactly(spare);
    assertThat(AdminServer.texts(list("name=data&vvol=" + spare), "/vvol")).isEmpty();
    assertThat(AdminServer.texts(list("host=" + host + "&vvol=" + spare), "/vvol")).isEmpty();
  }

  @Test
  void anExportHasLinesForEachKindOfHost() {
    Answer export = server.get("exports/" + data);
    String digits = export.text("/naa").substring(4);
    String portal = export.text("/portals/0");

    assertThat(texts(export, "linux"))
        .contains(
            "iscsiadm -m node -T %s --login".formatted(export.text("/target")),
            "ls -l /dev/disk/by-id/wwn-0x" + digits);
    assertThat(texts(export, "esxi")).contains("esxcli storage core device list -d naa." + digits);
    assertThat(texts(export, "proxmox").getFirst())
        .startsWith("pvesm add iscsi coppice --portal " + portal);
    assertThat(texts(export, "windows").getLast())
        .endsWith("'%s'".formatted(digits.toUpperCase(Locale.ROOT)));
    assertThat(list("vvol=" + data).json().at("/items/0/commands"))
        .isEqualTo(export.json().get("commands"));
  }

  private static List<String> texts(Answer export, String system) {
    return export
        .json()
        .at("/commands/" + system)
        .valueStream()
        .map(line -> line.asString())
        .toList();
  }

  @Test
  void anExportTellsWhoHasFoundTheDisk() {
    TargetDevice target = server.control.target.plain();
    Nexus session =
        target.attach(
            new InitiatorPort(INITIATOR, 0x23d000003L),
            new SessionOrigin("192.0.2.10:3260", "192.0.2.1:40003"));
    assertThat(reachedBy()).as("a session alone").isEmpty();

    inquiry(target, session, server.get("exports/" + data).number("/lun"));

    assertThat(reachedBy()).containsExactly(INITIATOR);
    Answer export = server.get("exports/" + data);
    assertThat(export.text("/reachedBy/0/since"))
        .isLessThanOrEqualTo(export.text("/reachedBy/0/lastCommand"));
    target.detach(session, () -> {});
    assertThat(reachedBy()).as("the session has ended").containsExactly(INITIATOR);
    assertThat(server.delete("exports/%s/hosts/%s".formatted(data, host)).status()).isEqualTo(200);
    assertThat(server.put("exports/%s/hosts/%s".formatted(data, host), "").status()).isEqualTo(200);
    assertThat(reachedBy()).as("it was taken away meanwhile").isEmpty();
  }

  private static List<String> reachedBy() {
    return server
        .get("exports/" + data)
        .json()
        .at("/reachedBy")
        .valueStream()
        .map(one -> one.get("initiator").asString())
        .toList();
  }

  private static void inquiry(TargetDevice target, Nexus session, long lun) {
    CompletableFuture<ScsiResponse> answer = new CompletableFuture<>();
    target.execute(
        new ScsiCommand(
            session,
            new LogicalUnitNumber(lun << 48),
            1,
            TaskAttribute.SIMPLE,
            ByteBuffer.wrap(new byte[] {0x12, 0, 0, 0, 36, 0}).asReadOnlyBuffer(),
            ByteBuffer.allocate(0),
            ByteBuffer::allocateDirect,
            answer::complete,
            false));
    assertThat(answer.join().status()).isEqualTo(ScsiStatus.GOOD);
  }
}
