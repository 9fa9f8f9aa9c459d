package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.format.table.FreeRow;
import io.coppice.engine.format.table.MergeRow;
import io.coppice.engine.format.table.StateTables;
import io.coppice.engine.format.table.VersionRow;
import io.coppice.engine.format.table.VolumeRow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The family trees of versions, and the owners of the data of versions. Parents exist and make no
/// circle, aliases lead to a version, each ghost is still needed, and each volume has a version of
/// its own.
final class FamilyCheck {

  private final StateTables tables;
  private final Findings findings;
  private final FindingLocation where;
  private final long smallest;
  private final Map<Integer, VersionRow> versions = new HashMap<>();
  private final Map<Integer, Integer> aliases = new HashMap<>();
  private final Map<Integer, Integer> children = new HashMap<>();
  private final Map<Integer, UUID> volumeOf = new HashMap<>();
  private final Set<Integer> freed = new HashSet<>();

  /// @param smallest bytes that a volume of the pool has at least
  FamilyCheck(StateTables tables, Findings findings, FindingLocation where, long smallest) {
    this.tables = tables;
    this.findings = findings;
    this.where = where;
    this.smallest = smallest;
  }

  /// Checks everything. Call the other methods only afterwards.
  void check() {
    tables.frees().stream().filter(FreeRow::whole).forEach(row -> freed.add(row.owner()));
    checkVersions();
    checkAliases();
    checkVolumes();
    checkGhosts();
    checkFrees();
    checkMerge();
  }

  private void checkVersions() {
    for (VersionRow row : tables.versions()) {
      if (row.id() < 1 || row.id() >= tables.counters().nextVersion()) {
        damage(
            Structure.VERSION,
            "expected a version between 1 and %d, found %d"
                .formatted(tables.counters().nextVersion() - 1, row.id()));
      }
      // A parent stands before its children: so there is no circle.
      if (row.parent() != 0 && !versions.containsKey(row.parent())) {
        damage(
            Structure.VERSION,
            "expected parent %d before version %d, found none".formatted(row.parent(), row.id()));
      }
      if (versions.putIfAbsent(row.id(), row) != null) {
        damage(Structure.VERSION, "expected version %d once, found it twice".formatted(row.id()));
      }
      children.merge(row.parent(), 1, Integer::sum);
    }
  }

  private void checkAliases() {
    int[] pairs = tables.aliases();
    for (int i = 0; i < pairs.length; i += 2) {
      if (aliases.put(pairs[i], pairs[i + 1]) != null || versions.containsKey(pairs[i])) {
        damage(
            Structure.VERSION,
            "expected id %d to have become one version, found another".formatted(pairs[i]));
      }
    }
    for (int i = 0; i < pairs.length; i += 2) {
      if (resolve(pairs[i]) == 0) {
        damage(
            Structure.VERSION,
            "expected alias %d of %d to lead to a version, found none"
                .formatted(pairs[i], pairs[i + 1]));
      }
    }
  }

  private void checkVolumes() {
    Set<Integer> numbers = new HashSet<>();
    Set<UUID> ids = new HashSet<>();
    for (VolumeRow row : tables.volumes()) {
      UUID id = row.id();
      long size = row.sizeInBytes();
      FindingLocation volume = new FindingLocation(where.zone(), where.offset(), id, -1);
      VersionRow version = versions.get(row.version());
      if (row.number() < 1
          || row.number() >= tables.counters().nextNumber()
          || !numbers.add(row.number())) {
        findings.damage(
            Structure.VOLUME,
            volume,
            "expected a number of its own below %d, found %d"
                .formatted(tables.counters().nextNumber(), row.number()));
      }
      if (!ids.add(id)) {
        findings.damage(Structure.VOLUME, volume, "expected the id once, found it twice");
      }
      if (version == null || version.ghost()) {
        findings.damage(
            Structure.VOLUME,
            volume,
            "expected its version %d, found %s"
                .formatted(row.version(), version == null ? "none" : "a ghost"));
      }
      if (volumeOf.putIfAbsent(row.version(), id) != null) {
        findings.damage(
            Structure.VOLUME,
            volume,
            "expected a version of its own, found that %d is another's".formatted(row.version()));
      }
      if (size < smallest || size % 512 != 0) {
        findings.damage(
            Structure.VOLUME,
            volume,
            "expected a size of %d bytes or more in multiples of 512, found %d"
                .formatted(smallest, size));
      }
    }
  }

