package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The search for objects of every kind.
class SearchTest {

  private static AdminServer server;
  private static String container;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    container = server.container("Kestrel");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer search(String text) {
    Answer answer =
        server.get("search?q=" + URLEncoder.encode(text, StandardCharsets.UTF_8) + "&limit=100");
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    return answer;
  }

  private static List<String> found(String text) {
    Answer answer = search(text);
    List<String> types = AdminServer.texts(answer, "/type");
    List<String> names = AdminServer.texts(answer, "/name");
    List<String> reasons = AdminServer.texts(answer, "/why");
    return IntStream.range(0, types.size())
        .mapToObj(i -> "%s %s by %s".formatted(types.get(i), names.get(i), reasons.get(i)))
        .toList();
  }

  private static VolumeId vvol(VolumeType type, String machine, String name) {
    StorageContainer in = server.control.containers.require(UUID.fromString(container));
    return ControlPlane.made(
        server.control.volumes.create(
            new NewVolume(
                in.id(),
                type,
                VolumeOrigin.HOST,
                null,
                ControlPlane.GIB,
                Map.of("VMW_VmID", machine, "VMW_VVolName", name))));
  }

  @Test
  void equalNamesComeFirstThenBeginningsThenAnyPlace() {
    server.volume(container, "old-heron");
    server.volume(container, "heron");
    server.volume(container, "Heron-2");

    assertThat(found("HERON"))
        .containsExactly(
            "volume heron by name", "volume Heron-2 by name", "volume old-heron by name");
    assertThat(AdminServer.texts(server.get("search?q=heron&limit=1"), "/name"))
        .containsExactly("heron");
    assertThat(search("heron").text("/items/0/container")).isEqualTo(container);
  }

  @Test
  void whatStandsForOtherCharactersElsewhereIsTakenAsItIs() {
    server.volume(container, "50%_of\\\\it"); // JSON has one of them
    server.volume(container, "50xyofzit");

    assertThat(found("50%_of\\")).containsExactly("volume 50%_of\\it by name");
    assertThat(found("%%%%")).isEmpty();
  }

  @Test
  void everyKindOfObjectIsFoundByItsName() {
    String volume = server.volume(container, "magpie-volume");
    server.post("vvols/" + volume + "/snapshots?wait=9s", "{\"name\": \"magpie-snapshot\"}");
    vvol(VolumeType.CONFIG, "machine-77", "magpie-vm");
    vvol(VolumeType.DATA, "machine-77", "disk");
    server.container("magpie-container");
    server.post("policies", "{\"name\": \"magpie-policy\", \"maxIops\": 500}");
    String protecting = Protecting.policy(server, "magpie-rules");
    Protecting.group(server, "magpie-group", protecting, volume);
    server.post("hosts", "{\"name\": \"magpie-host\", \"initiators\": [\"iqn.2026-11.test:mag\"]}");
    server.post("host-groups", "{\"name\": \"magpie-hosts\"}");

    assertThat(found("magpie"))
        .containsExactlyInAnyOrder(
            "volume magpie-volume by name",
            "snapshot magpie-snapshot by name",
            "vvol magpie-vm by name",
            "vm magpie-vm by name",
            "container magpie-container by name",
            "policy magpie-policy by name",
            "protectionPolicy magpie-rules by name",
            "protectionGroup magpie-group by name",
            "host magpie-host by name",
            "hostGroup magpie-hosts by name");
    assertThat(found("machine-7")).containsExactly("vm magpie-vm by id");
  }

  @Test
  void idsUnitsAndInitiatorsFindTheirObjects() {
    String volume = server.volume(container, "osprey");
    String other = server.volume(container, "osprey-2");
    server.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:o\"], \"lun\": 4711}"
            .formatted(volume));
    String naa = server.get("vvols/" + other).text("/naa");
    String host =
        AdminServer.made(
            server.post(
                "hosts", "{\"name\": \"h\", \"initiators\": [\"iqn.2026-11.test:osp-node\"]}"));
    server.control.luns.declareHost(
        OperationId.random(), new HostId("esx-of-osp"), Set.of("iqn.2026-11.test:osp-esx"));

    assertThat(found(volume.substring(0, 13))).contains("volume osprey by id");
    assertThat(found("4711")).containsExactly("volume osprey by lun");
    assertThat(found(naa)).containsExactly("volume osprey-2 by naa");
    assertThat(found(naa.substring(4, 30))).containsExactly("volume osprey-2 by naa");
    assertThat(found("test:osp-node")).containsExactly("host h by initiator");
    assertThat(AdminServer.texts(search("esx-of-osp"), "/id")).containsExactly("esx-of-osp");
    assertThat(AdminServer.texts(search("test:osp-esx"), "/why")).containsExactly("initiator");
    assertThat(AdminServer.texts(search(host), "/id")).containsExactly(host);
  }

  @Test
  void whatIsDeletedIsNotFound() {
    String volume = server.volume(container, "dodo");
    assertThat(found("dodo")).hasSize(1);
    server.delete("volumes/" + volume + "?purge=true");

    assertThat(found("dodo")).isEmpty();
    assertThat(found(volume)).isEmpty();
  }

  @Test
  void aTokenForSomeContainersFindsWhatIsInThese() {
    try (TwoContainers two = new TwoContainers()) {
      TwoContainers.Objects mine = two.mine();
      TwoContainers.Objects hidden = two.hidden();

      for (String id :
          List.of(hidden.volume(), hidden.snapshot(), hidden.policy(), hidden.container())) {
        assertThat(two.as("GET", "search?q=" + id, null).json().get("items")).as(id).isEmpty();
        assertThat(two.server.get("search?q=" + id).json().get("items")).as(id).hasSize(1);
      }
      assertThat(AdminServer.texts(two.as("GET", "search?q=" + mine.volume(), null), "/id"))
          .containsExactly(mine.volume());
      two.server.control.volume(
          two.server.control.containers.require(UUID.fromString(two.own)),
          ControlPlane.GIB,
          Map.of("VMW_VmID", "machine-1", "VMW_VVolName", "disk"));
      assertThat(two.as("GET", "search?q=machine-1", null).json().get("items")).isEmpty();
      assertThat(two.server.get("search?q=machine-1").json().get("items")).hasSize(1);
    }
  }

  @Test
  void whatIsNoQuestionIsRefused() {
    for (String query :
        new String[] {"q=%20", "q=a%00", "limit=5", "q=a&limit=0", "q=a&limit=101"}) {
      assertProblem(server.get("search?" + query), 400, "invalid-argument");
    }
    assertProblem(server.get("search?q=a&type=vm"), 400, "unknown-parameter");
  }
}
