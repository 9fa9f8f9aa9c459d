package io.coppice.engine.log;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
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

/// A reading of the log from a checkpoint on.
///
/// What a crash leaves: batches up to some number, each stable before the next was written, then
/// perhaps one that is torn. The torn one was never acknowledged and is dropped. An unreadable
/// batch that another one follows was acknowledged: that is damage, and nothing is cut off.
///
/// *On two devices* a batch was acknowledged when it was stable on both. So each but the last one
/// is on both, and counts if it can be read on either: on the other device it is damaged. The last
/// one may be whole on one device only, or in part on each. If all of it can be had from either, it
/// may have been acknowledged, and is kept. If not, it was not, and is dropped on both. A kept
/// batch is stored again where it is missing, stable before anything follows it ([#settle]).
/// Otherwise the later loss of a device could take a batch that others have built on. Only verified
/// bytes are written, to the places that hold them. A crash meanwhile leaves the last batch as
/// before, whole on one device.
///
/// *A device that does not hold everything* may still have a header that the other one has lost. It
/// may also have the header of a batch with the same number that never counted. So its header is
/// taken only if a header on the other device names it as the one before, by its checksum. A block
/// of the last batch is named by that batch, and so may also come from there.
public final class LogReplay {

  /// Most damaged headers that are stored anew at once; the scrubber mends the rest.
  private static final int MOST_MENDED = 256;

  private final BlockDevice device;
  private final int zoneSize;
  private final int zones;
  private final List<LogCopy> windows;
  private final List<LogCopy> reserves;
  private final Checksum checksum = new Checksum();
  private final List<Anew> anew = new ArrayList<>();
  private @Nullable Content last;

  /// Batches with lower numbers were named by a later one.
  private long namedBefore;

  /// The receiver of the log's content.
  public interface Consumer {

    /// The next batch, with its records in order. It may be kept.
    void batch(Content content);
  }

  /// A batch.
  ///
  /// @param block its first block in its segment
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

  /// Verified bytes, and a copy that has other bytes.
  private record Anew(BlockDevice.Copy copy, long offset, ByteBuffer bytes) {}

  public LogReplay(BlockDevice device, UUID pool, int zoneSize, int zones) {
    this.device = device;
    this.zoneSize = zoneSize;
    this.zones = zones;
    windows = device.copies().stream().map(copy -> new LogCopy(copy, pool, zoneSize)).toList();
    reserves = device.reserves().stream().map(copy -> new LogCopy(copy, pool, zoneSize)).toList();
  }

