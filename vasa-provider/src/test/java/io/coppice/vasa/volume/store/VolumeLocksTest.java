package io.coppice.vasa.volume.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Locks of virtual volumes: who waits for whom, and for how long.
@Timeout(60)
class VolumeLocksTest {

  private static final int MANY = 20_000;

  private final VolumeLocks locks = new VolumeLocks(new LockSettings(Duration.ofMillis(50)));
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /// In a thread of its own until it is told to end.
  private Future<?> hold(VolumeId volume, CountDownLatch held, CountDownLatch end) {
    return threads.submit(
        () -> {
          try (var _ = locks.hold(volume)) {
            held.countDown();
            end.await();
          }
          return null;
        });
  }

  @Test
  void aChangeThatTakesLongKeepsNobodyFromAnyOtherVolume() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Future<?> holder = hold(VolumeId.random(), held, end);
    held.await();

    for (int i = 0; i < MANY; i++) {
      locks.hold(VolumeId.random()).close();
    }

    end.countDown();
    holder.get();
    assertThat(locks.inUse()).isZero();
  }

  @Test
  void whoWaitsTooLongIsToldThatTheProviderIsBusyAndHoldsNothing() throws Exception {
    VolumeId free = new VolumeId(new java.util.UUID(0, 1));
    VolumeId taken = new VolumeId(new java.util.UUID(0, 2));
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Future<?> holder = hold(taken, held, end);
    held.await();

    assertThatExceptionOfType(VasaException.class)
        .isThrownBy(() -> locks.hold(free, taken))
        .satisfies(e -> assertThat(e.fault().name()).isEqualTo("VasaProviderBusy"))
        .withMessageContaining("did not end within 50 ms");
    assertThatExceptionOfType(VasaException.class)
        .isThrownBy(() -> locks.hold(List.of(free, taken), Duration.ofMillis(1)))
        .satisfies(e -> assertThat(e.fault().name()).isEqualTo("Timeout"));
    assertThat(locks.inUse()).isOne();

    end.countDown();
    holder.get();
    locks.hold(free, taken).close();
    assertThat(locks.inUse()).isZero();
  }

  @Test
  void aThreadMayTakeWhatItHolds() {
    VolumeId volume = VolumeId.random();
    try (var _ = locks.hold(volume, volume);
        var _ = locks.hold(volume)) {
      assertThat(locks.inUse()).isOne();
    }
    assertThat(locks.inUse()).isZero();
  }

  @Test
  void twoNeverHoldAVolumeAtOnceAndNobodyWaitsForEver() throws Exception {
    VolumeLocks patient = new VolumeLocks(new LockSettings(Duration.ofSeconds(30)));
    List<VolumeId> volumes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      volumes.add(VolumeId.random());
    }
    AtomicIntegerArray inside = new AtomicIntegerArray(volumes.size());
    List<Future<Boolean>> workers = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      workers.add(
          threads.submit(
              () -> {
                boolean alone = true;
                for (int round = 0; round < 2_000; round++) {
                  int a = RandomGenerator.getDefault().nextInt(volumes.size());
                  int b = RandomGenerator.getDefault().nextInt(volumes.size());
                  try (var _ = patient.hold(volumes.get(a), volumes.get(b))) {
                    alone &= inside.incrementAndGet(a) == 1;
                    inside.decrementAndGet(a);
                  }
                }
                return alone;
              }));
    }
    for (Future<Boolean> worker : workers) {
      assertThat(worker.get(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(patient.inUse()).isZero();
  }
}
