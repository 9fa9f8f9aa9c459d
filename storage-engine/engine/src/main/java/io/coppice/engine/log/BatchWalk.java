package io.coppice.engine.log;

import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.LogRecord;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A walk from batch to batch in one zone of the log, or from piece to piece in a zone of
/// survivors. It ends at the first header that cannot be read or does not follow; nothing tells
/// what lies behind it.
final class BatchWalk {

  private final UUID pool;
  private final int zoneSize;
  private final Blocks bytes;

  private int zone;
  private int segment;
  private int limit;
  private int at;
  private @Nullable BatchHeader before;
  private int crcBefore;
  private long magic;

  /// The bytes of the zone.
  interface Blocks {
    /// Little-endian; valid until the next call.
    ByteBuffer at(int first, int count);

    /// Takes these blocks from another copy from now on.
    ///
    /// @return false if there is none
    default boolean useOther(int first, int count) {
      return false;
    }
  }

  /// A batch whose header is whole.
  ///
  /// @param at its first block in the zone
  /// @param blocks that were stored with it, by its records
  /// @param crc of its header
  record Found(BatchHeader batch, int at, List<Stored> blocks, int crc) {

    /// First block of the payload in the zone.
    int payload() {
      return at + batch.headerBlocks();
    }
  }

  /// A block of a payload.
  ///
  /// @param segment and `block`: its address when it was stored
  /// @param payload its number in the payload
  record Stored(int segment, int block, int payload, int crc) {}

  BatchWalk(UUID pool, int zoneSize, Blocks bytes) {
    this.pool = pool;
    this.zoneSize = zoneSize;
    this.bytes = bytes;
  }

  /// Begins at a block of a zone.
  ///
  /// @param limit block of the zone from which on nothing begins
  void enter(int zone, int segment, int block, int limit) {
    this.zone = zone;
    this.segment = segment;
    this.limit = limit;
    at = block;
    before = null;
  }

  /// Goes on at the position of another walk.
  void goOn(BatchWalk from) {
    zone = from.zone;
    segment = from.segment;
    limit = from.limit;
    at = from.at;
    before = from.before;
    crcBefore = from.crcBefore;
    magic = from.magic;
  }

  /// Goes on at the start of the next zone.
  void goOnIn(int zone, int segment, int limit) {
    this.zone = zone;
    this.segment = segment;
    this.limit = limit;
    at = 0;
  }

  /// Where the next batch should stand: its block in the zone.
  int position() {
    return at;
  }

  /// The next batch, absent at the end.
  @Nullable Found next() {
    Found found = look();
    int most = Math.min(limit - at, Batch.MAX_HEADER / PoolLayout.BLOCK);
    return found == null && most > 0 && bytes.useOther(at, most) ? look() : found;
  }

  private @Nullable Found look() {
    ByteBuffer header = header();
    if (header == null) {
      return null;
    }
    BatchHeader batch = BatchHeader.decode(header);
    BatchHeader last = before;
    boolean follows =
        last == null || (batch.seq() == last.seq() + 1 && batch.previousCrc() == crcBefore);
    if (!follows
        || batch.place().segment() != segment
        || batch.place().zone() != zone
        || batch.headerBlocks() != header.limit() / PoolLayout.BLOCK
        || batch.payloadBlocks() < 0
        || batch.payloadBlocks() > Batch.MAX_PAYLOAD / PoolLayout.BLOCK
        || at + batch.headerBlocks() + batch.payloadBlocks() > limit) {
      return null;
    }
    List<Stored> blocks = blocks(batch, header);
    if (blocks == null) {
      return null;
    }
    Found found = new Found(batch, at, blocks, StructureHeader.crcOf(header));
    before = batch;
    crcBefore = found.crc;
    at += batch.headerBlocks() + batch.payloadBlocks();
    return found;
  }

  private @Nullable ByteBuffer header() {
    if (at >= limit) {
      return null;
    }
    long offset = PoolLayout.zoneOffset(zone, zoneSize) + (long) at * PoolLayout.BLOCK;
    ByteBuffer first = bytes.at(at, 1);
    if (before == null) { // what the zone begins with, it is
      boolean survivors = StructureHeader.looksLike(first, StructureHeader.SURVIVORS, pool, offset);
      magic = survivors ? StructureHeader.SURVIVORS : StructureHeader.BATCH;
    }
    if (!StructureHeader.looksLike(first, magic, pool, offset)) {
      return null;
    }
    int length = StructureHeader.lengthOf(first);
    int blocks = length / PoolLayout.BLOCK;
    if (length % PoolLayout.BLOCK != 0 || length > Batch.MAX_HEADER || at + blocks > limit) {
      return null;
    }
    ByteBuffer whole = bytes.at(at, blocks);
    return StructureHeader.isIntact(whole, magic, pool, offset) ? whole : null;
  }

  /// Absent if the records cannot be read, or name blocks that the batch does not have.
  private @Nullable List<Stored> blocks(BatchHeader batch, ByteBuffer header) {
    List<Stored> into = new ArrayList<>(batch.payloadBlocks());
    int home = at + batch.headerBlocks();
    header.position(BatchHeader.LENGTH);
    try {
      for (int i = 0; i < batch.records(); i++) {
        switch (LogRecord.decode(header)) {
          case LogRecord.Write write -> {
            for (int k = 0; k < write.crcs().length; k++) {
              int payload = write.payloadBlock() + k;
              into.add(new Stored(segment, home + payload, payload, write.crcs()[k]));
            }
          }
          case LogRecord.Fill fill ->
              into.add(
                  new Stored(segment, home + fill.payloadBlock(), fill.payloadBlock(), fill.crc()));
          case LogRecord.Relocate moved -> {
            for (int k = 0; k < moved.crcs().length; k++) {
              into.add(
                  new Stored(
                      moved.segment(),
                      moved.blocks()[k],
                      moved.payloadBlock() + k,
                      moved.crcs()[k]));
            }
          }
          case LogRecord.Unmap _, LogRecord.Copy _, LogRecord.ChangePiece _, LogRecord.Moved _ -> {}
        }
      }
    } catch (FormatException | IndexOutOfBoundsException e) {
      return null;
    }
    for (Stored stored : into) {
      if (stored.payload < 0 || stored.payload >= batch.payloadBlocks()) {
        return null;
      }
    }
    return into;
  }
}
