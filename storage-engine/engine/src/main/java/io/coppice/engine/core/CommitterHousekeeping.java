package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.checkpoint.Checkpoints;
import io.coppice.engine.clean.Cleaner;
import io.coppice.engine.clean.CleaningReport;
import io.coppice.engine.clean.LatencyWatch;
import io.coppice.engine.device.CountingDevice;
import io.coppice.engine.io.Admission;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.log.Committer;
import io.coppice.engine.state.CommitterQueries;
import io.coppice.engine.state.PoolService;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SpaceAccounting;
import io.coppice.engine.state.SpaceGate;
import io.coppice.engine.thread.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;

/// The committer's work between batches: it reclaims, has zones cleaned, and makes checkpoints that
/// are due. If writes wait for a free zone, it works in this order. It reclaims what is dead. It
/// empties zones until enough are dead, as far as there is room to copy. A checkpoint then frees
/// those zones.
final class CommitterHousekeeping implements Committer.Background {

  private static final Logger LOGGER = System.getLogger(CommitterHousekeeping.class.getName());
  private static final int STEPS_PER_SLICE = 16;

  /// Checkpoints for waiting writes, one after the other, that may make no room for them. What dies
  /// in one is free after the next.
  private static final int MOST_VAIN_CHECKPOINTS = 3;

  /// Steps for waiting writes, zones to empty and checkpoints, that may leave them no more room
  /// than there was. Emptying a zone gains a 32nd of it or more, as far as metadata does not grow.
  private static final int MOST_VAIN_STEPS = 128;

  private final PoolState state;
  private final EngineOptions options;
  private final SpaceGate gate;
  private final PoolService service;
  private final CountingDevice device;
  private final Committer committer;
  private final Checkpoints checkpoints;
  private final Cleaner cleaner;
  private final CommitterQueries questions;
  private final Admission admission;
  private final LatencyWatch latency;

  // The committer's, about the writes that wait now.
  private long mostRoom = Long.MIN_VALUE; // bytes
  private int vainCheckpoints;
  private int vainSteps;

  private long requested; // guarded by this
  private long servedByRunning; // guarded by this
  private long served; // guarded by this
  private long counted; // guarded by this
  private boolean idle; // guarded by this
  private boolean over; // guarded by this

  /// The parts that work between batches.
  ///
  /// @param latency of the batches that hosts wait for
  record Workers(Checkpoints checkpoints, Cleaner cleaner, LatencyWatch latency) {}

  CommitterHousekeeping(
      OpenPool pool, EngineOptions options, CountingDevice device, Workers workers) {
    state = pool.state();
    gate = pool.gate();
    service = pool.service();
    committer = pool.committer();
    questions = pool.questions();
    admission = pool.admission();
    this.options = options;
    this.device = device;
    checkpoints = workers.checkpoints;
    cleaner = workers.cleaner;
    latency = workers.latency;
  }

  /// The watch over the batches that hosts wait for.
  static LatencyWatch latencyWatch(EngineOptions options) {
    return new LatencyWatch(
        options.cleaning().latencyWindowMillis(), options.cleaning().latencyRisePercent());
  }

  @Override
  public void hostsWaited(long now, long took) {
    latency.took(now, took);
  }

  @Override
  public boolean slice() {
    boolean moreAsked = questions.answer();
    gate.retryIsOver();
    state.epochs().advance();
    long completed = checkpoints.completed();
    if (checkpoints.poll()) {
      noteFinished(checkpoints.completed() > completed);
      state.epochs().advance();
    }
    gate.publishRoom();
    state.segments().free().keep(state.space().keptZones());
    boolean evicting = state.nodes().evict();
    boolean more = state.reclaimer().slice(STEPS_PER_SLICE);
    boolean reclaiming = state.families().isReclaimPending();
    if (!committer.isCutOpen()) {
      if (checkpoints.hasRelocation()) {
        cleaner.slice();
      }
      if (!checkpoints.isRunning()) {
        next(reclaiming);
      }
    }
    admission.setOpen(!canCheckpoint());
    if (admission.isAnyWaiting() && !(state.nodes().isFull() && canCheckpoint())) {
      admission.retryAll();
    }
    if (!reclaiming) {
      noteIdle();
    }
    return more
        || moreAsked
        || evicting
        || (gate.isAnyStalled() && !checkpoints.isRunning() && !cleaner.isBusy());
  }

  private void next(boolean reclaiming) {
    boolean forStalled =
        gate.isAnyStalled() && !reclaiming && !gate.isUnsettled() && serveStalled();
    if (forStalled) {
      countStep();
    }
    if (isWanted() || forStalled || isDue()) {
      noteCut();
      checkpoints.cut(device.bytesWritten());
    }
  }

  /// Serves waiting commands when all reclaimable data is reclaimed and no zone is about to be
  /// free.
  ///
  /// No command is refused as long as there is anything to gain, and each turn gains something or
  /// is the last. Either the cleaner empties a zone, or a checkpoint makes dead zones free. A
  /// checkpoint that found too few zones is tried again only when more are free than it had, or
  /// something was recorded since its cut. Both cost zones, too: a checkpoint leaves those of the
  /// tables before it dead, and pages and tables grow with each block that is moved. So a number of
  /// steps that make no more room than there was are the last. When no zone is worth emptying, and
  /// no dead one can be had, the waiting commands are told that there is none.
  ///
  /// @return whether a checkpoint is to make empty zones free
  private boolean serveStalled() {
    int dead = checkpoints.freeable();
    boolean canFree =
        dead > 0
            && (!checkpoints.isOutOfZones() || checkpoints.recordsSinceCut() > 0)
            && vainCheckpoints < MOST_VAIN_CHECKPOINTS
            && vainSteps < MOST_VAIN_STEPS;
    if (gate.hasRoom(0)) {
      retryAll(false);
      return false;
    }
    if (cleaner.isBusy()) {
      cleaner.hurry();
      return false;
    }
    if (canFree && gate.hasRoom(dead)) {
      return true;
    }
    if (vainSteps < MOST_VAIN_STEPS && checkpoints.hasRelocation() && cleaner.begin(true)) {
      countStep();
      vainCheckpoints = 0;
      return false;
    }
    if (!canFree) {
      logExhausted(dead);
      retryAll(true);
    }
    return canFree;
  }