  private void checkGhosts() {
    MergeRow merge = tables.merge();
    for (VersionRow row : tables.versions()) {
      if (!row.ghost() && !volumeOf.containsKey(row.id())) {
        damage(
            Structure.VERSION,
            "expected a volume of version %d, found none: its space is lost".formatted(row.id()));
      }
      if (row.ghost()
          && !children.containsKey(row.id())
          && !freed.contains(row.id())
          && (merge == null || merge.from() != row.id())) {
        damage(
            Structure.VERSION,
            "expected ghost %d to have a child or to be freed, found neither: its space is lost"
                .formatted(row.id()));
      }
    }
  }

  private void checkFrees() {
    for (FreeRow row : tables.frees()) {
      VersionRow owner = versions.get(resolve(row.owner()));
      long end = row.first() + MapWalk.span(Math.min(row.level(), MapWalk.ROOT_LEVEL));
      if (owner == null
          || row.level() > MapWalk.ROOT_LEVEL
          || row.node().address() == 0
          || row.cursor() < row.first()
          || row.cursor() > end) {
        damage(
            Structure.VERSION,
            "expected a subtree of a version that is to be freed, found %s".formatted(row));
      } else if (row.whole()
          && (!owner.ghost()
              || owner.parent() != 0
              || children.containsKey(owner.id())
              || !owner.root().equals(row.node()))) {
        damage(
            Structure.VERSION,
            "expected freed version %d to be a ghost that stands alone".formatted(owner.id()));
      }
    }
  }

  private void checkMerge() {
    MergeRow merge = tables.merge();
    if (merge == null) {
      return;
    }
    VersionRow from = versions.get(merge.from());
    VersionRow to = versions.get(merge.to());
    if (from == null
        || to == null
        || !from.ghost()
        || merge.cursor() < 0
        || merge.cursor() > MapWalk.BLOCKS
        || (to.parent() != merge.from() && !freed.contains(merge.to()))) {
      damage(
          Structure.VERSION,
          "expected a merge of a ghost into its only child, found %s".formatted(merge));
    }
  }

  private void damage(Structure structure, String sentence) {
    findings.damage(structure, where, sentence);
  }

  /// The version that an id has become by completed merges.
  ///
  /// @return 0 if it leads nowhere
  int resolve(int id) {
    int now = id;
    for (int steps = 0; steps <= aliases.size(); steps++) {
      Integer next = aliases.get(now);
      if (next == null) {
        return versions.containsKey(now) ? now : 0;
      }
      now = next;
    }
    return 0;
  }

  /// The version that owns what `id` made in a piece of its map that ends at block `end`, 0 if
  /// none.
  int ownerOf(int id, long end) {
    int now = resolve(id);
    MergeRow merge = tables.merge();
    return merge != null && now == merge.from() && end <= merge.cursor() ? merge.to() : now;
  }

  /// The block before which the map of a version is given up already.
  long cursorOf(int version) {
    MergeRow merge = tables.merge();
    if (merge != null && merge.from() == version) {
      return merge.cursor();
    }
    for (FreeRow row : tables.frees()) {
      if (row.whole() && row.owner() == version) {
        return row.cursor();
      }
    }
    return 0;
  }

  /// The versions whose nodes and entries the map of `version` may hold: itself and its ancestors;
  /// null for any, where links have been cut already.
  @Nullable Set<Integer> line(int version) {
    if (freed.contains(version)) {
      return null;
    }
    Set<Integer> line = new HashSet<>();
    VersionRow row = versions.get(version);
    while (row != null && line.add(row.id())) {
      if (freed.contains(row.id())) {
        return null;
      }
      row = versions.get(row.parent());
    }
    return line;
  }

  @Nullable UUID volumeOf(int version) {
    return volumeOf.get(version);
  }
}
