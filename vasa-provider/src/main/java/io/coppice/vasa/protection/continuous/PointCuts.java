package io.coppice.vasa.protection.continuous;

import io.coppice.engine.Journals;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.vasa.time.IntervalThread;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The rounds of cuts: four times a second, the pool makes the points that are due in the journals
/// of volumes. They need nothing but the pool, and go on while the database is away.
///
/// A round that fails is followed by the next one; a lasting failure is reported once. Safe for any
/// thread.
public final class PointCuts implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PointCuts.class);
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_END = Duration.ofSeconds(30);

  private final Journals journals;
  private final LongSupplier nanos;
  private final long begin;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Thread thread;
  private volatile @Nullable Long last; // round that went well, in nanoseconds
  private volatile long failures;
  private volatile @Nullable String failure;

  /// @param nanos time as [System#nanoTime] has it
  public PointCuts(Journals journals, LongSupplier nanos) {
    this.journals = journals;
    this.nanos = nanos;
    this.begin = nanos.getAsLong();
  }

  /// Begins the rounds, in a thread that waits for no other.
  public synchronized void start() {
    if (thread == null) {
      thread = Thread.ofPlatform().name("continuous-points").daemon(true).start(this::run);
    }
  }

  private void run() {
    try {
      while (!closed.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS)) {
        round();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// One round. Its failure is remembered and does not come out.
  public synchronized void round() {
    try {
      journals.cutDue();
      last = nanos.getAsLong();
      if (failure != null) {
        failure = null;
        log.atInfo().log("points of volumes are cut again");
      }
    } catch (RuntimeException | Error e) { // the thread must outlive whatever one round meets
      failures++;
      if (failure == null) { // a lasting failure is reported once
        log.atWarn()
            .addKeyValue("reason", e.getMessage())
            .setCause(e instanceof StorageException ? null : e)
            .log("points of volumes could not be cut, and it is tried again");
      }
      failure = String.valueOf(e.getMessage());
    }
  }

  /// The time since the last round that went well; absent if there was none yet.
  Optional<Duration> sinceLast() {
    Long at = last;
    return Optional.ofNullable(at).map(moment -> Duration.ofNanos(nanos.getAsLong() - moment));
  }

  /// The time since the last round that went well, or since the start; zero without journals.
  public Duration lag() {
    return journals.volumes().isEmpty()
        ? Duration.ZERO
        : sinceLast().orElseGet(() -> Duration.ofNanos(nanos.getAsLong() - begin));
  }

  /// Rounds that have failed since the start.
  public long failures() {
    return failures;
  }

  /// Why the last round failed; empty if it went well.
  public Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /// Counts of all journals, from memory.
  public TimelineCounts counts() {
    List<VolumeId> volumes = journals.volumes();
    long points = 0;
    long bytes = 0;
    for (VolumeId volume : volumes) {
      JournalInfo info = journals.find(volume).orElse(null);
      points += info == null ? 0 : info.points();
      bytes += info == null ? 0 : info.keptBytes();
    }
    return new TimelineCounts(volumes.size(), points, bytes, lag());
  }

  /// Lets a round that runs end and begins no other.
  @Override
  public void close() {
    closed.countDown();
    Thread running = thread;
    if (running != null) {
      IntervalThread.awaitEnd(running, LONGEST_END);
      thread = null;
    }
  }
}
