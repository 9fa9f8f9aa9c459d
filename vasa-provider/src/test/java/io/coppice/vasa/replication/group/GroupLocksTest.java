package io.coppice.vasa.replication.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.vasa.fault.VasaException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Locks of groups, of which none outlives its use.
class GroupLocksTest {

  private static final int THREADS = 16;
  private static final int ROUNDS = 2000;

  private final GroupLocks locks = new GroupLocks();

  /// A number that only takes part of a change if two change it at once.
  private static final class Unsafe {
    private int value;
  }

  @Test
  void changesOfOneGroupTakeTurnsThoughItsLockComesAndGoes() throws Exception {
    UUID group = UUID.randomUUID();
    Unsafe number = new Unsafe();
    List<Callable<Integer>> work = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      work.add(
          () -> {
            for (int round = 0; round < ROUNDS; round++) {
              locks.alone(group, () -> number.value++);
            }
            return ROUNDS;
          });
    }

    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Integer> done : threads.invokeAll(work)) {
        assertThat(done.get()).isEqualTo(ROUNDS);
      }
    }

    assertThat(number.value).isEqualTo(THREADS * ROUNDS);
    assertThat(locks.size()).isZero();
  }

  @Test
  void lockStaysWhileItsOwnerNeedsItOnly() {
    UUID group = UUID.randomUUID();

    int inside = locks.alone(group, () -> locks.alone(group, () -> 0) + locks.size());

    assertThat(inside).isEqualTo(1);
    assertThat(locks.size()).isZero();
  }

  @Test
  void failureOfALinkIsSaidInTheWordsOfVasaAndForgetsTheLock() {
    assertThatThrownBy(
            () ->
                locks.alone(
                    UUID.randomUUID(),
                    () -> {
                      throw new ReplicationException(Reason.UNREACHABLE, "Nobody is there.");
                    }))
        .isInstanceOf(VasaException.class)
        .hasMessageContaining("Nobody is there.");
    assertThat(locks.size()).isZero();
  }
}
