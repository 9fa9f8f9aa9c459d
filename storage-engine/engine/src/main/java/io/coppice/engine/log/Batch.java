package io.coppice.engine.log;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.LogRecord;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The batch being built: header with records, and payload, in memory fit for the device.
///
/// The device gathers both: the header, which grows with each record, and the payload. Small pieces
/// of payload are copied here, so that their owners' memory need not be fit for the device. Large
/// fit pieces stay where they are until the batch is stable.
public final class Batch {

  static final int MAX_HEADER = 64 << 10;
  static final int MAX_PAYLOAD = 4 << 20;
  private static final int MAX_STAGED = 1 << 20;
  private static final int MAX_CHANGE_PIECE = 32 << 10;

  private final ByteBuffer header = AlignedBuffers.allocate(MAX_HEADER);
  private final ByteBuffer headerView = header.duplicate();
  private final ByteBuffer staging = AlignedBuffers.allocate(MAX_STAGED);
  private final List<ByteBuffer> image = new ArrayList<>();
  private final List<ByteBuffer> runs = new ArrayList<>(); // views of `staging`, used again
  private final Checksum checksum = new Checksum();

  private int limitBlocks;
  private int payloadBlocks;
  private int stagedBlocks;
  private int usedRuns;
  private boolean runIsOpen; // the last buffer of the image is the last run
  private int records;
  private boolean openEnded;

