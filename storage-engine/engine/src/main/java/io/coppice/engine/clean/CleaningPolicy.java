package io.coppice.engine.clean;

/// The arithmetic of the cleaner: which zone it empties, when it begins, and at what price.
final class CleaningPolicy {

  /// Blocks copied for each block of log that hosts cause, when there is hardly a free zone left.
  static final int HIGHEST_PRICE = 8;

  private CleaningPolicy() {}

  /// Cost and benefit of emptying a zone: free space gained, times the age of the copied blocks,
  /// over reading and writing.
  ///
  /// @param live share of the zone that lives, 0 to 1
  /// @param age in any unit
  static double score(double live, double age) {
    return (1 - live) * age / (1 + live);
  }

  /// Bytes of free zones below which the cleaner works: a share of the space that would be free if
  /// all living blocks were packed together. The rest may stay dead where it is. The longer a zone
  /// is left alone, the less of it lives when its turn comes.
  ///
  /// @param packed free bytes if no dead blocks lay among living ones
  /// @param percent of that
  static long window(long packed, int percent, int zoneSize) {
    return percent == 0 ? 0 : Math.max(zoneSize, packed / 100 * percent);
  }

  /// Bytes that may be copied for `bytes` written to the log: none at the window, the highest price
  /// when nothing is free.
  static long pays(long bytes, long spare, long window) {
    return window <= 0 ? 0 : (long) ((double) bytes * (window - spare) / window * HIGHEST_PRICE);
  }
}
