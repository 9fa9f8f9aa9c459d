package io.coppice.engine.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The blocks of nodes that a checkpoint has stored again in other zones. They lie there if the
/// checkpoint becomes the one that counts.
public final class NodeMoves {

  private final TreeMap<Integer, Moved> moved = new TreeMap<>();

  private record Moved(StoredBlocks from, RelocatedBlocks to, List<Integer> blocks) {}

  /// Notes that a living block was stored at `place`.
  public void moved(StoredBlocks from, int block, long place) {
    Moved row = moved.computeIfAbsent(from.segment(), _ -> begin(from));
    row.to.set(block, place);
    row.blocks.add(block);
  }

  private static Moved begin(StoredBlocks from) {
    RelocatedBlocks before = from.places();
    return new Moved(
        from,
        before == null ? new RelocatedBlocks(from.blocks()) : before.copy(),
        new ArrayList<>());
  }

  /// The moved blocks of every segment: the earlier ones, unless they were moved again, and these.
  public List<MovedBlocks> rows(List<MovedBlocks> before) {
    List<MovedBlocks> rows = new ArrayList<>();
    for (MovedBlocks row : before) {
      if (!moved.containsKey(row.segment())) {
        rows.add(row);
      }
    }
    moved.values().forEach(row -> rows.add(row.from.movedBlocks(row.to)));
    return rows;
  }

  /// Notes that the checkpoint counts: from now on the blocks that still live are read at their new
  /// places. Committer only.
  public void apply(Segments segments) {
    moved.forEach(
        (id, row) -> row.blocks.forEach(block -> segments.move(id, block, row.to.of(block))));
  }
}
