package io.coppice.engine.scrub;

import io.coppice.engine.Scrub;
import io.coppice.engine.ScrubFinding;
import io.coppice.engine.ScrubMap;
import io.coppice.engine.ScrubSettings;
import io.coppice.engine.ScrubStatus;
import io.coppice.engine.StorageException;
import io.coppice.engine.io.BlockCheck;
import io.coppice.engine.io.BlockReads;
import io.coppice.engine.log.ZoneWindow;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import io.coppice.engine.thread.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The thread that scrubs the pool when it is time, and keeps its progress.
///
/// It also looks at a block that a host could not read, soon after, so that every volume that sees
/// it is known.
///
/// *Pace*: after each read it waits. A pass takes four fifths of the period, and no more than its
/// share of the device's time. A requested pass knows only the second bound.
public final class Scrubber
    implements Scrub, Runnable, ZoneWindow.Pace, ScrubPass.Progress, BlockReads.BadBlocks {

  private static final Logger LOGGER = System.getLogger(Scrubber.class.getName());

  private static final long FIRST_LOOK_MILLIS = 60_000;
  private static final long RETRY_MILLIS = 3_600_000;
  private static final long SAVE_EVERY_NANOS = Duration.ofMinutes(10).toNanos();

  private static final int MOST_MET = 1000;

  private final PoolState state;
  private final ScrubFindings findings;
  private final ScrubCoverage coverage;
  private final InstantSource clock;
  private final Consumer<String> save;
  private final Thread thread;
  private @Nullable ScrubPass pass;
  private @Nullable BlockCheck blocks;

  // Guarded by this.
  private ScrubSettings settings = ScrubSettings.defaults();
  private ScrubProgress progress = ScrubProgress.NONE;
  private boolean asked;
  private boolean paused;
  private boolean stopping;
  private final Set<Met> met = new LinkedHashSet<>();

  /// A block that a host could not read.
  private record Met(VolumeState volume, long block) {}

  // The thread's.
  private long bytesToRead;
  private long owedNanos;
  private long savedAt = System.nanoTime();

  /// The signal that ends the thread's work.
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// @param save keeps the text of a [ScrubProgress] in the pool
  Scrubber(PoolState state, InstantSource clock, Consumer<String> save) {
    this.state = state;
    this.clock = clock;
    this.save = save;
    findings = new ScrubFindings(state, clock);
    coverage = new ScrubCoverage(state.segments());
    thread = Thread.ofPlatform().name("coppice-scrub").daemon().unstarted(this);
  }

  public ScrubFindings findings() {
    return findings;
  }

  ScrubCoverage coverage() {
    return coverage;
  }

  /// @param check reads single blocks
  void start(ScrubPass used, BlockCheck check) {
    pass = used;
    blocks = check;
    restore();
    thread.start();
  }

  // ---- any thread

  @Override
  public ScrubStatus status() {
    ScrubFindings.Summary summary = findings.summary();
    synchronized (this) {
      boolean running = progress.isUnderWay() || asked;
      int zones = Math.max(1, state.segments().zones());
      int percent = running ? (int) (100L * Math.max(0, progress.zone()) / zones) : 100;
      return new ScrubStatus(
          running,
          paused,
          time(progress.started()),
          time(progress.ended()),
          Math.min(percent, 100),
          progress.bytes(),
          summary.blocks(),
          summary.findings());
    }
  }

  @Override
  public ScrubMap map(int cells) {
    ScrubFindings.ByZone damage = findings.byZone();
    return coverage.map(cells, now().zone(), damage);
  }

  private static @Nullable Instant time(long millis) {
    return millis == 0 ? null : Instant.ofEpochMilli(millis);
  }

  @Override
  public synchronized boolean start() {
    boolean changed = !asked || paused;
    asked = true;
    paused = false;
    notifyAll();
    return changed;
  }

  @Override
  public synchronized boolean pause() {
    boolean changed = !paused;
    paused = true;
    return changed;
  }

  @Override
  public synchronized boolean resume() {
    boolean changed = paused;
    paused = false;
    notifyAll();
    return changed;
  }

  @Override
  public synchronized void configure(ScrubSettings now) {
    settings = now;
    notifyAll();
  }

  @Override
  public void listen(Consumer<ScrubFinding> listener) {
    findings.listen(listener);
  }

  @Override
  public synchronized void met(VolumeState volume, long block) {
    if (met.size() < MOST_MET && met.add(new Met(volume, block))) {
      notifyAll();
    }
  }

  @Override
  public void mended(VolumeState volume, long block, String where) {
    findings.mended(volume, block, where);
  }

  /// Ends the thread and waits for it.
  public void stop() {
    synchronized (this) {
      stopping = true;
      notifyAll();
    }
    Uninterrupted.join(thread);
  }

  // ---- its thread

  @Override
  public void run() {
    ScrubPass all = require(pass);
    BlockCheck check = require(blocks);
    long earliest = System.nanoTime() + FIRST_LOOK_MILLIS * 1_000_000;
    try {
      look(check);
      while (true) {
        if (awaitTurn(earliest)) {
          earliest = System.nanoTime() + (once(all) ? 0 : RETRY_MILLIS * 1_000_000);
        } else {
          lookAndReport(all);
        }
      }
    } catch (Stopped e) {
      LOGGER.log(Level.DEBUG, "Scrubbing ended with the pool.");
    } catch (RuntimeException | Error e) {
      giveUpForGood();
      LOGGER.log(Level.ERROR, "Scrubbing ended until the pool is opened again.", e);
    }
  }

  /// Gives up for good: no status shows a pass under way that never ends.
  private synchronized void giveUpForGood() {
    asked = false;
    met.clear();
  }

  // Blocks that cannot be looked at for want of memory are met again.
  private void lookAndReport(ScrubPass all) {
    try {
      if (lookAtMet()) {
        all.report();
      }
    } catch (OutOfMemoryError e) {
      LOGGER.log(Level.WARNING, "A block that a host could not read was not looked at.", e);
    }
  }

  private synchronized void giveUp() {
    if (stopping) {
      throw new Stopped();
    }
    asked = false;
  }

  private synchronized void restore() {
    progress = state.records().find(ScrubProgress.KEY).map(ScrubProgress::parse).orElse(progress);
    coverage.restore(progress);
  }

  /// Looks again at blocks that were damaged when the pool was last open.
  private void look(BlockCheck check) {
    ScrubProgress now = now();
    for (ScrubProgress.BadBlock known : now.bad()) {
      VolumeState volume = state.find(known.volume());
      BlockCheck.Bad bad = volume == null ? null : check.check(volume, known.block());
      if (bad != null) {
        findings.bad(bad);
      }
    }
  }

  private synchronized ScrubProgress now() {
    return progress;
  }

  /// Looks at blocks that hosts could not read.
  ///
  /// @return whether there is news: then other volumes that see it are to be found
  private boolean lookAtMet() {
    boolean news = false;
    for (Met block : takeMet()) {
      BlockCheck.Bad bad = require(blocks).check(block.volume, block.block);
      if (bad != null && findings.bad(bad)) {
        require(pass).suspect(bad.address());
        news = true;
      }
    }
    return news;
  }

  private synchronized List<Met> takeMet() {
    List<Met> taken = List.copyOf(met);
    met.clear();
    return taken;
  }

  private static <T> T require(@Nullable T part) {
    return Objects.requireNonNull(part, "the scrubber is put together before it is started");
  }

  /// Waits until a pass is due, but not before `earliest`, or one is asked for.
  ///
  /// @return false if a host has met a bad block before that
  private synchronized boolean awaitTurn(long earliest) {
    while (!asked) {
      if (!met.isEmpty()) {
        return false;
      }
      long rest = Math.max((earliest - System.nanoTime()) / 1_000_000, paused ? 1000 : untilDue());
      if (rest <= 0) {
        return true;
      }
      waitHere(Math.min(rest, RETRY_MILLIS));
    }
    return true;
  }

  private long untilDue() {
    if (settings.period().isZero()) {
      return RETRY_MILLIS;
    }
    if (progress.isUnderWay() || progress.started() == 0) {
      return 0;
    }
    return progress.started() + settings.period().toMillis() - clock.millis();
  }

  /// @return whether it came to its end
  private boolean once(ScrubPass all) {
    try {
      wholePass(all);
      return true;
    } catch (StorageException | OutOfMemoryError e) { // it goes on from that zone, later
      giveUp();
      LOGGER.log(Level.WARNING, "The pool could not be scrubbed: {0}", e.getMessage());
      return false;
    }
  }

  private void wholePass(ScrubPass all) {
    int from = begin();
    bytesToRead =
        (long) (state.segments().zones() - state.segments().freeZones())
            * state.segments().zoneSize();
    all.run(from);
    Instant started = Instant.ofEpochMilli(now().started());
    if (from == 0) {
      findings.dropStructuresBefore(started);
    }
    synchronized (this) {
      asked = false;
      progress =
          new ScrubProgress(
              progress.started(), clock.millis(), -1, progress.bytes(), findings.blocks());
    }
    save();
  }

  private synchronized int begin() {
    if (!progress.isUnderWay()) {
      coverage.begin();
      progress = new ScrubProgress(clock.millis(), progress.ended(), 0, 0, progress.bad());
    }
    return progress.zone();
  }

  @Override
  public void zone(int next) {
    lookAtMet();
    synchronized (this) {
      progress =
          new ScrubProgress(
              progress.started(), progress.ended(), next, progress.bytes(), progress.bad());
    }
    between();
    if (System.nanoTime() - savedAt > SAVE_EVERY_NANOS) {
      synchronized (this) {
        progress =
            new ScrubProgress(
                progress.started(), progress.ended(), next, progress.bytes(), findings.blocks());
      }
      save();
    }
  }

  private void save() {
    savedAt = System.nanoTime();
    try {
      save.accept(now().text());
    } catch (StorageException e) {
      LOGGER.log(Level.DEBUG, "How far scrubbing has come was not kept.", e);
    }
  }

  @Override
  public synchronized void verified(long bytes) {
    progress =
        new ScrubProgress(
            progress.started(),
            progress.ended(),
            progress.zone(),
            progress.bytes() + bytes,
            progress.bad());
  }

  @Override
  public synchronized void between() {
    while (paused && !stopping) {
      waitHere(0);
    }
    if (stopping) {
      throw new Stopped();
    }
  }

  @Override
  public synchronized void read(int bytes, long nanoseconds) {
    owedNanos +=
        asked
            ? ScrubPace.forHosts(settings, nanoseconds)
            : ScrubPace.forPeriod(settings, bytesToRead, bytes, nanoseconds);
    long start = System.nanoTime();
    boolean hurried = asked;
    while (owedNanos >= 1_000_000 && !stopping && asked == hurried) {
      waitHere(owedNanos / 1_000_000);
      long end = System.nanoTime();
      owedNanos -= end - start;
      start = end;
    }
    owedNanos = asked == hurried ? Math.max(0, owedNanos) : 0;
    between();
  }

  // Nobody but this class knows the thread; an interrupt means nothing to it.
  private synchronized void waitHere(long millis) {
    if (stopping) {
      throw new Stopped();
    }
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.interrupted();
    }
    if (stopping) {
      throw new Stopped();
    }
  }
}
