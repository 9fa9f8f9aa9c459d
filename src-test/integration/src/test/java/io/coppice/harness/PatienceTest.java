package io.coppice.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatienceTest {

  @TempDir Path folder;

  private final AtomicLong seconds = new AtomicLong();

  private Patience patience() {
    return new Patience(
        folder.resolve("log"),
        Duration.ofSeconds(10),
        () -> Duration.ofSeconds(seconds.get()).toNanos());
  }

  private void say(String line) throws IOException {
    Files.writeString(
        folder.resolve("log"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void lastsAsLongAsLinesCome() throws IOException {
    Patience patience = patience();
    for (int i = 0; i < 8; i++) {
      seconds.addAndGet(11);
      say("coppice:   waiting for the database");
      assertThat(patience.over()).as("after %d s", seconds.get()).isFalse();
    }
    seconds.addAndGet(11);

    assertThat(patience.over()).isTrue();
  }

  @Test
  void callsAreNoLinesOfTheStart() throws IOException {
    Patience patience = patience();
    seconds.addAndGet(11);
    say("12:00:00 INFO GET /api/v1/containers");

    assertThat(patience.over()).isTrue();
  }

  @Test
  void endsAfterTenTimesAsLongWhateverIsSaid() throws IOException {
    Patience patience = patience();
    boolean over = false;
    while (!over && seconds.get() < 1000) {
      seconds.addAndGet(11);
      say("coppice:   waiting for the database");
      over = patience.over();
    }

    assertThat(seconds.get()).isBetween(100L, 122L);
  }
}
