package io.coppice.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.cli.rest.SentEvents.Sent;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SentEventsTest {

  @Test
  void eventsEndWithAnEmptyLineAndKeepTheLastId() {
    String stream =
        """
        : a comment
        id: 7
        event: event
        data: {"id":
        data: 7}

        data:next
        retry: 5

        event: job

        id: 8
        data: unfinished""";

    assertThat(read(stream))
        .containsExactly(new Sent("7", "event", "{\"id\":\n7}"), new Sent("7", "message", "next"));
  }

  @Test
  void anEventWithoutEndIsNotGathered() {
    String line = "data: " + "x".repeat(100_000) + "\n";

    assertThatThrownBy(() -> read(line.repeat(12)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("expected events of at most 1 MiB");
  }

  private static List<Sent> read(String stream) {
    List<Sent> all = new ArrayList<>();
    new SentEvents()
        .read(new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)), all::add);
    return all;
  }
}
