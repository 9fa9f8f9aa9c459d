package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.Superblock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The first tables of a checkpoint: segments, versions, volumes, and what is remembered beside
/// them. An open reads them as a whole.
///
/// @param versions parents first
/// @param aliases pairs: an id, and the id that it has become
/// @param merge absent if none is under way
/// @param records keys and values
/// @param operations oldest first
public record StateTables(
    Counters counters,
    List<SegmentRow> segments,
    List<VersionRow> versions,
    int[] aliases,
    List<FreeRow> frees,
    @Nullable MergeRow merge,
    PlacementTable placements,
    List<VolumeRow> volumes,
    List<Map.Entry<String, String>> records,
    List<OperationRow> operations) {

  private static final int LEAST_RECORD = 8;

  /// The next ids.
  ///
  /// @param nextNumber of a volume
  public record Counters(int nextNumber, int nextVersion, int nextSegment) {

    void encode(ByteSink out) {
      out.u32(nextNumber).u32(nextVersion).u32(nextSegment);
    }

    static Counters decode(ByteSource in) {
      return new Counters(in.u32(), in.u32(), in.u32());
    }
  }

  /// Writes the tables.
  public void encode(ByteSink out) {
    counters.encode(out);
    out.list(segments, SegmentRow::encode).list(versions, VersionRow::encode);
    encodeAliases(out);
    out.list(frees, FreeRow::encode);
    MergeRow.encode(merge, out);
    placements.encode(out);
    out.list(volumes, VolumeRow::encode);
    out.list(records, (entry, to) -> to.text(entry.getKey()).text(entry.getValue()));
    out.list(operations, OperationRow::encode);
  }

  /// Reads what [#encode] wrote. Older pools have fewer columns and other forms.
  ///
  /// @throws FormatException if the bytes are not the tables of a pool with these features
  public static StateTables decode(ByteSource in, Superblock.Features features) {
    return new StateTables(
        Counters.decode(in),
        in.list(SegmentRow.length(features), each -> SegmentRow.decode(each, features)),
        in.list(VersionRow.LENGTH, VersionRow::decode),
        decodeAliases(in),
        in.list(FreeRow.LENGTH, FreeRow::decode),
        MergeRow.decode(in),
        PlacementTable.decode(in, features),
        in.list(VolumeRow.LEAST, VolumeRow::decode),
        in.list(LEAST_RECORD, each -> Map.entry(each.text(), each.text())),
        in.list(OperationRow.LEAST, OperationRow::decode));
  }

  private void encodeAliases(ByteSink out) {
    out.u32(aliases.length);
    for (int id : aliases) {
      out.u32(id);
    }
  }

  private static int[] decodeAliases(ByteSource in) {
    int[] pairs = new int[in.count(4)];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = in.u32();
    }
    if (pairs.length % 2 != 0) {
      throw new FormatException("expected pairs of aliases, found %d ids".formatted(pairs.length));
    }
    return pairs;
  }
}
