package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Preparations of a fail-over whose last cycle takes long, and what others do meanwhile.
class PreparationsAtOnceTest {

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private AdminServer home;
  private AdminServer other;
  private String volume;
  private String group;

  @BeforeEach
  void start() {
    home = new AdminServer();
    other = new AdminServer();
    other.container("there");
    String container = home.container("home");
    group =
        "replication/groups/"
            + ReplicationGroupsTest.group(home, container, PeersTest.pair(home, other), "shop");
    volume = home.get(group).text("/members/0/volume");
  }

  @AfterEach
  void stop() {
    goOn.countDown();
    threads.close();
    other.close();
    home.close();
  }

  /// Lets the last cycle of a preparation wait at the target.
  private Future<Answer> prepareSlowly() throws InterruptedException {
    other.control.hooks.before(
        "snapshot",
        () -> {
          begun.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    Future<Answer> preparation = threads.submit(() -> home.post(group + "/prepare", null));
    begun.await();
    return preparation;
  }

  @Test
  void otherCallsAreAnsweredWhileTheLastCycleGoesOn() throws Exception {
    Future<Answer> preparation = prepareSlowly();

    assertThat(home.get(group).text("/state")).isEqualTo("PREPARED");
    assertProblem(home.patch(group, "{\"paused\": true}"), 409, "replication-state");
    assertProblem(home.delete(group), 409, "replication-state");
    Answer second = home.post(group + "/prepare", null);
    assertThat(second.status()).as(second.toString()).isEqualTo(503);
    assertThat(second.text("/detail")).contains("A cycle of the group is on its way");
    assertThat(preparation.isDone()).isFalse();
    goOn.countDown();

    assertThat(preparation.get().status()).as(preparation.get().toString()).isEqualTo(200);
    Answer again = home.post(group + "/prepare", null);
    assertThat(again.text("/replica")).isEqualTo(preparation.get().text("/replica")).isNotEmpty();
    assertThat(AdminServer.texts(other.get(group + "/replicas"), "/name"))
        .containsExactly("prepared");
  }

  @Test
  void reversalEndsTheLastCycleAndWins() throws Exception {
    Future<Answer> preparation = prepareSlowly();

    Answer reversed = home.post(group + "/reverse", null);

    assertThat(reversed.status()).as(reversed.toString()).isEqualTo(200);
    assertThat(preparation.get().status()).as(preparation.get().toString()).isGreaterThan(400);
    assertThat(home.get(group).text("/state")).isEqualTo("SOURCE");
    assertThat(home.get("volumes/" + volume).status()).isEqualTo(200);
    goOn.countDown();
    assertThat(home.post(group + "/prepare", null).text("/state")).isEqualTo("PREPARED");
  }
}
