package io.coppice.engine.state;

import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.log.SurvivorRoom;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The zone that the cleaner fills with moved blocks. Blocks that have outlived their zone are so
/// kept apart from new data that hosts will soon write over. Committer only.
///
/// *What a crash leaves:* a taken zone that no MOVED record and no checkpoint names is free again.
/// A named one belongs to its segment; it is sealed, and the next one is taken. It is given up like
/// any other zone of data: when nothing lives in it and a checkpoint cut afterwards counts.
public final class SurvivorZones {

  private final PoolState state;
  private final BooleanSupplier allowed;
  private @Nullable Open open;

  private static final class Open {
    private final int segment;
    private final int zone;
    private int next;
    private int stable;

    Open(int segment, int zone) {
      this.segment = segment;
      this.zone = zone;
    }
  }

  /// @param allowed whether the pool on the device says that there may be such zones
  public SurvivorZones(PoolState state, BooleanSupplier allowed) {
    this.state = state;
    this.allowed = allowed;
  }

  /// Most blocks for the next piece now; 0 if they would take a zone that deletes need.
  public int room() {
    Open now = open;
    int perZone = state.segments().blocksPerZone();
    if (now != null && now.next > perZone - 2) {
      seal(now.segment);
      now = null;
    }
    if (now == null) {
      return canTakeZone() ? perZone - 1 : 0;
    }
    return perZone - now.next - 1;
  }

  /// Writes nothing more to a segment, if it is the one being filled.
  public void seal(int segment) {
    Open now = open;
    if (now != null && now.segment == segment) {
      state.segments().seal(segment);
      open = null;
      state.space().setSurvivorRoom(0);
    }
  }

  private boolean canTakeZone() {
    Segments segments = state.segments();
    return allowed.getAsBoolean()
        && segments.freeZones() > 0
        && state.space().room(SpaceAccounting.Writer.NEVER_REFUSED) >= segments.zoneSize();
  }

  /// Takes room for a piece.
  ///
  /// @param blocks at least one, at most [#room]
  /// @return null if another writer has just taken the last free zone
  @Nullable
  public SurvivorRoom take(int blocks) {
    Open now = open;
    if (now == null) {
      Segments segments = state.segments();
      int zone = segments.takeZone();
      if (zone < 0) {
        return null;
      }
      now = new Open(segments.newId(), zone);
      segments.add(now.segment, Segment.Kind.LOG, zone);
      open = now;
    }
    SurvivorRoom room = new SurvivorRoom(now.segment, now.zone, now.next);
    now.next += 1 + blocks;
    long left = (long) state.segments().blocksPerZone() - now.next;
    state.space().setSurvivorRoom(left * PoolLayout.BLOCK);
    return room;
  }

  /// Notes that a piece, for which room was taken, is stable.
  public void stable(SurvivorRoom room, int blocks) {
    Open now = open;
    if (now != null && now.segment == room.segment()) {
      now.stable = room.blockOf(blocks);
    }
  }

  /// The block from which on nothing is stable yet, -1 if this is not the segment being filled.
  public int stableEnd(int segment) {
    Open now = open;
    return now != null && now.segment == segment ? now.stable : -1;
  }
}
