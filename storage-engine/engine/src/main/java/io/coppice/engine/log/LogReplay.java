package io.coppice.engine.log;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.LogRecord;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Reads the log from a checkpoint on.
///
/// What a crash leaves: batches up to some number, each stable before the next was written, then
/// perhaps one that is torn. The torn one was never acknowledged and is dropped. A batch that does
/// not read, but is followed by one, was acknowledged: that is damage, and nothing is cut off.
public final class LogReplay {

  private static final int WINDOW = 1 << 20;

  private final BlockDevice device;
  private final UUID pool;
  private final int zoneSize;
  private final int zones;
  private final ByteBuffer window = AlignedBuffers.allocate(WINDOW);
  private final Checksum checksum = new Checksum();
  private long windowAt = -1;
  private int windowLength;

  /// Receives what the log says.
  public interface Consumer {

    /// The next batch, with its records in order. It may be kept.
    void batch(Content content);
  }

  /// A batch.
  ///
  /// @param block where it stands in its segment
  public record Content(BatchHeader header, int block, List<LogRecord> records) {

    /// Address of a block of the payload.
    public long addressOf(int payload) {
      return Batch.address(header.place().segment(), block, header.headerBlocks(), payload);
    }

    /// Place of a block of the payload: its number among all blocks of all zones.
    public long placeOf(int payload, int blocksPerZone) {
      long zone = header.place().zone();
      return zone * blocksPerZone + block + header.headerBlocks() + payload;
    }
  }

  private record Found(Content content, int crc) {}

  public LogReplay(BlockDevice device, UUID pool, int zoneSize, int zones) {
    this.device = device;
    this.pool = pool;
    this.zoneSize = zoneSize;
    this.zones = zones;
  }

  /// Hands every stable batch from `start` on to `consumer`.
  ///
  /// @return where the log goes on
  /// @throws StorageException.Damaged if an acknowledged batch does not read
  public LogPosition run(LogPosition start, Consumer consumer) {
    if (!isInside(start.zone(), Math.min(start.block(), blocksPerZone() - 1))
        || start.nextZone() >= zones) {
      throw new StorageException.Damaged(
          "Expected a log that begins in one of %d zones, found %s.".formatted(zones, start));
    }
    LogPosition at = start;
    Found found = find(at);
    while (found != null) {
      LogPosition after = after(found);
      Found next = find(after);
      if (next == null && !payloadIsIntact(found.content)) {
        break;
      }
      consumer.batch(found.content);
      at = after;
      found = next;
    }
    refuseDamage(at);
    return at;
  }

  private static LogPosition after(Found found) {
    BatchHeader header = found.content.header;
    BatchHeader.Place place = header.place();
    return new LogPosition(
        header.seq() + 1,
        place.zone(),
        place.segment(),
        found.content.block + header.headerBlocks() + header.payloadBlocks(),
        found.crc,
        place.nextZone(),
        place.nextSegment());
  }

  /// Wipes the head of a torn batch at the end, in both places where it may stand; stable on
  /// return.
  ///
  /// Must come before the log goes on. The next batch has the torn one's number and predecessor,
  /// and may be written in the other place: left where it is, the torn head would be found in its
  /// stead by the next recovery. A crash before or in here leaves the torn batch for that one to
  /// drop.
  public void wipeTorn(LogPosition end) {
    wipe(end.zone(), end.block());
    wipe(end.nextZone(), 0);
  }

  private void wipe(int zone, int block) {
    if (!isInside(zone, block)) {
      return;
    }
    long offset = offsetOf(zone, block);
    if (StructureHeader.looksLike(
        view(offset, PoolLayout.BLOCK), StructureHeader.BATCH, pool, offset)) {
      device.writeStable(offset, List.of(AlignedBuffers.allocate(PoolLayout.BLOCK)));
      windowAt = -1;
    }
  }

  private @Nullable Found find(LogPosition at) {
    Found here = read(at, at.zone(), at.segment(), at.block());
    if (here != null || at.nextZone() < 0) {
      return here;
    }
    return read(at, at.nextZone(), at.nextSegment(), 0);
  }

  private @Nullable Found read(LogPosition at, int zone, int segment, int block) {
    if (!isInside(zone, block)) {
      return null;
    }
    ByteBuffer header = headerAt(zone, block);
    if (header == null) {
      return null;
    }
    BatchHeader batch = BatchHeader.decode(header);
    if (batch.seq() != at.seq()
        || batch.previousCrc() != at.previousCrc()
        || batch.place().zone() != zone
        || batch.place().segment() != segment
        || batch.headerBlocks() != header.limit() / PoolLayout.BLOCK
        || batch.payloadBlocks() < 0
        || batch.payloadBlocks() > blocksPerZone() - block - batch.headerBlocks()) {
      return null;
    }
    return new Found(
        new Content(batch, block, records(batch, header)), StructureHeader.crcOf(header));
  }

