package io.coppice.engine.checkpoint;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.format.AccountTable;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.NodeAddress;
import io.coppice.engine.format.StoredVolume;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.map.Node;
import io.coppice.engine.segment.MovedBlocks;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.SecondZones;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.OperationResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The tables of a checkpoint as bytes, one after the other, each preceded by its number of rows:
/// counters, segments, versions, aliases, subtrees to free, the merge, [StoredPlacements], volumes,
/// records, operations, with the feature of relocation [MovedBlocks], with that of paged maps
/// [SpaceTables], with that of paged books [CheckpointPages], and with that of accounts
/// [AccountTable]. A segment's second zone is in its row. The zone of a segment of which all that
/// lives has moved is -1. The log position is in the superblock.
public final class CheckpointTables {

  private CheckpointTables() {}

  /// The addresses of this checkpoint's nodes.
  interface Nodes {
    NodeAddress of(@Nullable Node node);
  }

  /// The additions of the checkpoint writer to the state at its cut.
  ///
  /// @param segments all there are, the ones that it made last
  /// @param moved where moved blocks lie then
  /// @param alive blocks of the nodes and pages that it stored, by segment
  /// @param pages the last table
  record Added(
      List<CheckpointImage.SegmentRow> segments,
      List<MovedBlocks> moved,
      Map<Integer, long[]> alive,
      CheckpointPages pages) {}

  static void encode(CheckpointImage image, Added added, Nodes nodes, ByteSink out) {
    CheckpointImage.Counters counters = image.counters();
    out.u32(counters.nextNumber()).u32(counters.nextVersion()).u32(counters.nextSegment());
    out.u32(added.segments.size());
    for (CheckpointImage.SegmentRow row : added.segments) {
      out.u32(row.id()).u32(row.zone()).flag(row.kind() == Segment.Kind.META).flag(row.open());
      out.u32(row.twin());
    }
    out.u32(image.versions().size());
    for (CheckpointImage.VersionRow row : image.versions()) {
      out.u32(row.id()).u32(row.parent()).flag(row.ghost());
      nodes.of(row.root()).encode(out);
    }
    out.u32(image.aliases().length);
    for (int id : image.aliases()) {
      out.u32(id);
    }
    out.u32(image.frees().size());
    for (var free : image.frees()) {
      out.u32(free.owner()).u64(free.first()).u8(free.level()).u64(free.cursor());
      out.flag(free.version() != null);
      nodes.of(free.node()).encode(out);
    }
    var merge = image.merge();
    out.flag(merge != null);
    if (merge != null) {
      out.u32(merge.from().id()).u32(merge.to().id()).u64(merge.cursor());
    }
    StoredPlacements.encode(image.counts(), out);
    encodeNames(image, out);
    out.u32(added.moved.size());
    added.moved.forEach(row -> row.encode(out));
    SpaceTables.encode(image, added.alive, out);
    added.pages.encode(image.pages(), out);
    image.accounts().encode(out);
  }

  private static void encodeNames(CheckpointImage image, ByteSink out) {
    out.u32(image.volumes().size());
    for (CheckpointImage.VolumeRow row : image.volumes()) {
      out.u32(row.number()).u32(row.family()).u32(row.version());
      new StoredVolume(row.info(), row.stage()).encode(out);
    }
    out.u32(image.records().size());
    for (Map.Entry<String, String> entry : image.records()) {
      out.text(entry.getKey()).text(entry.getValue());
    }
    out.u32(image.operations().size());
    for (Map.Entry<OperationId, OperationResult> entry : image.operations()) {
      out.uuid(entry.getKey().value());
      switch (entry.getValue()) {
        case OperationResult.Done _ -> out.u8(0);
        case OperationResult.Volumes(var volumes) -> {
          out.u8(1).u32(volumes.size());
          volumes.forEach(volume -> new StoredVolume(volume, false).encode(out));
        }
        case OperationResult.Bytes(var bytes) -> out.u8(2).u64(bytes);
      }
    }
  }

  // ---- back

  /// @param twin its second zone, or -1
  public record SegmentRow(int id, int zone, Segment.Kind kind, boolean open, int twin) {}

  public record VersionRow(int id, int parent, boolean ghost, NodeAddress root) {}

  public record FreeRow(
      int owner, long first, int level, long cursor, boolean wholeVersion, NodeAddress node) {}

  public record MergeRow(int from, int to, long cursor) {}

  /// @param stage whether it is a hidden version of a volume
  public record VolumeRow(int number, int family, int version, VolumeInfo info, boolean stage) {}

  public record OperationRow(OperationId id, OperationResult result) {}