  /// Hands every stable batch from `start` on to `consumer`.
  ///
  /// @return where the log goes on
  /// @throws StorageException.Damaged if an acknowledged batch cannot be read
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
        refuseDamage(after); // it was not the last one if any follows
        break;
      }
      consumer.batch(found.content);
      last = found.content;
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

  /// Makes the end of the log the same on every device, and wipes the head of a torn batch there,
  /// in both places where it may stand; stable on return. The last batch is stored again as it was
  /// read. A failed write may have left it in a cache only, from which no sync writes it any more,
  /// and from now on it is acknowledged.
  ///
  /// Must come before the log goes on. The next batch has the torn one's number and predecessor,
  /// and may be written in the other place. If the torn head stayed, the next recovery would find
  /// it instead. A crash before or during this leaves the torn batch for that recovery to drop.
  ///
  /// @throws io.coppice.engine.device.DeviceException if the last device fails
  public void settle(LogPosition end) {
    Content kept = last;
    if (kept != null) {
      storeAnew(kept, verified(kept));
    }
    for (Anew damaged : anew) {
      try {
        damaged.copy.device().writeStable(damaged.offset, List.of(damaged.bytes));
      } catch (DeviceException e) {
        // It was left out of the mirror for that, and so counts for nothing.
        if (device.hasCopy(damaged.copy.number())) {
          throw e;
        }
      }
    }
    wipe(end.zone(), end.block());
    wipe(end.nextZone(), 0);
  }

  /// Wipes even without a visible head: a head may be in a cache only.
  private void wipe(int zone, int block) {
    if (isInside(zone, block)) {
      ByteBuffer nothing = AlignedBuffers.allocate(PoolLayout.BLOCK);
      device.writeStable(offsetOf(zone, block), List.of(nothing));
      windows.forEach(LogCopy::forget);
    }
  }

  private void storeAnew(Content kept, ByteBuffer whole) {
    long offset = offsetOf(kept.header.place().zone(), kept.block);
    for (LogCopy window : windows) {
      anew.add(new Anew(window.copy(), offset, whole.duplicate()));
    }
  }

  /// Header and payload of the last batch, each block from an intact copy.
  private ByteBuffer verified(Content kept) {
    int zone = kept.header.place().zone();
    int headerBlocks = kept.header.headerBlocks();
    int blocks = headerBlocks + kept.header.payloadBlocks();
    ByteBuffer whole = AlignedBuffers.allocate(blocks * PoolLayout.BLOCK);
    for (LogCopy window : windows) {
      ByteBuffer header = window.headerAt(zone, kept.block);
      if (header != null && BatchHeader.decode(header).equals(kept.header)) {
        whole.put(0, header, 0, headerBlocks * PoolLayout.BLOCK);
      }
    }
    for (int i = 0; i < kept.header.payloadBlocks(); i++) {
      // A block that no record names may have any content.
      ByteBuffer block =
          windows
              .getFirst()
              .tryView(offsetOf(zone, kept.block + headerBlocks + i), PoolLayout.BLOCK);
      if (block != null) {
        whole.put((headerBlocks + i) * PoolLayout.BLOCK, block, 0, PoolLayout.BLOCK);
      }
    }
    int home = headerBlocks;
    eachBlock(
        kept,
        (payload, crc) -> {
          ByteBuffer intact = intactBlock(kept, payload, crc);
          if (intact != null) {
            whole.put((home + payload) * PoolLayout.BLOCK, intact, 0, PoolLayout.BLOCK);
          }
          return true;
        });
    return whole;
  }

  private @Nullable Found find(LogPosition at) {
    DeviceException failure = null;
    try {
      Found found = find(at, windows);
      if (found != null) {
        return found;
      }
    } catch (DeviceException e) {
      failure = e;
    }
    Found found = findInReserve(at);
    if (found == null && failure != null) {
      throw failure;
    }
    return found;
  }

  private @Nullable Found findInReserve(LogPosition at) {
    Found found = reserves.isEmpty() ? null : find(at, reserves);
    if (found == null || (at.seq() >= namedBefore && !proveNamed(found))) {
      return null;
    }
    storeAnew(found.content);
    return found;
  }

  /// Follows the batches behind one, to see whether they lead to one on the device that counts, and
  /// notes how far they do.
  private boolean proveNamed(Found found) {
    Found last = found;
    while (last != null) {
      LogPosition next = after(last);
      try {
        if (find(next, windows) != null) {
          namedBefore = next.seq();
          return true;
        }
      } catch (DeviceException e) {
        // What cannot be read names nothing.
      }
      last = find(next, reserves);
    }
    return false;
  }

  private @Nullable Found find(LogPosition at, List<LogCopy> in) {
    Found here = read(in, at, at.zone(), at.segment(), at.block());
    if (here != null || at.nextZone() < 0) {
      return here;
    }
    return read(in, at, at.nextZone(), at.nextSegment(), 0);
  }

  private @Nullable Found read(List<LogCopy> in, LogPosition at, int zone, int segment, int block) {
    if (!isInside(zone, block)) {
      return null;
    }
    DeviceException failure = null;
    int failed = 0;
    for (int i = 0; i < in.size(); i++) {
      try {
        ByteBuffer header = in.get(i).headerAt(zone, block);
        if (header != null && isExpected(BatchHeader.decode(header), at, zone, segment, block)) {
          storeAnew(in.subList(0, i), zone, block, header);
          return found(header, block);
        }
      } catch (DeviceException e) {
        failure = e;
        failed++;
      }
    }
    if (failure != null && failed == in.size()) {
      throw failure;
    }
    return null;
  }

  private void storeAnew(Content fromReserve) {
    int zone = fromReserve.header.place().zone();
    for (LogCopy window : reserves) {
      ByteBuffer header = window.headerAt(zone, fromReserve.block);
      if (header != null && BatchHeader.decode(header).equals(fromReserve.header)) {
        storeAnew(windows, zone, fromReserve.block, header);
      }
    }
  }

  /// Stores a header anew in the copies where it cannot be read.
  private void storeAnew(List<LogCopy> damaged, int zone, int block, ByteBuffer header) {
    for (int i = 0; i < damaged.size() && anew.size() < MOST_MENDED; i++) {
      ByteBuffer kept = AlignedBuffers.allocate(header.limit()).put(0, header, 0, header.limit());
      anew.add(new Anew(damaged.get(i).copy(), offsetOf(zone, block), kept));
    }
  }

  private boolean isExpected(BatchHeader batch, LogPosition at, int zone, int segment, int block) {
    return batch.seq() == at.seq()
        && batch.previousCrc() == at.previousCrc()
        && batch.place().zone() == zone
        && batch.place().segment() == segment
        && batch.payloadBlocks() >= 0
        && batch.payloadBlocks() <= blocksPerZone() - block - batch.headerBlocks();
  }

  private Found found(ByteBuffer header, int block) {
    BatchHeader batch = BatchHeader.decode(header);
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

  private boolean payloadIsIntact(Content content) {
    return eachBlock(content, (payload, crc) -> intactBlock(content, payload, crc) != null);
  }

  /// The receiver of the blocks of payload that records reference.
  private interface PayloadBlock {
    /// @return whether to go on
    boolean take(int payload, int crc);
  }

  /// @return whether all of them were taken
  private static boolean eachBlock(Content content, PayloadBlock block) {
    boolean all = true;
    for (LogRecord record : content.records) {
      switch (record) {
        case LogRecord.Write write -> {
          for (int i = 0; i < write.crcs().length && all; i++) {
            all = block.take(write.payloadBlock() + i, write.crcs()[i]);
          }
        }
        case LogRecord.Fill fill -> all = all && block.take(fill.payloadBlock(), fill.crc());
        case LogRecord.Relocate relocate -> {
          for (int i = 0; i < relocate.crcs().length && all; i++) {
            all = block.take(relocate.payloadBlock() + i, relocate.crcs()[i]);
          }
        }
        case LogRecord.Unmap _,
            LogRecord.Copy _,
            LogRecord.ChangePiece _,
            LogRecord.Moved _ -> {} // stable before its record was written
      }
    }
    return all;
  }

  /// A block of a payload from the first intact copy, or null.
  private @Nullable ByteBuffer intactBlock(Content content, int payload, int crc) {
    int block = BlockAddress.block(content.addressOf(payload));
    long offset = offsetOf(content.header.place().zone(), block);
    DeviceException failure = null;
    List<LogCopy> all = new ArrayList<>(windows);
    all.addAll(reserves);
    for (LogCopy window : all) {
      try {
        ByteBuffer bytes = window.view(offset, PoolLayout.BLOCK);
        if (checksum.of(bytes, 0, PoolLayout.BLOCK) == crc) {
          return bytes;
        }
      } catch (DeviceException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  /// Looks behind the end for a batch that was written after the missing one.
  private void refuseDamage(LogPosition end) {
    refuseDamage(end, end.zone(), end.block());
    refuseDamage(end, end.nextZone(), 0);
  }

  private void refuseDamage(LogPosition end, int zone, int fromBlock) {
    for (LogCopy window : windows) {
      refuseDamage(end, window, zone, fromBlock);
    }
  }

  private void refuseDamage(LogPosition end, LogCopy window, int zone, int fromBlock) {
    for (int block = fromBlock; isInside(zone, block); block++) {
      ByteBuffer header = behind(window, zone, block);
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

  // A header that cannot be read on one of two devices is looked for on the other.
  private @Nullable ByteBuffer behind(LogCopy window, int zone, int block) {
    try {
      return window.headerAt(zone, block);
    } catch (DeviceException e) {
      if (windows.size() == 1) {
        throw e;
      }
      return null;
    }
  }

  private long offsetOf(int zone, int block) {
    return PoolLayout.zoneOffset(zone, zoneSize) + (long) block * PoolLayout.BLOCK;
  }

  private int blocksPerZone() {
    return zoneSize / PoolLayout.BLOCK;
  }
}
