package io.coppice.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// The zones of the pool as a row of cells, from the first to the last, with what scrubbing knows
/// of each.
///
/// It is put together from what is in memory: which zones are free, how far the pass is, and the
/// known damage. Each of the three is as of a moment of its own. So a zone that is filled or freed
/// meanwhile may be shown as it was just before, and so may one that the pass has just left.
///
/// | Component | Meaning |
/// |---|---|
/// | `zones` | zones of the pool |
/// | `zoneBytes` | bytes of a zone |
/// | `cells` | equal shares of the zones, in their order; no more than there are zones |
/// | `unplaced` | findings of which nobody knows the zone: they are in no cell |
public record ScrubMap(int zones, int zoneBytes, List<Cell> cells, int unplaced) {

  /// Most cells of a map.
  public static final int MAX_CELLS = 4096;

  public ScrubMap {
    cells = List.copyOf(cells);
  }

  /// The state of a zone. A cell of several zones has the last of their states, in this order: it
  /// never says more than holds for all of them.
  public enum State {
    /// Nothing is stored there.
    FREE,
    /// The pass under way has read what is stored there; if none is, the last one has.
    VERIFIED,
    /// The pass before the one under way has read it, which has yet to come there.
    EARLIER,
    /// Neither pass has read what is stored there now.
    WAITING,
    /// The pass under way is there, be it paused.
    RUNNING,
    /// Something there is damaged and not replaced.
    DAMAGED
  }

  /// One zone, or several.
  ///
  /// @param findings known there, replaced ones too
  public record Cell(State state, int findings) {

    /// Both together.
    Cell and(Cell other) {
      State last = state.compareTo(other.state) >= 0 ? state : other.state;
      return new Cell(last, findings + other.findings);
    }
  }

  /// Divides the zones among cells.
  ///
  /// @param wanted cells
  /// @param zone the cell of one zone alone
  /// @throws IllegalArgumentException if more than [#MAX_CELLS] are wanted, or none
  public static ScrubMap of(
      int wanted, int zones, int zoneBytes, IntFunction<Cell> zone, int unplaced) {
    if (wanted < 1 || wanted > MAX_CELLS) {
      throw new IllegalArgumentException(
          "expected 1 to %d cells of a map, got %d".formatted(MAX_CELLS, wanted));
    }
    int count = Math.min(wanted, zones);
    List<Cell> cells = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int end = (int) ((i + 1L) * zones / count);
      Cell cell = new Cell(State.FREE, 0);
      for (int at = (int) ((long) i * zones / count); at < end; at++) {
        cell = cell.and(zone.apply(at));
      }
      cells.add(cell);
    }
    return new ScrubMap(zones, zoneBytes, cells, unplaced);
  }
}
