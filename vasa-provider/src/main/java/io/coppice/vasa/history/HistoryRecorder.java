package io.coppice.vasa.history;

import io.coppice.vasa.history.file.FileBounds;
import io.coppice.vasa.history.file.HistoryFiles;
import io.coppice.vasa.history.file.HistoryStep;
import io.coppice.vasa.history.file.OwnFiles;
import io.coppice.vasa.time.IntervalThread;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The recorder of the history. One thread of its own looks at the counters at the end of each slot
/// of 10 s and writes a row. Whatever keeps it from writing, such as a full disk, is reported once
/// and leaves a gap; nothing waits for it.
public final class HistoryRecorder implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(HistoryRecorder.class);
  private static final long SLOT_MILLIS = HistoryStep.TEN_SECONDS.seconds() * 1000L;
  private static final long SECONDS_PER_DAY = 86_400;
  private static final Duration LONGEST_END = Duration.ofSeconds(30);

  private final RecordingSettings settings;
  private final Path folder;
  private final Sampler sampler;
  private final KnownVolumes known;
  private final Clocks clocks;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable HistoryFiles files;
  private volatile @Nullable String obstacle;
  private @Nullable Thread thread;

  /// @param wall names the slots
  /// @param nanos goes evenly
  /// @param age the time that passed, by which records are removed
  public record Clocks(InstantSource wall, LongSupplier nanos, InstantSource age) {}

  public HistoryRecorder(RecordingSettings settings, Path folder, Sources sources, Clocks clocks) {
    this.settings = settings;
    this.folder = folder;
    this.clocks = clocks;
    this.known = new KnownVolumes(settings.volumes());
    this.sampler = new Sampler(sources, known);
    if (!settings.enabled()) {
      obstacle = "it is switched off by coppice.history.enabled";
    }
  }

  /// Starts recording, unless it is switched off. What was recorded before can be read either way.
  public synchronized void start() {
    try {
      opened();
    } catch (IOException e) {
      report(e);
    }
    if (settings.enabled() && thread == null) {
      thread = Thread.ofPlatform().name("history").daemon(true).start(this::run);
    }
  }

  private HistoryFiles opened() throws IOException {
    HistoryFiles open = files;
    if (open == null) {
      OwnFiles.folder(folder);
      known.load(folder);
      open = HistoryFiles.open(folder, new FileBounds(settings.disk(), settings.spare()));
      files = open;
    }
    return open;
  }

  private void run() {
    try {
      do {
        attempt();
      } while (!closed.await(untilNextSlot(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long untilNextSlot() {
    return SLOT_MILLIS - Math.floorMod(clocks.wall().instant().toEpochMilli(), SLOT_MILLIS);
  }

  private void attempt() {
    try {
      record();
    } catch (RuntimeException | Error e) { // the thread must outlive whatever one round meets
      report(e);
    }
  }

  /// Looks at the counters once and writes what came since the look before.
  public void record() {
    Instant now = clocks.wall().instant();
    Optional<Sampler.Sample> sample = sampler.look(now, clocks.nanos().getAsLong());
    if (sample.isEmpty()) {
      return;
    }
    try {
      HistoryFiles open = opened();
      open.add(sample.get().slot(), sample.get().row());
      known.store(folder, Math.floorDiv(now.getEpochSecond(), SECONDS_PER_DAY));
      Instant age = clocks.age().instant();
      open.tidy(now, age.isBefore(now) ? age : now);
      if (obstacle != null) {
        obstacle = null;
        log.atInfo().log("the history is recorded again");
      }
    } catch (IOException e) {
      report(e);
    }
  }

  /// A lasting failure is reported once.
  private void report(Throwable e) {
    boolean isNew = obstacle == null;
    obstacle = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
    if (isNew) {
      log.atWarn()
          .addKeyValue("folder", folder)
          .setCause(e)
          .log("the history is not recorded; volumes are served all the same");
    }
  }

  /// Why nothing is recorded now, as a clause; empty if it is.
  public Optional<String> obstacle() {
    return Optional.ofNullable(obstacle);
  }

  /// The files; empty while their folder cannot be used.
  Optional<HistoryFiles> files() {
    return Optional.ofNullable(files);
  }

  KnownVolumes known() {
    return known;
  }

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
