package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.Committer;
import io.coppice.engine.thread.Uninterrupted;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What the committer does between batches: reclaims, has zones cleaned, and makes checkpoints when
/// they are due. For writes that wait for a free zone, in this order: what is dead is reclaimed;
/// zones are emptied until enough are dead, as far as there is room to copy; a checkpoint makes
/// them free.
final class Housekeeping implements Committer.Background {

  private static final int STEPS_PER_SLICE = 16;

  private final PoolState state;
  private final EngineOptions options;
  private final SpaceGate gate;
  private final PoolService service;
  private final CountingDevice device;
  private final BooleanSupplier cutOpen;
  private @Nullable Checkpoints checkpoints;
  private @Nullable Cleaner cleaner;
  private @Nullable Questions questions;
  private @Nullable Admission admission;
  private final LatencyWatch latency;

  private long requested; // guarded by this
  private long servedByRunning; // guarded by this
  private long served; // guarded by this
  private long counted; // guarded by this
  private boolean idle; // guarded by this
  private boolean over; // guarded by this

  Housekeeping(
      PoolState state,
      EngineOptions options,
      SpaceGate gate,
      PoolService service,
      CountingDevice device,
      BooleanSupplier cutOpen) {
    this.state = state;
    this.options = options;
    this.gate = gate;
    this.service = service;
    this.device = device;
    this.cutOpen = cutOpen;
    latency =
        new LatencyWatch(
            options.cleaning().latencyWindowMillis(), options.cleaning().latencyRisePercent());
  }

  /// What hosts wait for.
  LatencyWatch latency() {
    return latency;
  }

  @Override
  public void hostsWaited(long now, long took) {
    latency.took(now, took);
  }

  void use(Checkpoints made, Cleaner started, Questions answered, Admission used) {
    checkpoints = made;
    cleaner = started;
    questions = answered;
    admission = used;
  }

  @Override
  public boolean slice() {
    Checkpoints all = checkpoints;
    Cleaner cleaning = cleaner;
    Questions asked = questions;
    Admission writers = admission;
    if (all == null || cleaning == null || asked == null || writers == null) {
      return false;
    }
    boolean moreAsked = asked.answer();
    gate.retryIsOver();
    state.epochs().advance();
    long completed = all.completed();
    if (all.poll()) {
      isFinished(all.completed() > completed);
      state.epochs().advance();
    }
    gate.publishRoom();
    state.segments().free().keep(state.space().keptZones());
    boolean evicting = state.nodes().evict();
    boolean more = state.reclaimer().slice(STEPS_PER_SLICE);
    boolean reclaiming = state.families().isReclaimPending();
    if (!cutOpen.getAsBoolean()) {
      if (all.hasRelocation()) {
        cleaning.slice();
      }
      if (!all.isRunning()) {
        next(all, cleaning, reclaiming);
      }
    }
    writers.setOpen(!canCheckpoint(all));
    if (writers.isAnyWaiting() && !(state.nodes().isFull() && canCheckpoint(all))) {
      writers.retryAll();
    }
    if (!reclaiming) {
      isIdle();
    }
    return more
        || moreAsked
        || evicting
        || (gate.isAnyStalled() && !all.isRunning() && !cleaning.isBusy());
  }

  private void next(Checkpoints all, Cleaner cleaning, boolean reclaiming) {
    boolean forStalled =
        gate.isAnyStalled() && !reclaiming && !gate.isUnsettled() && serveStalled(all, cleaning);
    if (isWanted() || forStalled || isDue(all)) {
      isCut();
      all.cut(device.bytesWritten());
    }
  }

  /// Everything reclaimable has been, and no zone is about to be free.
  ///
  /// Nobody is refused as long as there is anything to gain, and each turn gains something or is
  /// the last: the cleaner empties a zone, of which there are finitely many while hosts wait; or a
  /// checkpoint makes dead zones free. One that found too few zones is tried again only when more
  /// are free than it had, or something has been recorded since it was cut. Only when no zone is
  /// worth emptying, and none that is dead can be had, those who wait are told that there is none.
  ///
  /// @return whether a checkpoint is to make zones free that are empty
  private boolean serveStalled(Checkpoints all, Cleaner cleaning) {
    int dead = all.freeable();
    boolean canFree = dead > 0 && (!all.isOutOfZones() || all.recordsSinceCut() > 0);
    if (gate.hasRoom(0)) {
      gate.retryAll(false);
      return false;
    }
    if (cleaning.isBusy()) {
      cleaning.hurry();
      return false;
    }
    if (canFree && gate.hasRoom(dead)) {
      return true;
    }
    if (all.hasRelocation() && cleaning.begin(true)) {
      return false;
    }
    if (!canFree) {
      gate.retryAll(true);
    }
    return canFree;
  }

  private boolean canCheckpoint(Checkpoints all) {
    return !all.isOutOfZones() || all.freeable() > 0;
  }

  private boolean isDue(Checkpoints all) {
    if (!canCheckpoint(all)) {
      return false;
    }
    Space space = state.space();
    if (state.nodes().isCheckpointDue() || state.pages().hasManyChanges()) {
      return true; // replay leaves dirty nodes without a record of this open
    }
    return all.recordsSinceCut() > 0
        && (all.bytesSinceCut(device.bytesWritten()) >= options.checkpointBytes()
            || all.recordsSinceCut() >= options.checkpointRecords()
            || 4 * space.dirtyBytes() > space.reserve()
            || state.pages().isCheckpointDue()
            || all.freeable() * 4L > state.segments().freeZones() + 1);
  }

  /// Whether the pool says on the device that it may have stages.
  boolean storesAccounts() {
    Checkpoints all = checkpoints;
    return all != null && all.hasAccounts();
  }

  /// Asks for a checkpoint; the committer must be woken.
  void want() {
    synchronized (this) {
      requested++;
    }
  }

  /// Has a checkpoint made and waits for its end, or until the pool has failed.
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

  /// Waits until nothing is to be reclaimed, or the pool has failed.
  void awaitReclaim(Runnable wake) {
    synchronized (this) {
      idle = false;
    }
    wake.run();
    awaitUntil(() -> idle);
  }

  /// Wakes those who wait: nothing more will happen.
  void abandon() {
    synchronized (this) {
      over = true;
      notifyAll();
    }
  }

  CleaningReport cleaned() {
    Cleaner all = cleaner;
    return all == null ? new CleaningReport(0, 0, 0) : all.report();
  }

  /// Has the cleaner end, and waits for it.
  void stopCleaner() {
    Cleaner all = cleaner;
    if (all != null) {
      all.stop();
      all.awaitEnd();
    }
  }

  /// Waits until no checkpoint is being written. After the committer has ended.
  void awaitEnd() {
    Checkpoints all = checkpoints;
    if (all != null) {
      all.awaitEnd();
    }
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

  private synchronized void isCut() {
    servedByRunning = requested;
  }

  private synchronized void isFinished(boolean counts) {
    served = servedByRunning;
    if (counts) {
      counted = served;
    }
    notifyAll();
  }

  private synchronized void isIdle() {
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

  // The committer refuses whoever comes now.
  private void letPass() {
    Admission writers = admission;
    if (writers != null) {
      writers.setOpen(true);
      writers.retryAll();
    }
  }

  @Override
  public void stopped(StorageException reason) {
    gate.failAll(reason);
    letPass();
  }
}
