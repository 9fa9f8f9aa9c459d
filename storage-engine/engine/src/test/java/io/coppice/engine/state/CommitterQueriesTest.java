package io.coppice.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.StorageException;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Questions to the committer, whose side this thread takes, and what a failure of one means.
class CommitterQueriesTest {

  private final Semaphore wakes = new Semaphore(0);
  private final CommitterQueries queries =
      new CommitterQueries(new PoolService(InstantSource.system()), wakes::release);

  /// Asks from another thread, and returns once the question waits.
  private <T> CompletableFuture<T> asked(Supplier<T> question) throws InterruptedException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                answer.complete(queries.ask(question));
              } catch (RuntimeException e) {
                answer.completeExceptionally(e);
              }
            });
    wakes.acquire();
    return answer;
  }

  @Test
  void oneIsAnsweredAtATime() throws InterruptedException {
    CompletableFuture<Integer> first = asked(() -> 1);
    CompletableFuture<Integer> second = asked(() -> 2);

    assertThat(queries.answer()).as("another one waits").isTrue();
    assertThat(first.join()).isEqualTo(1);
    assertThat(second).isNotDone();
    assertThat(queries.answer()).isFalse();
    assertThat(second.join()).isEqualTo(2);
  }

  @Test
  void aQuestionThatFailsIsTheAskersMatter() throws InterruptedException {
    CompletableFuture<Integer> answer =
        asked(
            () -> {
              throw new IllegalArgumentException("no");
            });

    assertThat(queries.answer()).isFalse();

    assertThatThrownBy(answer::join).rootCause().hasMessage("no");
  }

  @Test
  void aQuestionThatCannotPutTheStateInOrderStopsTheCommitter() throws InterruptedException {
    StorageException.DeviceFailed unread = new StorageException.DeviceFailed("unread");
    CompletableFuture<Integer> answer =
        asked(
            () -> {
              throw unread;
            });

    assertThatThrownBy(queries::answer).isSameAs(unread);

    assertThatThrownBy(answer::join).rootCause().isSameAs(unread);
  }
}