  /// Starts over, for at most `limitBlocks` blocks of header and payload together.
  void begin(int limitBlocks) {
    this.limitBlocks = limitBlocks;
    header.clear().position(BatchHeader.LENGTH);
    payloadBlocks = 0;
    stagedBlocks = 0;
    usedRuns = 0;
    runIsOpen = false;
    image.clear();
    image.add(headerView);
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

  private int payloadRoom() {
    return MAX_PAYLOAD / PoolLayout.BLOCK - payloadBlocks;
  }

  private int stagingRoom() {
    return Math.min(payloadRoom(), MAX_STAGED / PoolLayout.BLOCK - stagedBlocks);
  }

  /// Number of the remaining blocks of a write that a WRITE record may still carry.
  int roomForWrite(Payload payload) {
    int room = Math.min(payload.left(), roomFor(payload));
    while (room > 0 && !fits(LogRecord.writeLength(room), room)) {
      room--;
    }
    return room;
  }

  private int roomFor(Payload payload) {
    return payload.isGathered() ? payloadRoom() : stagingRoom();
  }

  /// Whether the rest of a write would fit if the zone went on. A command may be cut where a zone
  /// ends, so that no tail of it is lost, but not for want of room in one batch.
  boolean isShortOfZone(Payload payload) {
    return payload.left() <= roomFor(payload)
        && header.position() + LogRecord.writeLength(payload.left()) <= MAX_HEADER;
  }

  private boolean fits(int recordBytes, int blocks) {
    int headerBytes = header.position() + recordBytes;
    return headerBytes <= MAX_HEADER
        && PoolLayout.blocksFor(headerBytes) + payloadBlocks + blocks <= limitBlocks;
  }

  /// Adds a WRITE record that [#roomForWrite] has room for.
  ///
  /// @param flags of the record
  /// @param from the rest of the write; the first `blocks` of it are taken
  /// @return index of the first block in the payload
  int write(int volume, long first, int blocks, int flags, Payload from) {
    int payload = payloadBlocks;
    if (from.isGathered()) {
      gather(from.bytes(), from.at(), blocks);
    } else {
      stage(from.bytes(), from.at(), blocks);
    }
    LogRecord.beginWrite(header, volume, first, blocks, payload, flags);
    for (int i = 0; i < blocks; i++) {
      header.putInt(from.crc(from.done() + i));
    }
    LogRecord.endWrite(header, blocks);
    added((flags & LogRecord.MORE) != 0);
    return payload;
  }

  /// Adds a FILL record with its block, if there is room.
  ///
  /// @return index of the block in the payload, or -1 if there is no room
  public int fill(int volume, long first, int blocks, ByteBuffer block) {
    if (!fits(LogRecord.SHORT_LENGTH, 1) || stagingRoom() == 0) {
      return -1;
    }
    int payload = payloadBlocks;
    stage(block, block.position(), 1);
    LogRecord.putFill(header, volume, first, blocks, payload, crcOfStaged(stagedBlocks - 1));
    added(false);
    return payload;
  }

  /// Number of the `wanted` blocks that a RELOCATE record may carry.
  int roomForRelocate(int wanted) {
    int room = Math.min(wanted, stagingRoom());
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
    int staged = stagedBlocks;
    contents.forEach(content -> stage(content, content.position(), 1));
    int[] crcs = new int[blocks.length];
    Arrays.setAll(crcs, i -> crcOfStaged(staged + i));
    LogRecord.putRelocate(header, segment, payload, blocks, crcs);
    added(false);
    return payload;
  }

  /// Whether there is room for records of this many bytes without payload.
  boolean hasRoom(int recordBytes) {
    return fits(recordBytes, 0);
  }

  /// Adds a MOVED record that [#hasRoom] has room for.
  ///
  /// @param first block of the zone of survivors at which the run begins
  /// @param run blocks of one segment, ascending
  void moved(SurvivorRoom room, int first, List<ZoneBlock> run) {
    LogRecord.putMoved(
        header,
        new LogRecord.Moved(
            run.getFirst().segment(),
            room.zone(),
            room.segment(),
            first,
            run.stream().mapToInt(ZoneBlock::block).toArray(),
            run.stream().mapToInt(ZoneBlock::crc).toArray()));
    added(false);
  }

  /// Whether there is room for this many UNMAP records.
  public boolean hasRoomForUnmaps(int count) {
    return hasRoom(count * LogRecord.SHORT_LENGTH);
  }

  /// Adds an UNMAP record, if there is room.
  public boolean unmap(int volume, long first, long blocks) {
    if (!fits(LogRecord.SHORT_LENGTH, 0)) {
      return false;
    }
    LogRecord.putUnmap(header, volume, first, blocks);
    added(false);
    return true;
  }

  /// Adds a COPY record, if there is room.
  public boolean copy(int volume, long first, int source, long sourceFirst, int blocks) {
    if (!fits(LogRecord.COPY_LENGTH, 0)) {
      return false;
    }
    LogRecord.putCopy(header, volume, first, source, sourceFirst, blocks);
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
    LogRecord.putChange(header, bytes, from, piece, flags);
    added(more);
    return piece;
  }

  private void added(boolean more) {
    records++;
    openEnded = more;
  }

  /// Takes the blocks where they are.
  private void gather(ByteBuffer from, int at, int blocks) {
    image.add(from.slice(at, blocks * PoolLayout.BLOCK));
    payloadBlocks += blocks;
    runIsOpen = false;
  }

  /// Copies the blocks.
  private void stage(ByteBuffer from, int first, int blocks) {
    int at = stagedBlocks * PoolLayout.BLOCK;
    int bytes = blocks * PoolLayout.BLOCK;
    staging.put(at, from, first, bytes);
    if (!runIsOpen) {
      if (usedRuns == runs.size()) {
        runs.add(staging.duplicate());
      }
      image.add(runs.get(usedRuns++).limit(at).position(at));
      runIsOpen = true;
    }
    image.getLast().limit(at + bytes);
    stagedBlocks += blocks;
    payloadBlocks += blocks;
  }

  private int crcOfStaged(int block) {
    return checksum.of(staging, block * PoolLayout.BLOCK, PoolLayout.BLOCK);
  }

  /// The header, zero up to whole blocks, for its last fields and its seal.
  ByteBuffer finishHeader() {
    while (header.position() % PoolLayout.BLOCK != 0) {
      header.put((byte) 0);
    }
    return header;
  }

  /// Header and payload for the device, one after the other; to be written once.
  List<ByteBuffer> image() {
    headerView.limit(header.position()).position(0);
    return image;
  }

  /// Address of a block of the payload of a batch at `block` of `segment`.
  static long address(int segment, int block, int headerBlocks, int payload) {
    return BlockAddress.of(segment, block + headerBlocks + payload, 1);
  }
}
