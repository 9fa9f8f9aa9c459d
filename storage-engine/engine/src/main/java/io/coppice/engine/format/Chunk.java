package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.util.UUID;

/// A *chunk* is a piece of a checkpoint's tables. Each chunk names the one before it; the
/// superblock names the last.
///
/// | Offset | Bytes | Field |
/// |---|---|---|
/// | 48 | 8 | device offset of the chunk before, 0 for the first |
/// | 56, 60 | 4 each | its length and CRC32C |
/// | 64 | 4 | number of this chunk, from 0 |
/// | 68 | 4 | bytes of tables in it |
/// | 72 | 8 | only with the feature of twins: device offset of the second copy of the chunk before; 0: there is none |
/// | 80 (72 without twins) | | the bytes |
///
/// The bytes of all chunks, from the first to the last, are the tables, one after the other. Row
/// counts, ids and zones take 4 bytes; addresses, sizes, blocks and times 8; CRCs 4; flags and
/// levels 1; UUIDs 16. A text is UTF-8 behind its length in bytes (4); a list stands behind the
/// number of its elements (4). A flag is 0 or 1. A table begins with its number of rows unless its
/// row below says otherwise. Nothing follows the last table.
///
/// | Table | Row |
/// |---|---|
/// | counters; one row, no number of rows | next volume number, next version, next segment |
/// | segments | id, zone (-1: all that lives in it has moved), flag: nodes and tables (else log or survivors), flag: open, that is more may be written to it, and only with the feature of twins its second zone (-1: none) |
/// | versions, parents first | id, from 1, parent (0: none), flag: ghost, root: address (0: none, a map of holes) and CRC |
/// | aliases; instead of the number of rows twice that | id, id it has become, which may be an alias itself |
/// | subtrees to free | owner, first block, level, cursor, flag: the whole map of a ghost, node: address and CRC |
/// | merge; one row, no number of rows | flag: there is one; only then: from, to, cursor |
/// | placements; instead of the number of rows twice that | address, placements (2 or more, 8 bytes) |
/// | likewise, with the feature of placement runs; ascending | address of the first block, blocks (4), all of its segment, and the placements of each (2 or more, 4) |
/// | likewise, with the feature of packed counts; its number of rows first; ascending | segment, and how many placements beyond the first its blocks have, as [PlacementBits] says: one block has some |
/// | volumes | number, from 1, family (number of the volume that it goes back to), version, volume |
/// | records | key, value |
/// | operations | UUID, kind of result (1 byte); kind 0: none; kind 1: list of volumes; kind 2: bytes (8) |
/// | moved blocks; only with the feature of relocation | segment, bytes of the bitmap n (blocks of a zone / 8), n bytes: bit i mod 8 of byte i / 8 says that block i lives and has moved; for each of those, ascending: distance (1 byte), and if that is 0, its place (8) |
/// | likewise, with the feature of short books | segment, the set of blocks that live and have moved, their places: as [BlockBits] says |
/// | space accounting; one row, no number of rows; only with the feature of paged maps | leaves (8), inner nodes (8) |
/// | space accounting of versions; a row for each, in the order of their table, no number of rows; likewise | blocks stored in its map (8), its own placements (8), about how many of those are of counted blocks (8) |
/// | living blocks; likewise | segment, bytes of the bitmap n (blocks of a zone / 8), n bytes: bit i mod 8 of byte i / 8 says that block i lives: a map names it, or it is of a node |
/// | likewise, with the feature of short books | segment, the set of blocks that live: as [BlockBits] says |
/// | pages; only with the feature of paged books, and then the tables of moved and of living blocks have segments of nodes and tables only | segment of the log, blocks of it that live, how many of those have moved, living blocks of other segments in its zone, form (1 byte); form 0: what a [PageImage] has behind its segment; form 1: address and CRC of the page, number of steps, for each its first block (4) and the zone in which the moved blocks from there on lie (-1: none was moved), and the set of blocks that came to life or died since the page, as [BlockBits] says |
/// | accounts; only with the feature of accounts | version, its own entries (8), at most how many of those are of counted blocks (8), and a list of what it hides: version whose entries (4), how many (8) |
/// | journals of volumes; only with the feature of journals | number of the volume, moment of the last point (8), a list of tiers and a list of bases. A tier: number of its hidden volume, seconds between points (4), seconds that they are kept (4), next slot (8), age of the last cut (8), offset of the list from which on it is here (8), the list from there on behind its length in bytes (4), offset from which on the list has what is not kept again (8), a list of loans: number of the hidden volume of another tier (4), the first slot that its list references (8), the slot behind the last one (8), flag: the next one that is lent to it belongs to the loan; moment at which the tier was closed or 0 (8), and a list of points: moment, age, slot and offset (8 each). A base: moment (8), number of its hidden volume |
///
/// *Accounts* count as if every version that was given up had already been reclaimed. Every version
/// that is not a ghost has an account. A ghost has its own account as long as two or more accounts
/// are below it. With one account below it, a ghost counts for that account; with none, it counts
/// for none. The parent of an account is the nearest version above that has its own account. A
/// version that is merged into one that is being freed has no parent here, and neither has the one
/// that is being freed. An entry belongs to the account of the version in which it was born, or to
/// the account for which that version counts. The *own entries* of an account are the entries of
/// its version's map that belong to it. An account *hides* an entry of its parent's map that is not
/// in its own map. Entries that are still to be counted are left out of these numbers: an entry in
/// the subtrees to free of a living version, from their cursor on, still counts as own if it
/// belongs to the version's account, and as not hidden if it does not.
///
/// A *place* is the number of a block among all blocks of all zones: zone * (blocks of a zone) +
/// block in the zone. A distance other than 0 is added to the place of the moved block before; for
/// the first moved block it is added to 0.
///
/// A volume is stored as UUID, kind (1 byte; 0: writable, 1: snapshot, 2, only with the feature of
/// accounts: the hidden stage of a copy of differences or a draft; 3, only with the feature of
/// journals: hidden), size in bytes, flag: has an origin, the origin's UUID (16 zeros if it has
/// none), flag: reserved, time of creation in milliseconds since 1970, and a list of attributes,
/// each a name and a value.
///
/// All that ends at or before a cursor has been released; nodes above may still name it.
public final class Chunk {

