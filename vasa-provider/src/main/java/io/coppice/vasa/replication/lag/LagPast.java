package io.coppice.vasa.replication.lag;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The past of one group in a ring of minutes. A minute takes the place of the one a whole ring
/// before it. For one thread.
final class LagPast {

  /// Stands for no lag.
  static final long NONE = -1;

  private static final long NEVER = Long.MIN_VALUE;

  private final long[] minutes;
  private final int[] lags;
  private final long[] data;
  private final long[] link;
  private long dataBefore;
  private long linkBefore;

  /// @param points minutes that it keeps
  LagPast(int points) {
    minutes = new long[points];
    Arrays.fill(minutes, NEVER);
    lags = new int[points];
    data = new long[points];
    link = new long[points];
  }

  /// @param minute since 1970
  /// @param lagSeconds or [#NONE]
  /// @param dataBytes all that cycles sent since the process began
  /// @param linkBytes of them, over the link
  void note(long minute, long lagSeconds, long dataBytes, long linkBytes) {
    int place = place(minute);
    if (minutes[place] != minute) {
      minutes[place] = minute;
      lags[place] = (int) NONE;
      data[place] = 0;
      link[place] = 0;
    }
    lags[place] = Math.max(lags[place], (int) Math.min(lagSeconds, Integer.MAX_VALUE));
    data[place] += Math.max(0, dataBytes - dataBefore);
    link[place] += Math.max(0, linkBytes - linkBefore);
    dataBefore = dataBytes;
    linkBefore = linkBytes;
  }

  private int place(long minute) {
    return (int) Math.floorMod(minute, (long) minutes.length);
  }

  /// @param end minute after the last one
  List<LagMinute> between(long begin, long end) {
    List<LagMinute> found = new ArrayList<>();
    for (long minute = begin; minute < end; minute++) {
      int place = place(minute);
      found.add(
          minutes[place] == minute
              ? new LagMinute(
                  lags[place] == NONE ? null : (long) lags[place], data[place], link[place])
              : LagMinute.GAP);
    }
    return found;
  }
}
