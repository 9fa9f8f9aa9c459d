package io.coppice.scsi.unit;

import io.coppice.engine.status.PoolSpace;
import io.coppice.scsi.page.ModePages;
import io.coppice.scsi.page.VitalProductData;
import io.coppice.scsi.setting.MediumSettings;

/// The space left in the pool below which hosts hear of it (SBC-4 §4.7.3.7). One threshold holds
/// for all units that take space from the pool.
///
/// @param count in threshold sets, 0 to 2^32 - 1; 0 if hosts never hear
/// @param marginInBytes how much more than that must be free again before hosts hear once more
public record SoftThreshold(long count, long marginInBytes) {

  private static final long SET_IN_BYTES =
      (long) MediumSettings.LOGICAL_BLOCK_IN_BYTES << VitalProductData.THRESHOLD_EXPONENT;

  /// @param percentLeft of the pool's capacity; 0 for none
  public static SoftThreshold of(int percentLeft, PoolSpace pool) {
    if (percentLeft == 0) {
      return new SoftThreshold(0, 0);
    }
    long sets = Math.max(1, pool.capacity() / 100 * percentLeft / SET_IN_BYTES);
    return new SoftThreshold(Math.min(sets, 0xffff_ffffL), pool.capacity() / 100);
  }

  public boolean isEnabled() {
    return count > 0;
  }

  /// THRESHOLD MINIMUM (SBC-4 §4.7.3.7.2): less free space than this crosses the threshold.
  public long minimumInBytes() {
    return count * SET_IN_BYTES - SET_IN_BYTES / 2;
  }

  /// More free space than this is far enough from the threshold to cross it again: THRESHOLD
  /// MAXIMUM and the margin, which bounds how often hosts hear.
  public long rearmedInBytes() {
    return count * SET_IN_BYTES + SET_IN_BYTES / 2 + marginInBytes;
  }

  /// The threshold as a unit reports it.
  public ModePages.Threshold of(boolean thin) {
    return new ModePages.Threshold(isEnabled() && thin, count);
  }
}
