package io.coppice.engine.log;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.LogRecord;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;
import java.util.List;

/// The batch being built: header with records, and payload, in memory fit for the device.
///
/// The header grows as records come; payload stands at a fixed place behind the most header there
/// can be, and the finished header is moved right before it, so that one write takes both.
public final class Batch {

  static final int MAX_HEADER = 64 << 10;
  static final int MAX_PAYLOAD = 1 << 20;
  private static final int MAX_CHANGE_PIECE = 32 << 10;

  private final ByteBuffer header = AlignedBuffers.allocate(MAX_HEADER);
  private final ByteBuffer staging = AlignedBuffers.allocate(MAX_HEADER + MAX_PAYLOAD);
  private final Checksum checksum = new Checksum();

  private int limitBlocks;
  private int payloadBlocks;
  private int records;
  private boolean openEnded;

  /// Starts over, for at most `limitBlocks` blocks of header and payload together.
  void begin(int limitBlocks) {
    this.limitBlocks = limitBlocks;
    header.clear().position(BatchHeader.LENGTH);
    payloadBlocks = 0;
    records = 0;
    openEnded = false;
  }

  boolean isEmpty() {
    return records == 0;
  }

  int records() {
    return records;
  }

  int payloadBlocks() {
    return payloadBlocks;
  }

  int headerBlocks() {
    return PoolLayout.blocksFor(header.position());
  }

  /// Whether the last record announced another one.
  boolean isOpenEnded() {
    return openEnded;
  }

  /// How many of `wanted` blocks a WRITE record may still carry.
  int roomForWrite(int wanted) {
    int room = Math.min(wanted, MAX_PAYLOAD / PoolLayout.BLOCK - payloadBlocks);
    while (room > 0 && !fits(LogRecord.writeLength(room), room)) {
      room--;
    }
    return room;
  }

  /// Whether `blocks` blocks would fit if the zone went on: a command may be cut where a zone ends,
  /// so that no tail of it is lost, but not for want of room in one batch.
  boolean isShortOfZone(int blocks) {
    return payloadBlocks + blocks <= MAX_PAYLOAD / PoolLayout.BLOCK
        && header.position() + LogRecord.writeLength(blocks) <= MAX_HEADER;
  }

  private boolean fits(int recordBytes, int blocks) {
    int headerBytes = header.position() + recordBytes;
    return headerBytes <= MAX_HEADER
        && PoolLayout.blocksFor(headerBytes) + payloadBlocks + blocks <= limitBlocks;
  }

  /// Adds a WRITE record that [#roomForWrite] has room for.
  ///
  /// @param flags of the record
  /// @param from whole blocks, taken from its position
  /// @param crcs receives the CRC of each block from index `at` on
  /// @return index of the first block in the payload
  public int write(int volume, long first, int blocks, int flags, ByteBuffer from, Crcs crcs) {
    int payload = payloadBlocks;
    stage(from, blocks);
    LogRecord.begin(header, LogRecord.WRITE, flags, LogRecord.writeLength(blocks));
    header.putInt(volume).putInt(blocks).putLong(first).putInt(payload).putInt(0);
    for (int i = 0; i < blocks; i++) {
      int crc = crcOfPayload(payload + i);
      crcs.crcs[crcs.at + i] = crc;
      header.putInt(crc);
    }
    if (blocks % 2 == 1) {
      header.putInt(0);
    }
    added((flags & LogRecord.MORE) != 0);
    return payload;
  }

  /// Where the CRCs of a write go.
  public record Crcs(int[] crcs, int at) {}

  /// Adds a FILL record with its block, if there is room.
  ///
  /// @return index of the block in the payload, or -1 if there is no room
  public int fill(int volume, long first, int blocks, ByteBuffer block) {
    if (!fits(LogRecord.SHORT_LENGTH, 1) || payloadBlocks == MAX_PAYLOAD / PoolLayout.BLOCK) {
      return -1;
    }
    int payload = payloadBlocks;
    stage(block, 1);
    LogRecord.begin(header, LogRecord.FILL, 0, LogRecord.SHORT_LENGTH);
    header.putInt(volume).putInt(blocks).putLong(first).putInt(payload);
    header.putInt(crcOfPayload(payload));
    added(false);
    return payload;
  }

