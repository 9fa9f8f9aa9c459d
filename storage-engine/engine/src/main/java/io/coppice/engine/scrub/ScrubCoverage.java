package io.coppice.engine.scrub;

import io.coppice.engine.ScrubMap;
import io.coppice.engine.segment.SecondZones;
import io.coppice.engine.segment.Segments;
import java.util.BitSet;

/// The zones that passes have read, as far as they still hold what was read. Safe for any thread.
///
/// A zone that is taken after that will hold something else: it counts as not read. Over a restart
/// the pool keeps only how far a pass was. So after it everything up to there counts as read, even
/// what was stored there between the pass and the restart.
final class ScrubCoverage {

  private final Segments segments;
  private final BitSet now = new BitSet(); // guarded by this
  private final BitSet before = new BitSet(); // guarded by this

  ScrubCoverage(Segments segments) {
    this.segments = segments;
  }

  /// Starts from the progress that the pool has kept, and follows the zones that are taken from now
  /// on.
  void restore(ScrubProgress progress) {
    int zones = segments.zones();
    boolean hasEnded = progress.ended() != 0;
    synchronized (this) {
      if (progress.isUnderWay()) {
        now.set(0, Math.min(progress.zone(), zones));
        before.set(0, hasEnded ? zones : 0);
      } else {
        now.set(0, hasEnded ? zones : 0);
      }
    }
    segments.free().watch(this::forget);
  }

  /// Notes that a pass begins.
  synchronized void begin() {
    before.clear();
    before.or(now);
    now.clear();
  }

  /// Notes that a pass is about to read a zone, and its second zone with it. If one of them is
  /// taken meanwhile, that undoes it.
  ///
  /// @return those of the two that it had not read yet, for [#undo]
  synchronized BitSet expect(int zone) {
    BitSet added = new BitSet();
    added.set(zone);
    int twin = segments.twins().of(zone);
    if (twin != SecondZones.NONE) {
      added.set(twin);
    }
    added.andNot(now);
    now.or(added);
    return added;
  }

  /// Undoes [#expect], because they were not read whole.
  synchronized void undo(BitSet zones) {
    now.andNot(zones);
  }

  private synchronized void forget(int zone) {
    now.clear(zone);
    before.clear(zone);
  }

  /// @param running zone that a pass under way is at; -1 if none is
  ScrubMap map(int cells, int running, ScrubFindings.ByZone damage) {
    BitSet free = segments.free().all();
    BitSet readNow;
    BitSet readBefore;
    synchronized (this) {
      readNow = (BitSet) now.clone();
      readBefore = (BitSet) before.clone();
    }
    return ScrubMap.of(
        cells,
        segments.zones(),
        segments.zoneSize(),
        zone ->
            new ScrubMap.Cell(
                damage.damaged().get(zone)
                    ? ScrubMap.State.DAMAGED
                    : zone == running
                        ? ScrubMap.State.RUNNING
                        : stateOf(zone, free, readNow, readBefore),
                damage.findings().getOrDefault(zone, 0)),
        damage.unplaced());
  }

  private static ScrubMap.State stateOf(int zone, BitSet free, BitSet now, BitSet before) {
    if (free.get(zone)) {
      return ScrubMap.State.FREE;
    }
    if (now.get(zone)) {
      return ScrubMap.State.VERIFIED;
    }
    return before.get(zone) ? ScrubMap.State.EARLIER : ScrubMap.State.WAITING;
  }
}
