package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The choice of events by a client, and values that choose none.
class EventChoiceTest {

  private static final String OTHER = "iqn.2026-11.test:other";

  private final AdminServer server = new AdminServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aRepeatThatChangesNothingIsNoEvent() {
    String container = server.container("quiet");
    String volume = server.volume(container, "still");
    long before = server.newestEvent();

    server.patch("volumes/" + volume, "{\"name\": \"still\", \"size\": %d}".formatted(1L << 30));
    server.patch("volumes/" + volume, "{\"labels\": {\"absent\": null}}");
    server.patch("containers/" + container, "{\"name\": \"quiet\"}");
    server.put("vvols/" + volume + "/limits", "{\"maxIops\": null}");
    server.delete("containers/" + container + "/registrations");
    server.delete("containers/" + container + "/default-policies/Data");
    server.post("iscsi/portals/2/undrain", null);
    server.post("scrub/resume", null);
    String chap = "initiators/" + OTHER + "/chap";
    server.delete(chap);
    assertThat(server.get("events?after=" + before).json().get("items")).isEmpty();

    String secret = "{\"secret\": \"a-secret-of-16-ch\"}";
    server.put(chap, secret);
    server.post("scrub/pause", null);
    before = server.newestEvent();
    server.put(chap, secret);
    server.post("scrub/pause", null);
    assertThat(server.get("events?after=" + before).json().get("items")).isEmpty();
  }

  @Test
  void filtersChooseByActorObjectTypeAndTime() {
    String container = server.container("chosen");
    String volume = server.volume(container, "chosen");
    server.patch("volumes/" + volume, "{\"size\": %d}".formatted(2L << 30));

    assertThat(AdminServer.texts(server.get("events?object=" + volume), "/sentence"))
        .containsExactly(
            "Volume chosen (%s) was grown from 1 GiB to 2 GiB.".formatted(volume),
            "Volume chosen (%s) of 1 GiB was made in storage container chosen (%s)."
                .formatted(volume, container));
    assertThat(AdminServer.texts(server.get("events?type=Config&actor=rest"), "/objectId"))
        .contains(container)
        .doesNotContain(volume);
    assertThat(AdminServer.texts(server.get("events?actor=admin.token"), "/objectId"))
        .contains(container, volume);
    assertThat(server.get("events?actor=nobody").json().get("items")).isEmpty();
    assertThat(server.get("events?until=1970-01-01T00:00:01Z").json().get("items")).isEmpty();
    assertThat(AdminServer.texts(server.get("events?since=1970-01-01T00:00:01Z"), "/objectId"))
        .contains(volume);
    assertThat(server.get("events?type=Other").status()).isEqualTo(400);
    assertThat(server.get("events?since=yesterday").status()).isEqualTo(400);
    assertThat(server.get("events?until=0").status()).isEqualTo(400);
  }
}
