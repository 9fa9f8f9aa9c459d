package io.coppice.scsi;

import io.coppice.engine.StorageException;
import io.coppice.engine.status.PoolSpace;
import io.coppice.scsi.limit.LimiterTimer;
import io.coppice.scsi.task.Nexuses;
import io.coppice.scsi.task.UnitAttention;
import io.coppice.scsi.unit.SoftThreshold;
import io.coppice.scsi.unit.Units;
import io.coppice.scsi.unit.VolumeUnit;
import java.util.function.Supplier;

/// The watch for the moment when what the pool has left falls below the [SoftThreshold]. It then
/// tells every nexus of every thin unit, once for each crossing. It looks at the pool's space once
/// a second, beside all I/O: a write costs nothing more.
final class ThresholdWatch {

  private static final long PERIOD_NANOS = 1_000_000_000;

  private final SoftThreshold threshold;
  private final Supplier<PoolSpace> space;
  private final Units units;
  private final Nexuses nexuses;
  private boolean crossed; // one look at a time

  ThresholdWatch(SoftThreshold threshold, Supplier<PoolSpace> space, Units units, Nexuses nexuses) {
    this.threshold = threshold;
    this.space = space;
    this.units = units;
    this.nexuses = nexuses;
  }

  /// Looks now and from now on, if there is a threshold.
  void start(LimiterTimer alarm) {
    if (threshold.isEnabled()) {
      lookAndGoOn(alarm);
    }
  }

  private void lookAndGoOn(LimiterTimer alarm) {
    try {
      look();
    } catch (StorageException e) {
      // The pool is closed or has failed, and commands hear of that themselves; what is left is
      // unknown.
    } finally {
      alarm.at(alarm.now() + PERIOD_NANOS, () -> lookAndGoOn(alarm));
    }
  }

  private void look() {
    long free = space.get().free();
    if (crossed) {
      crossed = free <= threshold.rearmedInBytes();
    } else if (free < threshold.minimumInBytes()) {
      crossed = true;
      units.all().forEach(this::tell);
    }
  }

  private void tell(VolumeUnit unit) {
    try {
      if (unit.isThin()) {
        nexuses.raise(UnitAttention.SOFT_THRESHOLD, unit, _ -> true);
      }
    } catch (StorageException.NotFound e) {
      // Its volume was deleted: it has nobody to tell.
    }
  }
}
