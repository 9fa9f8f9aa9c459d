package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.vasa.testing.ControlPlane;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The containers of a token: how it gets them, and how it loses them.
class BoundTokenTest {

  private final TwoContainers two = new TwoContainers();
  private final AdminServer server = two.server;
  private final String own = two.own;
  private final String other = two.other;

  @AfterEach
  void close() {
    two.close();
  }

  @Test
  void aKeyOfAnotherTokenStandsForAnotherRequest() {
    String body =
        "{\"name\": \"once\", \"size\": %d, \"container\": \"%s\"}"
            .formatted(ControlPlane.GIB, other);
    assertThat(server.call("POST", "volumes", body, "Idempotency-Key", "key").status())
        .isEqualTo(201);

    for (int time = 0; time < 2; time++) {
      Answer answer = server.callAs(two.token, "POST", "volumes", body, "Idempotency-Key", "key");

      VolumeAdminTest.refused("POST /volumes", answer);
      assertThat(answer.header("Idempotency-Replayed")).isEmpty();
    }
  }

  @Test
  void theContainersOfATokenAreThoseThatExist() {
    String third = server.container("third");
    Answer issued = two.issue("two", "volume-admin", "\"%s\", \"%s\"".formatted(third, own));
    String text = issued.text("/token");

    assertThat(issued.json().get("containers")).hasSize(2);
    assertThat(server.callAs(text, "GET", "me", null).json().get("containers")).hasSize(2);
    assertThat(server.callAs(text, "GET", "me", null).text("/role")).isEqualTo("volume-admin");
    assertThat(server.get("events?limit=1").text("/items/0/sentence"))
        .contains("two", "volume-admin", "third (%s), own (%s)".formatted(third, own));
    assertThat(server.delete("containers/" + third).status()).isEqualTo(204);
    assertThat(server.callAs(text, "GET", "me", null).json().get("containers")).hasSize(1);
    assertThat(server.get("tokens?limit=1000").http().body()).doesNotContain(third);
    assertThat(server.get("me").json().get("containers").isNull()).isTrue();
  }

  @Test
  void aTokenWhoseContainersAreGoneSeesNothing() {
    String gone = server.container("gone");
    String text = two.bound("left", gone);
    server.delete("containers/" + gone);

    assertThat(server.callAs(text, "GET", "me", null).json().get("containers")).isEmpty();
    assertThat(server.callAs(text, "GET", "containers", null).json().get("items")).isEmpty();
    assertThat(server.callAs(text, "GET", "events", null).json().get("items")).isEmpty();
    assertThat(
            server
                .callAs(
                    text,
                    "POST",
                    "volumes",
                    "{\"name\": \"no\", \"size\": 1048576, \"container\": \"%s\"}".formatted(own))
                .status())
        .isEqualTo(403);
  }

  @Test
  void containersGoWithTheRoleVolumeAdminAndWithNoOther() {
    String unknown = UUID.randomUUID().toString();
    String same = "\"%s\", \"%s\"".formatted(own, own);
    String many =
        "\"%s\"".formatted(UUID.randomUUID())
            + IntStream.range(0, 64)
                .mapToObj(_ -> ", \"%s\"".formatted(UUID.randomUUID()))
                .collect(Collectors.joining());

    for (Answer refused :
        List.of(
            two.issue("a", "volume-admin", ""),
            two.issue("b", "volume-admin", same),
            two.issue("c", "volume-admin", many),
            two.issue("d", "volume-admin", "null"),
            two.issue("e", "operator", "\"%s\"".formatted(own)),
            server.post("tokens", "{\"name\": \"f\", \"role\": \"volume-admin\"}"))) {
      assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
      assertThat(refused.text("/target")).isEqualTo("containers");
    }
    Answer absent = two.issue("g", "volume-admin", "\"%s\"".formatted(unknown));
    assertThat(absent.status()).isEqualTo(404);
    assertThat(absent.text("/detail")).contains(unknown);
    assertThat(absent.text("/target")).isEqualTo("containers");
  }
}