  /// Bytes before the tables' bytes, as this code writes it.
  public static final int HEADER = 80;

  private static final int HEADER_WITHOUT_TWINS = 72;

  private Chunk() {}

  /// The location of a chunk.
  ///
  /// @param self device offset
  /// @param twin that of its second copy, byte for byte the same; 0 for none
  public record Place(long self, long twin) {}

  /// Bytes before the tables' bytes in a pool of these features.
  public static int header(Superblock.Features features) {
    return features.hasTwins() ? HEADER : HEADER_WITHOUT_TWINS;
  }

  /// Writes the chunk, with twins, at bytes 0 on and returns where and what it is.
  public static Superblock.Root encode(
      ByteBuffer out, UUID pool, Place place, Superblock.Root before, int number, byte[] bytes) {
    out.putLong(48, before.offset());
    out.putInt(56, before.length());
    out.putInt(60, before.crc());
    out.putInt(64, number);
    out.putInt(68, bytes.length);
    out.putLong(72, before.twin());
    out.put(HEADER, bytes);
    int length = HEADER + bytes.length;
    int crc = StructureHeader.seal(out, StructureHeader.CHUNK, pool, place.self, length);
    return new Superblock.Root(place.self, length, crc, place.twin);
  }

  /// @throws FormatException if the bytes are not the chunk that `what` says
  public static void check(
      ByteBuffer in, UUID pool, Superblock.Features features, Superblock.Root what) {
    if (what.length() < header(features)
        || what.length() > in.limit()
        || !StructureHeader.isIntact(in, StructureHeader.CHUNK, pool, what.offset())
        || StructureHeader.crcOf(in) != what.crc()
        || StructureHeader.lengthOf(in) != what.length()
        || in.getInt(68) != what.length() - header(features)) {
      throw new FormatException(
          "expected an intact piece of the checkpoint at offset %d, found none"
              .formatted(what.offset()));
    }
  }

  /// The chunk before a checked one.
  public static Superblock.Root before(ByteBuffer in, Superblock.Features features) {
    return new Superblock.Root(
        in.getLong(48), in.getInt(56), in.getInt(60), features.hasTwins() ? in.getLong(72) : 0);
  }

  public static int number(ByteBuffer in) {
    return in.getInt(64);
  }

  /// The bytes of tables of a checked chunk.
  public static byte[] bytes(ByteBuffer in, Superblock.Features features) {
    byte[] bytes = new byte[in.getInt(68)];
    in.get(header(features), bytes);
    return bytes;
  }
}