  /// The tables of a stored checkpoint.
  ///
  /// @param rest the tables behind them
  public record Stored(
      CheckpointImage.Counters counters,
      List<SegmentRow> segments,
      List<VersionRow> versions,
      int[] aliases,
      List<FreeRow> frees,
      @Nullable MergeRow merge,
      StoredPlacements placements,
      List<VolumeRow> volumes,
      Map<String, String> records,
      List<OperationRow> operations,
      ByteSource rest) {}

  /// @throws FormatException if the bytes are not the tables of a checkpoint with these features
  public static Stored decode(ByteSource in, Superblock.Features features) {
    CheckpointImage.Counters counters =
        new CheckpointImage.Counters(in.u32(), in.u32(), in.u32(), 0, 0);
    List<SegmentRow> segments = new ArrayList<>();
    for (int n = in.count(features.hasTwins() ? 14 : 10); n > 0; n--) {
      segments.add(
          new SegmentRow(
              in.u32(),
              in.u32(),
              in.flag() ? Segment.Kind.META : Segment.Kind.LOG,
              in.flag(),
              features.hasTwins() ? in.u32() : SecondZones.NONE));
    }
    List<VersionRow> versions = new ArrayList<>();
    for (int n = in.count(21); n > 0; n--) {
      versions.add(new VersionRow(in.u32(), in.u32(), in.flag(), NodeAddress.decode(in)));
    }
    int[] aliases = new int[in.count(4)];
    for (int i = 0; i < aliases.length; i++) {
      aliases[i] = in.u32();
    }
    List<FreeRow> frees = new ArrayList<>();
    for (int n = in.count(34); n > 0; n--) {
      frees.add(
          new FreeRow(in.u32(), in.u64(), in.u8(), in.u64(), in.flag(), NodeAddress.decode(in)));
    }
    MergeRow merge = in.flag() ? new MergeRow(in.u32(), in.u32(), in.u64()) : null;
    StoredPlacements placements = StoredPlacements.decode(in, features);
    Stored stored =
        new Stored(
            counters,
            segments,
            versions,
            aliases,
            frees,
            merge,
            placements,
            volumes(in),
            records(in),
            operations(in),
            in);
    return stored;
  }

  /// The last tables.
  public record Rest(@Nullable SpaceTables books, @Nullable CheckpointAccounts accounts) {}

  /// Reads the last tables that the pool's features announce. Segments must have been restored.
  ///
  /// @return books, absent without paged maps; accounts, absent without their feature
  /// @throws FormatException if they, or the end, are wrong
  public static Rest restoreRest(
      Stored stored, Superblock.Features features, Segments segments, Pages pages) {
    ByteSource in = stored.rest;
    if (features.hasRelocation()) {
      for (int n = in.count(8); n > 0; n--) {
        MovedBlocks.restore(in, features.hasShortBooks(), segments);
      }
    }
    SpaceTables books =
        features.hasPagedMaps()
            ? SpaceTables.decode(in, stored.versions.size(), features.hasShortBooks())
            : null;
    if (features.hasPagedBooks()) {
      CheckpointPages.restore(in, segments, pages);
    }
    CheckpointAccounts accounts =
        features.hasAccounts() ? new CheckpointAccounts(AccountTable.decode(in)) : null;
    if (!in.isEmpty()) {
      throw new FormatException("expected the end of the checkpoint's tables, found more");
    }
    return new Rest(books, accounts);
  }

  private static List<VolumeRow> volumes(ByteSource in) {
    List<VolumeRow> volumes = new ArrayList<>();
    for (int n = in.count(60); n > 0; n--) {
      int number = in.u32();
      int family = in.u32();
      int version = in.u32();
      StoredVolume volume = StoredVolume.decode(in);
      volumes.add(new VolumeRow(number, family, version, volume.info(), volume.stage()));
    }
    return volumes;
  }

  private static Map<String, String> records(ByteSource in) {
    Map<String, String> records = new HashMap<>();
    for (int n = in.count(8); n > 0; n--) {
      String key = in.text();
      records.put(key, in.text());
    }
    return records;
  }

  private static List<OperationRow> operations(ByteSource in) {
    List<OperationRow> operations = new ArrayList<>();
    for (int n = in.count(17); n > 0; n--) {
      OperationId id = new OperationId(in.uuid());
      int kind = in.u8();
      OperationResult result =
          switch (kind) {
            case 0 -> new OperationResult.Done();
            case 1 -> {
              List<VolumeInfo> volumes = new ArrayList<>();
              for (int m = in.count(48); m > 0; m--) {
                volumes.add(StoredVolume.decode(in).info());
              }
              yield new OperationResult.Volumes(volumes);
            }
            case 2 -> new OperationResult.Bytes(in.u64());
            default -> throw new FormatException("expected a result kind 0 to 2, found " + kind);
          };
      operations.add(new OperationRow(id, result));
    }
    return operations;
  }
}
