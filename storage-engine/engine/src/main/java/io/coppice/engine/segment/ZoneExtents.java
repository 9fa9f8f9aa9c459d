package io.coppice.engine.segment;

import io.coppice.engine.format.PageImage;
import java.util.Arrays;

/// The zones in which the living blocks of a segment lie, in *steps*: a first block, and the zone
/// of the living blocks from there on. The cleaner moves the living blocks of a zone in their
/// order, so there are few steps. With them it is known, without the page, which zone a dying block
/// leaves.
///
/// The steps are first blocks and zones in turn, ascending. No step: nothing has moved.
public final class ZoneExtents {

  /// In place of a zone, for a block that was not moved.
  public static final int AT_HOME = -1;

  static final int[] NONE = {};

  private ZoneExtents() {}

  /// The steps of the living blocks of a page.
  ///
  /// @param blocks of a zone
  public static int[] of(PageImage page, int blocks) {
    if (page.places().length == 0) {
      return NONE;
    }
    int[] steps = new int[8];
    int size = 0;
    int before = AT_HOME;
    int n = 0;
    for (int word = 0; word < page.alive().length; word++) {
      for (long left = page.alive()[word]; left != 0; left &= left - 1) {
        boolean moved = (page.moved()[word] & Long.lowestOneBit(left)) != 0;
        int zone = moved ? (int) (page.places()[n++] / blocks) : AT_HOME;
        if (zone != before) {
          if (size == steps.length) {
            steps = Arrays.copyOf(steps, 2 * size);
          }
          steps[size++] = 64 * word + Long.numberOfTrailingZeros(left);
          steps[size++] = zone;
          before = zone;
        }
      }
    }
    return Arrays.copyOf(steps, size);
  }

  /// The zone of a living block, or [#AT_HOME].
  static int zoneOf(int[] steps, int block) {
    int low = 0;
    int high = steps.length / 2;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (steps[2 * middle] <= block) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? AT_HOME : steps[2 * low - 1];
  }
}
