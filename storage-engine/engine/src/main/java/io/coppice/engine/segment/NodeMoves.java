package io.coppice.engine.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Blocks of nodes that a checkpoint has stored once more in other zones: where they lie if it
/// becomes the one that counts.
public final class NodeMoves {

  private final TreeMap<Integer, Moved> moved = new TreeMap<>();

  private record Moved(StoredBlocks from, Places to, List<Integer> blocks) {}

  /// A living block was stored at `place`.
  public void moved(StoredBlocks from, int block, long place) {
    Moved row = moved.computeIfAbsent(from.segment(), _ -> begin(from));
    row.to.set(block, place);
    row.blocks.add(block);
  }

  private static Moved begin(StoredBlocks from) {
    Places before = from.places();
    return new Moved(
        from, before == null ? new Places(from.blocks()) : before.copy(), new ArrayList<>());
  }

  /// The moved blocks of every segment: those of before, as far as they were not moved again, and
  /// these.
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

  /// The checkpoint counts: from here on the blocks that still live are read where they are now.
  /// Committer only.
  public void apply(Segments segments) {
    moved.forEach(
        (id, row) -> row.blocks.forEach(block -> segments.move(id, block, row.to.of(block))));
  }
}
