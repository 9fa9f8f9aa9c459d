package io.coppice.engine.checkpoint;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.NodeAddress;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.BlockTables;
import io.coppice.engine.format.table.FreeRow;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.format.table.LiveRow;
import io.coppice.engine.format.table.MergeRow;
import io.coppice.engine.format.table.PageRow;
import io.coppice.engine.format.table.PlacementRow;
import io.coppice.engine.format.table.PlacementTable;
import io.coppice.engine.format.table.Rows;
import io.coppice.engine.format.table.SegmentRow;
import io.coppice.engine.format.table.StateTables;
import io.coppice.engine.map.Node;
import io.coppice.engine.segment.MovedBlocks;
import io.coppice.engine.segment.SegmentCounts;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The tables of a checkpoint, made from the image at its cut and from what its writer added.
///
/// @param segments all there are, the ones that the writer made last
/// @param moved where moved blocks lie once the checkpoint counts
/// @param added blocks of the nodes and pages that the writer stored, by segment
/// @param pages those that are in the tables, or referenced by them
record ImageTables(
    CheckpointImage image,
    List<SegmentRow> segments,
    List<MovedBlocks> moved,
    Map<Integer, long[]> added,
    CheckpointPages pages) {

  /// The addresses of this checkpoint's nodes.
  interface Nodes {
    NodeAddress of(@Nullable Node node);
  }

  /// Writes them, row by row. All nodes have been stored.
  void encode(Nodes nodes, ByteSink out) {
    List<JournalRow> journals = image.journals();
    Superblock.Features now = new Superblock.Features(0, 0, 0).current();
    state(nodes).encode(out);
    new BlockTables(
            Rows.of(moved, MovedBlocks::row),
            image.space(),
            live(),
            new Rows<PageRow>(image.pages().size(), taker -> pages.forEach(image.pages(), taker)),
            image.accounts(),
            journals == null ? List.of() : journals)
        .encode(out, journals == null ? now : now.withJournals());
  }

  private StateTables state(Nodes nodes) {
    var merge = image.merge();
    return new StateTables(
        image.counters(),
        segments,
        image.versions().stream().map(version -> version.row(nodes.of(version.root()))).toList(),
        image.aliases(),
        image.frees().stream()
            .map(
                free ->
                    new FreeRow(
                        free.owner(),
                        free.first(),
                        free.level(),
                        free.cursor(),
                        free.version() != null,
                        nodes.of(free.node())))
            .toList(),
        merge == null ? null : new MergeRow(merge.from().id(), merge.to().id(), merge.cursor()),
        new PlacementTable(placements()),
        image.volumes(),
        image.records(),
        image.operations());
  }

  private Rows<PlacementRow> placements() {
    return new Rows<>(
        image.counts().rows(),
        taker -> image.counts().forEach((SegmentCounts counts) -> taker.accept(counts.row())));
  }

  /// The segments in which something lived at the cut, then those that the writer made.
  private Rows<LiveRow> live() {
    Set<Integer> known = new HashSet<>();
    image.stored().forEach(row -> known.add(row.segment()));
    Map<Integer, long[]> fresh = new TreeMap<>(added);
    fresh.keySet().removeAll(known);
    return new Rows<>(
        known.size() + fresh.size(),
        taker -> {
          image.stored().forEach(row -> taker.accept(row.row(added.get(row.segment()))));
          fresh.forEach((id, blocks) -> taker.accept(new LiveRow(id, blocks)));
        });
  }
}
