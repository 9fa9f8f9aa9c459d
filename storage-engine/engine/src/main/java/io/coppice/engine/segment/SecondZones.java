package io.coppice.engine.segment;

import io.coppice.engine.format.PoolLayout;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// The second zones of segments of nodes and tables. Each block of the first zone has a copy at the
/// same block of the second. Changed by the committer, read by any thread inside an epoch.
public final class SecondZones {

  /// In place of a zone.
  public static final int NONE = -1;

  private final int zoneSize;
  private final AtomicIntegerArray second; // by first zone; zone + 1, 0 = none

  SecondZones(int zoneSize, int zones) {
    this.zoneSize = zoneSize;
    second = new AtomicIntegerArray(zones);
  }

  /// The second zone of a first one, or [#NONE].
  public int of(int zone) {
    return zone < 0 ? NONE : second.get(zone) - 1;
  }

  /// The first zone of a second one, or [#NONE]. Looks through all of them.
  public int firstOf(int twin) {
    for (int zone = 0; zone < second.length(); zone++) {
      if (second.get(zone) - 1 == twin) {
        return zone;
      }
    }
    return NONE;
  }

  void set(int zone, int twin) {
    second.set(zone, twin + 1);
  }

  /// Device offset of the copy of the block at `offset`, -1 if there is none.
  public long offsetOf(long offset) {
    long inZones = offset - PoolLayout.SUPERBLOCK_AREA;
    int twin = inZones < 0 ? NONE : of((int) (inZones / zoneSize));
    return twin == NONE ? -1 : PoolLayout.zoneOffset(twin, zoneSize) + inZones % zoneSize;
  }
}