  private List<LogRecord> records(BatchHeader batch, ByteBuffer header) {
    List<LogRecord> records = new ArrayList<>();
    header.position(BatchHeader.LENGTH);
    try {
      for (int i = 0; i < batch.records(); i++) {
        LogRecord record = LogRecord.decode(header);
        checkPayload(record, batch.payloadBlocks());
        records.add(record);
      }
    } catch (FormatException e) {
      throw new StorageException.Damaged("Batch %d: %s".formatted(batch.seq(), e.getMessage()));
    }
    return records;
  }

  private static void checkPayload(LogRecord record, int payloadBlocks) {
    boolean inside =
        switch (record) {
          case LogRecord.Write write ->
              write.payloadBlock() >= 0
                  && write.payloadBlock() <= payloadBlocks - write.crcs().length;
          case LogRecord.Fill fill ->
              fill.payloadBlock() >= 0 && fill.payloadBlock() < payloadBlocks;
          case LogRecord.Relocate moved ->
              moved.payloadBlock() >= 0
                  && moved.payloadBlock() <= payloadBlocks - moved.crcs().length;
          case LogRecord.Unmap _,
              LogRecord.Copy _,
              LogRecord.ChangePiece _,
              LogRecord.Moved _ -> // stable before its record was written
              true;
        };
    if (!inside) {
      throw new FormatException(
          "expected its data in a payload of %d blocks, found %s".formatted(payloadBlocks, record));
    }
  }

  private boolean isInside(int zone, int block) {
    return zone >= 0 && zone < zones && block >= 0 && block < blocksPerZone();
  }

  /// The intact batch header at this place, or null.
  private @Nullable ByteBuffer headerAt(int zone, int block) {
    long offset = offsetOf(zone, block);
    ByteBuffer first = view(offset, PoolLayout.BLOCK);
    if (!StructureHeader.looksLike(first, StructureHeader.BATCH, pool, offset)) {
      return null;
    }
    int length = StructureHeader.lengthOf(first);
    if (length % PoolLayout.BLOCK != 0
        || length > Batch.MAX_HEADER
        || block + length / PoolLayout.BLOCK > blocksPerZone()) {
      return null;
    }
    ByteBuffer whole = view(offset, length);
    return StructureHeader.isIntact(whole, StructureHeader.BATCH, pool, offset) ? whole : null;
  }

  private boolean payloadIsIntact(Content content) {
    for (LogRecord record : content.records) {
      boolean intact =
          switch (record) {
            case LogRecord.Write write -> {
              boolean all = true;
              for (int i = 0; i < write.crcs().length && all; i++) {
                all = blockIsIntact(content, write.payloadBlock() + i, write.crcs()[i]);
              }
              yield all;
            }
            case LogRecord.Fill fill -> blockIsIntact(content, fill.payloadBlock(), fill.crc());
            case LogRecord.Relocate relocate -> {
              boolean all = true;
              for (int i = 0; i < relocate.crcs().length && all; i++) {
                all = blockIsIntact(content, relocate.payloadBlock() + i, relocate.crcs()[i]);
              }
              yield all;
            }
            case LogRecord.Unmap _,
                LogRecord.Copy _,
                LogRecord.ChangePiece _,
                LogRecord.Moved _ -> // stable before its record was written
                true;
          };
      if (!intact) {
        return false;
      }
    }
    return true;
  }

  private boolean blockIsIntact(Content content, int payload, int crc) {
    int block = BlockAddress.block(content.addressOf(payload));
    ByteBuffer bytes = view(offsetOf(content.header.place().zone(), block), PoolLayout.BLOCK);
    return checksum.of(bytes, 0, PoolLayout.BLOCK) == crc;
  }

  /// Looks behind the end for a batch that was written after the one missing there.
  private void refuseDamage(LogPosition end) {
    refuseDamage(end, end.zone(), end.block());
    refuseDamage(end, end.nextZone(), 0);
  }

  private void refuseDamage(LogPosition end, int zone, int fromBlock) {
    for (int block = fromBlock; isInside(zone, block); block++) {
      ByteBuffer header = headerAt(zone, block);
      if (header != null) {
        BatchHeader batch = BatchHeader.decode(header);
        if (batch.seq() > end.seq() && batch.committedSeq() >= end.seq()) {
          throw new StorageException.Damaged(
              "Expected batch %d of the log in zone %d, found it damaged although batch %d follows."
                  .formatted(end.seq(), end.zone(), batch.seq()));
        }
      }
    }
  }

  private long offsetOf(int zone, int block) {
    return PoolLayout.zoneOffset(zone, zoneSize) + (long) block * PoolLayout.BLOCK;
  }

  private int blocksPerZone() {
    return zoneSize / PoolLayout.BLOCK;
  }

  /// Bytes of the device, through the window; valid until the next call.
  private ByteBuffer view(long offset, int length) {
    if (offset < windowAt || windowAt < 0 || offset + length > windowAt + windowLength) {
      windowAt = offset;
      windowLength = (int) Math.min(WINDOW, device.sizeInBytes() - offset);
      device.read(offset, window.clear().limit(windowLength));
      window.clear();
    }
    return window.slice((int) (offset - windowAt), length).order(java.nio.ByteOrder.LITTLE_ENDIAN);
  }
}
