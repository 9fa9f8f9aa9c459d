package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.format.table.SpaceTable;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeSet;

/// The check of a checkpoint's space accounting against the walk through its maps: numbers of
/// nodes, blocks and placements of each version, and each living block.
final class SpaceAccountingCheck {

  private final Findings findings;
  private final FindingLocation where;

  SpaceAccountingCheck(Findings findings, FindingLocation where) {
    this.findings = findings;
    this.where = where;
  }

  void run(Tables tables, SpaceTable space, MapWalk walk, SegmentMap segments) {
    equal("leaves", space.leaves(), walk.leaves());
    equal("inner nodes", space.inners(), walk.nodes() - walk.leaves());
    for (int i = 0; i < space.versions().size(); i++) {
      SpaceTable.VersionSpace row = space.versions().get(i);
      int version = tables.state().versions().get(i).id();
      Long mapped = walk.mappedOf(version);
      if (mapped != null) {
        equal("blocks in the map of version " + version, row.mapped(), mapped);
      }
      equal("placements of version " + version, row.owned(), walk.ownedBy(version));
    }
    Map<Integer, BitSet> named = segments.named();
    TreeSet<Integer> ids = new TreeSet<>(named.keySet());
    ids.addAll(tables.alive().keySet());
    for (Integer id : ids) {
      alive(
          id, tables.alive().getOrDefault(id, new BitSet()), named.getOrDefault(id, new BitSet()));
    }
  }

  private void alive(int segment, BitSet expected, BitSet found) {
    BitSet difference = (BitSet) expected.clone();
    difference.xor(found);
    if (!difference.isEmpty()) {
      int first = difference.nextSetBit(0);
      findings.damage(
          Structure.SEGMENT,
          where,
          "expected %d living blocks in segment %d by the space accounting, found %d in the maps; block %d is %s"
              .formatted(
                  expected.cardinality(),
                  segment,
                  found.cardinality(),
                  first,
                  expected.get(first) ? "not named" : "not counted"));
    }
  }

  private void equal(String what, long expected, long found) {
    if (expected != found) {
      findings.damage(
          Structure.COUNT,
          where,
          "expected %d %s by the space accounting, found %d in the maps"
              .formatted(expected, what, found));
    }
  }
}