  private void retryAll(boolean nothingMore) {
    mostRoom = Long.MIN_VALUE;
    vainCheckpoints = 0;
    vainSteps = 0;
    gate.retryAll(nothingMore);
  }

  private void countStep() {
    long room = state.space().room(SpaceAccounting.Writer.HOST);
    if (room > mostRoom) {
      mostRoom = room;
      vainCheckpoints = 0;
      vainSteps = 0;
    } else {
      vainCheckpoints++;
      vainSteps++;
    }
  }

  /// A full pool refuses for want of space before it comes to this, so each line is worth reading.
  private void logExhausted(int dead) {
    SpaceAccounting space = state.space();
    LOGGER.log(
        Level.WARNING,
        "Waiting writes are refused: no zone can be emptied or made free. {0} zones are free, {1}"
            + " dead ({2} for a checkpoint); hosts may write {3} bytes, the cleaner {4}.",
        state.segments().freeZones(),
        dead,
        checkpoints.isOutOfZones() ? "too few" : "enough",
        space.room(SpaceAccounting.Writer.HOST),
        space.room(SpaceAccounting.Writer.CLEANER));
  }

  private boolean canCheckpoint() {
    return !checkpoints.isOutOfZones() || checkpoints.freeable() > 0;
  }

  private boolean isDue() {
    if (!canCheckpoint()) {
      return false;
    }
    SpaceAccounting space = state.space();
    if (state.nodes().isCheckpointDue() || state.pages().hasManyChanges()) {
      return true; // replay leaves dirty nodes without a record of this open
    }
    return checkpoints.recordsSinceCut() > 0
        && (checkpoints.bytesSinceCut(device.bytesWritten()) >= options.log().checkpointBytes()
            || checkpoints.recordsSinceCut() >= options.log().checkpointRecords()
            || 4 * space.dirtyBytes() > space.reserve()
            || state.pages().isCheckpointDue()
            || checkpoints.freeable() * 4L > state.segments().freeZones() + 1);
  }

  /// Whether the pool says on the device that it may have stages.
  boolean storesAccounts() {
    return checkpoints.hasAccounts();
  }

  /// The smallest size in bytes that a volume may have, as the pool says on the device.
  long smallestVolume() {
    return checkpoints.smallestVolume();
  }

  /// Lets volumes be as small as a block, from the next checkpoint on.
  void allowSmallVolumes() {
    checkpoints.allowSmallVolumes();
  }

  /// Whether the pool says on the device that volumes may have journals.
  boolean hasJournals() {
    return checkpoints.hasJournals();
  }

  /// Lets volumes have journals, from the next checkpoint on.
  void allowJournals() {
    checkpoints.allowJournals();
  }

  /// Whether the pool says on the device that volumes may be reverted together.
  boolean hasGroupReverts() {
    return checkpoints.hasGroupReverts();
  }

  /// Lets volumes be reverted together, from the next checkpoint on.
  void allowGroupReverts() {
    checkpoints.allowGroupReverts();
  }

  /// Asks for a checkpoint; the committer must be woken.
  void want() {
    synchronized (this) {
      requested++;
    }
  }

  /// Makes a checkpoint and waits for its end, or until the pool has failed.
  ///
  /// @return whether it counts: not if the pool has failed, or had too few zones for it
  boolean checkpoint(Runnable wake) {
    long mine;
    synchronized (this) {
      mine = ++requested;
    }
    wake.run();
    awaitUntil(() -> served >= mine);
    synchronized (this) {
      return counted >= mine;
    }
  }

  /// Waits until nothing is left to reclaim, or the pool has failed.
  void awaitReclaim(Runnable wake) {
    synchronized (this) {
      idle = false;
    }
    wake.run();
    awaitUntil(() -> idle);
  }

  /// Wakes the waiting callers: nothing more will happen.
  void abandon() {
    synchronized (this) {
      over = true;
      notifyAll();
    }
  }

  CleaningReport cleaned() {
    return cleaner.report();
  }

  /// Makes the cleaner end, and waits for it.
  void stopCleaner() {
    cleaner.stop();
    cleaner.awaitEnd();
  }

  /// Waits until no checkpoint is being written. Only after the committer has ended.
  void awaitEnd() {
    checkpoints.awaitEnd();
  }

  private void awaitUntil(BooleanSupplier condition) {
    synchronized (this) {
      Uninterrupted.await(
          () -> {
            while (!condition.getAsBoolean() && !over) {
              wait();
            }
          });
    }
  }

  private synchronized boolean isWanted() {
    return requested > servedByRunning;
  }

  private synchronized void noteCut() {
    servedByRunning = requested;
  }

  private synchronized void noteFinished(boolean counts) {
    served = servedByRunning;
    if (counts) {
      counted = served;
    }
    notifyAll();
  }

  private synchronized void noteIdle() {
    idle = true;
    notifyAll();
  }

  @Override
  public void failed(StorageException failure) {
    service.fail(failure);
    abandon();
    gate.failAll(failure);
    letPass();
  }

  // The committer refuses callers from now on.
  private void letPass() {
    admission.setOpen(true);
    admission.retryAll();
  }

  @Override
  public void stopped(StorageException reason) {
    gate.failAll(reason);
    letPass();
  }
}
