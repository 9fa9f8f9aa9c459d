package io.coppice.engine.checkpoint;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.family.Account;
import io.coppice.engine.family.Families;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.AccountTable;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.map.Inner;
import io.coppice.engine.segment.MovedBlocks;
import io.coppice.engine.segment.PageRow;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.PlacementCounts;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.StoredBlocks;
import io.coppice.engine.state.OperationResult;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The state at one position of the log: copies of the small tables, and the roots of maps whose
/// nodes never change any more.
///
/// @param counts of placements, by segment
/// @param dead segments in whose zones nothing lived at the cut: free once this checkpoint counts
/// @param moved places of the moved blocks of nodes
/// @param stored living blocks of every segment of nodes and tables
/// @param pages living blocks of every segment of the log, with their places
/// @param crowded segments of the log whose page is to be read for the next checkpoint
/// @param accounts of the versions that have one
/// @param full whether the nodes that earlier checkpoints stored are to be moved together
record CheckpointImage(
    LogPosition position,
    List<VersionRow> versions,
    List<VolumeRow> volumes,
    int[] aliases,
    List<Families.Free> frees,
    Families.@Nullable Merge merge,
    PlacementCounts.Frozen counts,
    List<SegmentRow> segments,
    List<Map.Entry<String, String>> records,
    List<Map.Entry<OperationId, OperationResult>> operations,
    Counters counters,
    List<Segment> dead,
    List<MovedBlocks> moved,
    List<StoredBlocks> stored,
    List<PageRow> pages,
    List<Pages.Missing> crowded,
    AccountTable accounts,
    boolean full) {

  /// @param mapped blocks stored in its map
  /// @param owned placements of its own
  /// @param shared approximate number of those that are of counted blocks
  record VersionRow(
      int id,
      int parent,
      boolean ghost,
      @Nullable Inner root,
      long mapped,
      long owned,
      long shared) {}

  /// @param stage whether it is a hidden version of a volume
  record VolumeRow(int number, int family, VolumeInfo info, int version, boolean stage) {}

  /// @param twin the second zone
  record SegmentRow(int id, int zone, Segment.Kind kind, boolean open, int twin) {}

  /// @param leaves number of leaves
  /// @param inners number of inner nodes
  public record Counters(
      int nextNumber, int nextVersion, int nextSegment, long leaves, long inners) {}

  /// Takes the image. The caller has just frozen all nodes.
  static CheckpointImage of(PoolState state, LogPosition position, boolean full) {
    Families families = state.families();
    // Pages that are stored anew leave their old zones.
    List<PageRow> pages = state.pages().cut();
    List<VolumeRow> volumes = new ArrayList<>();
    state.volumes().forEach(volume -> volumes.add(row(volume)));
    state.stages().forEach(stage -> volumes.add(row(stage)));
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
        segments.add(new SegmentRow(segment.id(), zone, segment.kind(), segment.isOpen(), twin));
      }
    }
    AccountTable accounts;
    synchronized (families) {
      accounts = accounts(families);
    }
    return new CheckpointImage(
        position,
        versions(families),
        volumes,
        families.aliasPairs(),
        families.frees(),
        families.merge(),
        state.segments().counts().frozen(),
        segments,
        state.records().all(),
        state.operations().all(),
        new Counters(
            state.nextNumber(),
            families.nextId(),
            state.segments().ids().next(),
            state.space().leaves(),
            state.space().inners()),
        dead,
        state.segments().movedBlocks(),
        state.segments().stored(),
        pages,
        state.pages().crowded(),
        accounts,
        full);
  }

  private static VolumeRow row(VolumeState volume) {
    return new VolumeRow(
        volume.number(), volume.family(), volume.info(), volume.head().id(), volume.isStage());
  }

  // Parents before children.
  private static List<VersionRow> versions(Families families) {
    List<VersionRow> rows = new ArrayList<>();
    List<Version> sorted = new ArrayList<>(families.versions());
    sorted.sort(java.util.Comparator.comparingInt(CheckpointImage::depth));
    for (Version version : sorted) {
      Version parent = version.parent();
      rows.add(
          new VersionRow(
              version.id(),
              parent == null ? 0 : parent.id(),
              version.isGhost(),
              version.root(),
              version.mapped(),
              version.owned(),
              version.shared()));
    }
    return rows;
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