  /// How many of `wanted` blocks a RELOCATE record may carry.
  int roomForRelocate(int wanted) {
    int room = Math.min(wanted, MAX_PAYLOAD / PoolLayout.BLOCK - payloadBlocks);
    while (room > 0 && !fits(LogRecord.relocateLength(room), room)) {
      room--;
    }
    return room;
  }

  /// Adds a RELOCATE record that [#roomForRelocate] has room for.
  ///
  /// @param blocks of the segment, ascending
  /// @param contents of each block, 4 KiB from its position
  /// @return index of the first block in the payload
  int relocate(int segment, int[] blocks, List<ByteBuffer> contents) {
    int payload = payloadBlocks;
    contents.forEach(content -> stage(content.duplicate(), 1));
    LogRecord.begin(header, LogRecord.RELOCATE, 0, LogRecord.relocateLength(blocks.length));
    header.putInt(segment).putInt(blocks.length).putInt(payload).putInt(0);
    for (int block : blocks) {
      header.putInt(block);
    }
    for (int i = 0; i < blocks.length; i++) {
      header.putInt(crcOfPayload(payload + i));
    }
    added(false);
    return payload;
  }

  /// Adds an UNMAP record, if there is room.
  public boolean unmap(int volume, long first, long blocks) {
    if (!fits(LogRecord.SHORT_LENGTH, 0)) {
      return false;
    }
    LogRecord.begin(header, LogRecord.UNMAP, 0, LogRecord.SHORT_LENGTH);
    header.putInt(volume).putInt(0).putLong(first).putLong(blocks);
    added(false);
    return true;
  }

  /// Adds a COPY record, if there is room.
  public boolean copy(int volume, long first, int source, long sourceFirst, int blocks) {
    if (!fits(LogRecord.COPY_LENGTH, 0)) {
      return false;
    }
    LogRecord.begin(header, LogRecord.COPY, 0, LogRecord.COPY_LENGTH);
    header.putInt(volume).putInt(source).putLong(first).putLong(sourceFirst);
    header.putInt(blocks).putInt(0);
    added(false);
    return true;
  }

  /// Adds as much of a change, from byte `from` on, as there is room for.
  ///
  /// @return bytes added, 0 if there is no room
  public int change(byte[] bytes, int from) {
    int piece = Math.min(bytes.length - from, MAX_CHANGE_PIECE);
    while (piece > 0 && !fits(LogRecord.changeLength(piece), 0)) {
      piece = piece > 512 ? piece - 512 : 0;
    }
    if (piece == 0) {
      return 0;
    }
    boolean more = from + piece < bytes.length;
    int flags = (more ? LogRecord.MORE : 0) | (from > 0 ? LogRecord.CONTINUES : 0);
    int end = header.position() + LogRecord.changeLength(piece);
    LogRecord.begin(header, LogRecord.CHANGE, flags, LogRecord.changeLength(piece));
    header.putInt(piece).putInt(0).put(bytes, from, piece);
    while (header.position() < end) {
      header.put((byte) 0);
    }
    added(more);
    return piece;
  }

  private void added(boolean more) {
    records++;
    openEnded = more;
  }

  private void stage(ByteBuffer from, int blocks) {
    int at = MAX_HEADER + payloadBlocks * PoolLayout.BLOCK;
    staging.put(at, from, from.position(), blocks * PoolLayout.BLOCK);
    from.position(from.position() + blocks * PoolLayout.BLOCK);
    payloadBlocks += blocks;
  }

  private int crcOfPayload(int block) {
    return checksum.of(staging, MAX_HEADER + block * PoolLayout.BLOCK, PoolLayout.BLOCK);
  }

  /// The header, zero up to whole blocks, for its last fields and its seal.
  ByteBuffer finishHeader() {
    while (header.position() % PoolLayout.BLOCK != 0) {
      header.put((byte) 0);
    }
    return header;
  }

  /// Header and payload as one run for the device.
  ByteBuffer image() {
    int headerBytes = header.position();
    int start = MAX_HEADER - headerBytes;
    staging.put(start, header, 0, headerBytes);
    return staging.slice(start, headerBytes + payloadBlocks * PoolLayout.BLOCK);
  }

  /// Address of a block of the payload of a batch at `block` of `segment`.
  static long address(int segment, int block, int headerBlocks, int payload) {
    return BlockAddress.of(segment, block + headerBlocks + payload, 1);
  }
}
