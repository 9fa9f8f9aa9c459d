package io.coppice.engine.checkpoint;

import io.coppice.engine.format.BlockBits;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.segment.StoredBlocks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The last tables of a checkpoint. Without them every open would have to count all maps.
///
/// @param leaves number of leaves
/// @param inners number of inner nodes
/// @param versions a row for each version, in the order of their table
/// @param alive a row for each segment in which something lives
public record SpaceTables(long leaves, long inners, List<VersionBook> versions, List<Alive> alive) {

  /// @param mapped blocks stored in its map
  /// @param owned placements of its own
  /// @param shared approximate number of those that are of counted blocks
  public record VersionBook(long mapped, long owned, long shared) {}

  /// @param bits bit i mod 64 of word i / 64: block i lives
  record Alive(int segment, long[] bits) {}

  /// @param more blocks that come to life with the checkpoint, by segment
  static void encode(CheckpointImage image, Map<Integer, long[]> more, ByteSink out) {
    CheckpointImage.Counters counters = image.counters();
    out.u64(counters.leaves()).u64(counters.inners());
    for (CheckpointImage.VersionRow row : image.versions()) {
      out.u64(row.mapped()).u64(row.owned()).u64(row.shared());
    }
    Set<Integer> known = new HashSet<>();
    image.stored().forEach(row -> known.add(row.segment()));
    Map<Integer, long[]> fresh = new TreeMap<>(more);
    fresh.keySet().removeAll(known);
    out.u32(known.size() + fresh.size());
    for (StoredBlocks row : image.stored()) {
      row.encode(out, more.get(row.segment()));
    }
    fresh.forEach((id, bits) -> BlockBits.encode(out.u32(id), bits));
  }

  /// @param isShort whether living blocks are in short form
  /// @throws FormatException if they are not the books of so many versions
  static SpaceTables decode(ByteSource in, int versions, boolean isShort) {
    long leaves = in.u64();
    long inners = in.u64();
    List<VersionBook> books = new ArrayList<>();
    for (int i = 0; i < versions; i++) {
      VersionBook book = new VersionBook(in.u64(), in.u64(), in.u64());
      if (book.mapped < 0 || book.owned < 0 || book.shared < 0) {
        throw new FormatException("expected the books of a version, found " + book);
      }
      books.add(book);
    }
    List<Alive> alive = new ArrayList<>();
    for (int n = in.count(8); n > 0; n--) {
      int segment = in.u32();
      alive.add(new Alive(segment, isShort ? BlockBits.decode(in) : bitmap(in)));
    }
    if (leaves < 0 || inners < 0) {
      throw new FormatException(
          "expected numbers of nodes, found %d and %d".formatted(leaves, inners));
    }
    return new SpaceTables(leaves, inners, books, alive);
  }

  private static long[] bitmap(ByteSource in) {
    long[] bits = new long[in.count(1) / 8];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = in.u64();
    }
    return bits;
  }

  /// Restores the living blocks of each segment.
  public void restoreAlive(Segments segments) {
    alive.forEach(row -> segments.restoreAlive(row.segment, row.bits));
  }
}
