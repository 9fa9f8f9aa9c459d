package io.coppice.engine.check;

import io.coppice.engine.format.BlockBits;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PageImage;
import io.coppice.engine.format.PlacementBits;
import io.coppice.engine.format.Superblock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The tables of a checkpoint as [io.coppice.engine.format.Chunk] describes them, row by row.
///
/// @param aliases pairs: an id, and the id that it has become
record Tables(
    int nextNumber,
    int nextVersion,
    int nextSegment,
    List<SegmentRow> segments,
    List<VersionRow> versions,
    int[] aliases,
    List<FreeRow> frees,
    @Nullable MergeRow merge,
    Counts counts,
    List<VolumeRow> volumes,
    int records,
    int operations,
    List<MovedRow> moved,
    @Nullable Books books,
    List<PageRow> pages,
    @Nullable List<AccountRow> accounts) {

  /// In place of the second zone of a segment.
  static final int NO_TWIN = -1;

  /// The figures counted in the maps.
  ///
  /// @param versions in the order of their table
  /// @param alive living blocks by segment
  record Books(long leaves, long inners, List<VersionBook> versions, Map<Integer, BitSet> alive) {}

  /// @param mapped blocks stored in its map
  /// @param owned its own placements
  record VersionBook(long mapped, long owned, long shared) {}

  /// @param own entries of the version's map that are of its account
  /// @param counted most of those that may be of counted blocks
  /// @param hidden entries of the map above that are not in it, by account
  record AccountRow(int version, long own, long counted, Map<Integer, Long> hidden) {}

  /// @param twin the second zone, -1: none
  record SegmentRow(int id, int zone, boolean meta, boolean open, int twin) {}

  /// @param address of a node, 0: none
  record NodeRef(long address, int crc) {}

  /// @param blocks of the segment, ascending, and where each lies
  record MovedRow(int segment, int[] blocks, long[] places) {}

  /// The row of a segment of the log.
  ///
  /// @param content absent: it is in a page
  record PageRow(
      int segment,
      int live,
      int moved,
      int guests,
      @Nullable PageImage content,
      NodeRef page,
      int[] steps,
      BitSet changes) {}

  record VersionRow(int id, int parent, boolean ghost, NodeRef root) {}

  record FreeRow(int owner, long first, int level, long cursor, boolean whole, NodeRef node) {}

  /// @param blocks number of blocks from the address on with this many placements each
  record CountRow(long address, int blocks, long placements) {}

  /// The counts of blocks with two placements or more.
  ///
  /// @param runs without packed counts
  /// @param rows with packed counts: placements beyond the first by segment, as in [PlacementBits]
  record Counts(List<CountRow> runs, Map<Integer, long[] @Nullable []> rows) {}

  record MergeRow(int from, int to, long cursor) {}

  record VolumeRow(int number, int family, int version, VolumeFields fields) {}

  record VolumeFields(UUID id, boolean snapshot, long sizeInBytes, boolean reserved) {}

  /// @param features which of the last tables there are
  /// @param blocks of a zone
  /// @throws FormatException if the bytes are not the tables of a checkpoint
  static Tables decode(ByteSource in, Superblock.Features features, int blocks) {
    List<VersionRow> versions = new ArrayList<>();
    Tables tables =
        new Tables(
            in.u32(),
            in.u32(),
            in.u32(),
            segments(in, features.hasTwins()),
            versions(in, versions),
            aliases(in),
            frees(in),
            in.flag() ? new MergeRow(in.u32(), in.u32(), in.u64()) : null,
            counts(in, features),
            volumes(in),
            records(in),
            operations(in),
            features.hasRelocation() ? moved(in, features.hasShortBooks()) : List.of(),
            features.hasPagedMaps() ? books(in, versions.size(), features.hasShortBooks()) : null,
            features.hasPagedBooks() ? pages(in, blocks) : List.of(),
            features.hasAccounts() ? accounts(in) : null);
    if (!in.isEmpty()) {
      throw new FormatException("expected the end of the tables, found more");
    }
    return tables;
  }

  private static List<SegmentRow> segments(ByteSource in, boolean twins) {
    List<SegmentRow> rows = new ArrayList<>();
    for (int n = in.count(twins ? 14 : 10); n > 0; n--) {
      rows.add(
          new SegmentRow(in.u32(), in.u32(), in.flag(), in.flag(), twins ? in.u32() : NO_TWIN));
    }
    return rows;
  }

  private static Books books(ByteSource in, int versions, boolean isShort) {
    long leaves = in.u64();
    long inners = in.u64();
    List<VersionBook> books = new ArrayList<>();
    for (int i = 0; i < versions; i++) {
      books.add(new VersionBook(in.u64(), in.u64(), in.u64()));
    }
    Map<Integer, BitSet> alive = new HashMap<>();
    for (int n = in.count(8); n > 0; n--) {
      int segment = in.u32();
      BitSet bits = isShort ? BitSet.valueOf(BlockBits.decode(in)) : bits(in);
      if (alive.put(segment, bits) != null) {
        throw new FormatException("expected segment %d once, found it twice".formatted(segment));
      }
    }
    return new Books(leaves, inners, books, alive);
  }

  private static List<AccountRow> accounts(ByteSource in) {
    List<AccountRow> rows = new ArrayList<>();
    for (int n = in.count(24); n > 0; n--) {
      AccountRow row = new AccountRow(in.u32(), in.u64(), in.u64(), new HashMap<>());
      for (int m = in.count(12); m > 0; m--) {
        row.hidden().merge(in.u32(), in.u64(), Long::sum);
      }
      rows.add(row);
    }
    return rows;
  }

  private static BitSet bits(ByteSource in) {
    BitSet bits = new BitSet();
    int bytes = in.count(1);
    for (int i = 0; i < 8 * bytes; i += 8) {
      int eight = in.u8();
      for (int bit = 0; bit < 8; bit++) {
        bits.set(i + bit, (eight >>> bit & 1) != 0);
      }
    }
    return bits;
  }

  private static List<VersionRow> versions(ByteSource in, List<VersionRow> rows) {
    for (int n = in.count(21); n > 0; n--) {
      rows.add(new VersionRow(in.u32(), in.u32(), in.flag(), node(in)));
    }
    return rows;
  }

  private static int[] aliases(ByteSource in) {
    int[] pairs = new int[in.count(4)];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = in.u32();
    }
    if (pairs.length % 2 != 0) {
      throw new FormatException("expected pairs of aliases, found %d ids".formatted(pairs.length));
    }
    return pairs;
  }

  private static List<FreeRow> frees(ByteSource in) {
    List<FreeRow> rows = new ArrayList<>();
    for (int n = in.count(34); n > 0; n--) {
      rows.add(new FreeRow(in.u32(), in.u64(), in.u8(), in.u64(), in.flag(), node(in)));
    }
    return rows;
  }

  private static Counts counts(ByteSource in, Superblock.Features features) {
    if (!features.hasPackedCounts()) {
      return new Counts(features.hasPlacementRuns() ? runs(in) : pairs(in), Map.of());
    }
    Map<Integer, long[] @Nullable []> rows = new TreeMap<>();
    for (int n = in.count(8); n > 0; n--) {
      int segment = in.u32();
      if (rows.put(segment, PlacementBits.decode(in)) != null) {
        throw new FormatException("expected segment %d once, found it twice".formatted(segment));
      }
    }
    return new Counts(List.of(), rows);
  }

  private static List<CountRow> pairs(ByteSource in) {
    int numbers = in.count(8);
    if (numbers % 2 != 0) {
      throw new FormatException("expected pairs of counts, found %d".formatted(numbers));
    }
    List<CountRow> rows = new ArrayList<>();
    for (int i = 0; i < numbers; i += 2) {
      rows.add(new CountRow(in.u64(), 1, in.u64()));
    }
    return rows;
  }

  private static List<CountRow> runs(ByteSource in) {
    List<CountRow> rows = new ArrayList<>();
    for (int n = in.count(16); n > 0; n--) {
      rows.add(new CountRow(in.u64(), in.u32(), Integer.toUnsignedLong(in.u32())));
    }
    return rows;
  }

  private static List<VolumeRow> volumes(ByteSource in) {
    List<VolumeRow> rows = new ArrayList<>();
    for (int n = in.count(60); n > 0; n--) {
      rows.add(new VolumeRow(in.u32(), in.u32(), in.u32(), fields(in)));
    }
    return rows;
  }

  private static VolumeFields fields(ByteSource in) {
    UUID id = in.uuid();
    int kind = in.u8();
    if (kind < 0 || kind > 2) {
      throw new FormatException("expected a kind of volume 0 to 2, found " + kind);
    }
    boolean snapshot = kind == 1;
    long size = in.u64();
    in.flag();
    in.uuid();
    boolean reserved = in.flag();
    in.u64();
    in.texts();
    return new VolumeFields(id, snapshot, size, reserved);
  }

  private static int records(ByteSource in) {
    int count = in.count(8);
    for (int i = 0; i < count; i++) {
      in.text();
      in.text();
    }
    return count;
  }

  private static int operations(ByteSource in) {
    int count = in.count(17);
    for (int i = 0; i < count; i++) {
      in.uuid();
      int kind = in.u8();
      if (kind == 1) {
        for (int n = in.count(48); n > 0; n--) {
          fields(in);
        }
      } else if (kind == 2) {
        in.u64();
      } else if (kind != 0) {
        throw new FormatException("expected a result of kind 0 to 2, found %d".formatted(kind));
      }
    }
    return count;
  }

  private static List<MovedRow> moved(ByteSource in, boolean isShort) {
    List<MovedRow> rows = new ArrayList<>();
    for (int n = in.count(8); n > 0; n--) {
      int segment = in.u32();
      BitSet bits = isShort ? BitSet.valueOf(BlockBits.decode(in)) : bits(in);
      int[] blocks = bits.stream().toArray();
      rows.add(
          new MovedRow(
              segment,
              blocks,
              isShort ? BlockBits.decodePlaces(in, blocks.length) : places(in, blocks.length)));
    }
    return rows;
  }

  private static long[] places(ByteSource in, int count) {
    long[] places = new long[count];
    long place = 0;
    for (int i = 0; i < count; i++) {
      int distance = in.u8();
      place = distance == 0 ? in.u64() : place + distance;
      places[i] = place;
    }
    return places;
  }

  private static List<PageRow> pages(ByteSource in, int blocks) {
    List<PageRow> rows = new ArrayList<>();
    for (int n = in.count(17); n > 0; n--) {
      int segment = in.u32();
      int live = in.u32();
      int moved = in.u32();
      int guests = in.u32();
      int form = in.u8();
      if (form == 0) {
        PageImage content = PageImage.decode(segment, in, blocks);
        NodeRef none = new NodeRef(0, 0);
        rows.add(
            new PageRow(segment, live, moved, guests, content, none, new int[0], new BitSet()));
      } else if (form == 1) {
        NodeRef page = node(in);
        int[] steps = new int[2 * in.count(8)];
        for (int i = 0; i < steps.length; i++) {
          steps[i] = in.u32();
        }
        BitSet changes = BitSet.valueOf(BlockBits.decode(in));
        rows.add(new PageRow(segment, live, moved, guests, null, page, steps, changes));
      } else {
        throw new FormatException("expected a row of form 0 or 1, found %d".formatted(form));
      }
    }
    return rows;
  }

  private static NodeRef node(ByteSource in) {
    return new NodeRef(in.u64(), in.u32());
  }
}
