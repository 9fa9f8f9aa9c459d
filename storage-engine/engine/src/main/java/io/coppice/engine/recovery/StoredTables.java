package io.coppice.engine.recovery;

import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.FreeRow;
import io.coppice.engine.format.table.SegmentRow;
import io.coppice.engine.format.table.StateTables;
import io.coppice.engine.format.table.VersionRow;
import io.coppice.engine.format.table.VolumeRow;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.segment.Segment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// A check of a checkpoint's tables before anything is made of them. Bytes with the right CRC that
/// no engine wrote must not lead into an endless loop or into another's blocks.
final class StoredTables {

  private StoredTables() {}

  /// @throws FormatException if a row is impossible
  static void check(StateTables tables, RestoredPlacements placements, Superblock of) {
    Superblock.Geometry geometry = of.geometry();
    Set<Integer> segments = segments(tables, geometry.zones());
    versions(tables);
    aliases(tables.aliases());
    for (FreeRow row : tables.frees()) {
      require(
          row.level() <= Geometry.ROOT_LEVEL && row.node().address() != BlockAddress.NONE,
          "a subtree that is to be freed",
          row);
    }
    placements.check(segments, geometry.zoneSize() / PoolLayout.BLOCK);
    volumes(tables, of.features().smallestVolume());
  }

  /// @return the ids
  private static Set<Integer> segments(StateTables tables, int zones) {
    Set<Integer> ids = new HashSet<>();
    Set<Integer> taken = new HashSet<>();
    for (SegmentRow row : tables.segments()) {
      require(
          row.id() >= 0
              && row.id() <= BlockAddress.MAX_SEGMENT
              && (isHomeless(row)
                  || (row.zone() >= 0 && row.zone() < zones && taken.add(row.zone())))
              && (row.twin() == SegmentRow.NO_TWIN
                  || (row.meta()
                      && !isHomeless(row)
                      && row.twin() >= 0
                      && row.twin() < zones
                      && taken.add(row.twin()))),
          "a segment in zones of its own",
          row);
      ids.add(row.id());
    }
    int next = tables.counters().nextSegment();
    require(next >= 0 && next <= BlockAddress.MAX_SEGMENT + 1, "the next segment", next);
    return ids;
  }

  /// Whether all living blocks of a segment have moved away.
  private static boolean isHomeless(SegmentRow row) {
    return row.zone() == Segment.NO_ZONE && !row.open();
  }

  private static void versions(StateTables tables) {
    Set<Integer> ids = new HashSet<>();
    int next = tables.counters().nextVersion();
    for (VersionRow row : tables.versions()) {
      require(
          row.id() > 0 && row.id() < next && ids.add(row.id()),
          "a version of its own below " + next,
          row);
    }
  }

  private static void aliases(int[] pairs) {
    Map<Integer, Integer> next = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      require(pairs[i] > 0 && next.put(pairs[i], pairs[i + 1]) == null, "an alias", pairs[i]);
    }
    Set<Integer> ends = new HashSet<>();
    for (Integer start : next.keySet()) {
      Set<Integer> path = new HashSet<>();
      Integer at = start;
      while (at != null && !ends.contains(at)) {
        require(path.add(at), "aliases that lead somewhere", start);
        at = next.get(at);
      }
      ends.addAll(path);
    }
  }

  private static void volumes(StateTables tables, long smallest) {
    Set<Integer> numbers = new HashSet<>();
    Set<Integer> versions = new HashSet<>();
    Set<Object> ids = new HashSet<>();
    for (VolumeRow row : tables.volumes()) {
      VolumeInfo info = row.volume().info();
      require(
          row.number() > 0
              && numbers.add(row.number())
              && versions.add(row.version())
              && ids.add(info.id())
              && info.sizeInBytes() >= smallest
              && info.sizeInBytes() <= VolumeSpec.MAX_SIZE_IN_BYTES
              && info.sizeInBytes() % 512 == 0,
          "a volume with number, version, id and size of its own",
          row);
    }
  }

  static void require(boolean met, String expected, Object found) {
    if (!met) {
      throw new FormatException("expected %s, found %s".formatted(expected, found));
    }
  }
}
