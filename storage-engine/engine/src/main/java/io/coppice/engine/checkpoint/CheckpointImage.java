package io.coppice.engine.checkpoint;

import io.coppice.engine.family.Account;
import io.coppice.engine.family.Families;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.NodeAddress;
import io.coppice.engine.format.table.AccountTable;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.format.table.OperationRow;
import io.coppice.engine.format.table.SegmentRow;
import io.coppice.engine.format.table.SpaceTable;
import io.coppice.engine.format.table.StateTables;
import io.coppice.engine.format.table.StoredVolume;
import io.coppice.engine.format.table.VersionRow;
import io.coppice.engine.format.table.VolumeRow;
import io.coppice.engine.map.Inner;
import io.coppice.engine.segment.CutPage;
import io.coppice.engine.segment.MovedBlocks;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.PlacementCounts;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.StoredBlocks;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import io.coppice.engine.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The state at one position of the log: copies of the small tables, and the roots of maps whose
/// nodes never change any more.
///
/// @param space numbers of nodes, and of the blocks of the versions
/// @param counts of placements, by segment
/// @param dead segments in whose zones nothing lived at the cut: free once this checkpoint counts
/// @param moved places of the moved blocks of nodes
/// @param stored living blocks of every segment of nodes and tables
/// @param pages living blocks of every segment of the log, with their places
/// @param crowded segments of the log whose page is to be read for the next checkpoint
/// @param accounts of the versions that have one
/// @param journals absent without the feature of journals
/// @param full whether the nodes that earlier checkpoints stored are to be moved together
record CheckpointImage(
    LogPosition position,
    List<CutVersion> versions,
    SpaceTable space,
    List<VolumeRow> volumes,
    int[] aliases,
    List<Families.Free> frees,
    Families.@Nullable Merge merge,
    PlacementCounts.Frozen counts,
    List<SegmentRow> segments,
    List<Map.Entry<String, String>> records,
    List<OperationRow> operations,
    StateTables.Counters counters,
    List<Segment> dead,
    List<MovedBlocks> moved,
    List<StoredBlocks> stored,
    List<CutPage> pages,
    List<Pages.Missing> crowded,
    AccountTable accounts,
    @Nullable List<JournalRow> journals,
    boolean full) {

  /// A version. The address of its root is not known before the root is stored.
  record CutVersion(int id, int parent, boolean ghost, @Nullable Inner root) {

    static CutVersion of(Version version) {
      Version parent = version.parent();
      return new CutVersion(
          version.id(), parent == null ? 0 : parent.id(), version.isGhost(), version.root());
    }

    VersionRow row(NodeAddress stored) {
      return new VersionRow(id, parent, ghost, stored);
    }
  }

  /// Takes the image. The caller has just frozen all nodes.
  ///
  /// @param journals whether the pool has the feature of journals
  static CheckpointImage of(PoolState state, LogPosition position, boolean journals, boolean full) {
    Families families = state.families();
    // Pages that are stored anew leave their old zones.
    List<CutPage> pages = state.pages().cut();
    List<VolumeRow> volumes = new ArrayList<>();
    state.volumes().forEach(volume -> volumes.add(row(volume)));
    state.stages().forEach(stage -> volumes.add(row(stage)));
    state.hidden().forEach(hidden -> volumes.add(row(hidden)));
    List<SegmentRow> segments = new ArrayList<>();
    List<Segment> dead = new ArrayList<>();
    for (Segment segment : state.segments().all()) {
      boolean vacant = segment.isVacant();
      if (vacant) {
        dead.add(segment);
      }
      if (!vacant || segment.live() > 0) {
        int zone = vacant ? Segment.NO_ZONE : segment.zone();
        int twin = state.segments().twins().of(zone);
        boolean meta = segment.kind() == Segment.Kind.META;
        segments.add(new SegmentRow(segment.id(), zone, meta, segment.isOpen(), twin));
      }
    }
    AccountTable accounts;
    synchronized (families) {
      accounts = accounts(families);
    }
    List<Version> versions = parentsFirst(families);
    return new CheckpointImage(
        position,
        versions.stream().map(CutVersion::of).toList(),
        space(state, versions),
        volumes,
        families.aliasPairs(),
        families.frees(),
        families.merge(),
        state.segments().counts().frozen(),
        segments,
        state.records().all(),
        state.operations().all(),
        new StateTables.Counters(
            state.nextNumber(), families.nextId(), state.segments().ids().next()),
        dead,
        state.segments().movedBlocks(),
        state.segments().stored(),
        pages,
        state.pages().crowded(),
        accounts,
        journals ? journals(state) : null,
        full);
  }

  private static List<JournalRow> journals(PoolState state) {
    List<JournalRow> rows = new ArrayList<>();
    for (VolumeState volume : state.volumes()) {
      Timeline timeline = volume.timeline();
      if (timeline != null) {
        rows.add(timeline.row(volume.number()));
      }
    }
    return rows;
  }

  private static VolumeRow row(VolumeState volume) {
    return new VolumeRow(
        volume.number(),
        volume.family(),
        volume.head().id(),
        new StoredVolume(volume.info(), volume.role()));
  }

  private static List<Version> parentsFirst(Families families) {
    List<Version> sorted = new ArrayList<>(families.versions());
    sorted.sort(Comparator.comparingInt(CheckpointImage::depth));
    return sorted;
  }

  private static SpaceTable space(PoolState state, List<Version> versions) {
    return new SpaceTable(
        state.space().leaves(),
        state.space().inners(),
        versions.stream()
            .map(each -> new SpaceTable.VersionSpace(each.mapped(), each.owned(), each.shared()))
            .toList());
  }

  private static AccountTable accounts(Families families) {
    List<AccountTable.Row> rows = new ArrayList<>();
    for (Version version : families.versions()) {
      Account account = version.account();
      if (account.current() == account && !account.isClosed()) {
        rows.add(
            new AccountTable.Row(version.id(), account.own(), account.counted(), account.hidden()));
      }
    }
    return new AccountTable(rows);
  }

  private static int depth(Version version) {
    int depth = 0;
    for (Version at = version.parent(); at != null; at = at.parent()) {
      depth++;
    }
    return depth;
  }
}
