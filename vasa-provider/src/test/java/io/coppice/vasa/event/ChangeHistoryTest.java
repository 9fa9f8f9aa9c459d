package io.coppice.vasa.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.testing.ControlPlane;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The history of changes: ids in the order of visibility, the number kept, actors.
class ChangeHistoryTest {

  private static final int KEPT = 100;

  private final ControlPlane plane = new ControlPlane();
  private final ChangeLog log = new ChangeLog(plane.jdbc, plane.clock);
  private final ChangeHistory history =
      new ChangeHistory(plane.jdbc, plane.transactions, new HistorySettings(KEPT, 3));

  private static NewChange change(String object) {
    return NewChange.of(
        ChangeTopic.SYSTEM,
        ChangeKind.UPDATE,
        new NewChange.Subject(ObjectType.SCRUB, object, "ScrubStarted"),
        Map.of());
  }

  private List<String> after(long id) {
    return history.following(ChangeFilter.ALL, id, 1000).stream()
        .map(KeptChange::objectId)
        .toList();
  }

  @Test
  void aChangeThatIsCommittedLateGetsALaterId() throws Exception {
    var written = new CountDownLatch(1);
    var read = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var late =
          threads.submit(
              () ->
                  plane.transactions.executeWithoutResult(
                      _ -> {
                        log.append(change("late"));
                        written.countDown();
                        await(read);
                      }));
      await(written);
      log.append(change("early"));
      assertThat(after(0)).containsExactly("early");
      long seen = history.newestId();
      read.countDown();
      late.get(30, TimeUnit.SECONDS);

      assertThat(after(seen)).containsExactly("late");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aChangeThatIsRolledBackIsNone() {
    plane.transactions.executeWithoutResult(
        status -> {
          log.append(change("taken back"));
          status.setRollbackOnly();
        });

    assertThat(after(0)).isEmpty();
  }

  @Test
  void theOldestAreRemovedAndWhoFollowedThemLearnsIt() {
    for (int i = 0; i < KEPT + 7; i++) {
      log.append(change("object-" + i));
    }

    assertThat(after(0)).hasSize(KEPT).startsWith("object-7");
    history.requireKeptAfter(7);
    assertThatThrownBy(() -> history.requireKeptAfter(6)).isInstanceOf(VasaException.class);
    assertThatThrownBy(() -> history.requireKeptAfter(KEPT + 8)).isInstanceOf(VasaException.class);
  }

  @Test
  void aChangeHasTheActorOfItsThread() {
    Actor.vasa("vCenter vc-1").run(() -> log.append(change("a")));
    Actor.rest("token", "trace").run(() -> log.append(change("b")));
    log.append(change("c"));

    assertThat(history.following(ChangeFilter.ALL, 0, 10))
        .extracting(KeptChange::actor)
        .containsExactly(Actor.vasa("vCenter vc-1"), Actor.rest("token", "trace"), Actor.COPPICE);
  }
}
