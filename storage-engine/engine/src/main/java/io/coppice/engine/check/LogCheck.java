package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.LogRecord;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The check of the log from the checkpoint on: a chain of batches without a gap, readable records,
/// and data that match their CRCs. Behind the end no later batch may follow a missing one.
///
/// Records are not applied: the check does not show that they lead to a right state.
final class LogCheck {

  private static final int MAX_HEADER = 64 << 10;

  private final PoolReader reader;
  private final Findings findings;
  private final SegmentMap segments;
  private final List<CheckpointCheck.Placed> chunks;
  private final boolean fast;
  private final Checksum checksum = new Checksum();
  private final ByteArrayOutputStream change = new ByteArrayOutputStream();
  private long batches;
  private long records;
  private long payloadBlocks;
  private int segment = -1;

  /// A batch at its right place.
  private record Found(BatchHeader header, int block, int crc, List<LogRecord> records) {

    LogPosition after() {
      BatchHeader.Place place = header.place();
      return new LogPosition(
          header.seq() + 1,
          place.zone(),
          place.segment(),
          block + header.headerBlocks() + header.payloadBlocks(),
          crc,
          place.nextZone(),
          place.nextSegment());
    }
  }

  /// @param fast look at the data of the last batch only
  LogCheck(
      PoolReader reader,
      Findings findings,
      SegmentMap segments,
      List<CheckpointCheck.Placed> chunks,
      boolean fast) {
    this.reader = reader;
    this.findings = findings;
    this.segments = segments;
    this.chunks = chunks;
    this.fast = fast;
  }

  long batches() {
    return batches;
  }

  long records() {
    return records;
  }

  /// Blocks of data read.
  long payloadBlocks() {
    return payloadBlocks;
  }

  void run(LogPosition start) {
    LogPosition at = start;
    enter(start.segment(), start.zone());
    Found found = find(at);
    while (found != null) {
      LogPosition after = found.after();
      Found next = find(after);
      long damagedBlocks = next == null || !fast ? damagedPayload(found, next == null) : 0;
      if (next == null && damagedBlocks > 0) {
        noteTorn(found.header.place().zone(), found.block, found.header.seq());
        break;
      }
      accept(found);
      at = after;
      found = next;
    }
    checkEnd(at);
  }

  private void accept(Found found) {
    BatchHeader.Place place = found.header.place();
    enter(place.segment(), place.zone());
    batches++;
    records += found.records.size();
    for (LogRecord record : found.records) {
      String refusal = refusal(record, found.header);
      if (refusal != null) {
        damage(place.zone(), found.block, refusal);
      }
    }
  }

  /// Checks that no other segment has the zone.
  private void enter(int id, int zone) {
    if (id == segment) {
      return;
    }
    segment = id;
    int other = segments.segmentIn(zone);
    int elsewhere = segments.zoneOf(id);
    boolean tables = isOfTables(zone);
    if ((other >= 0 && other != id) || (elsewhere >= 0 && elsewhere != zone) || tables) {
      damage(
          zone,
          0,
          "expected a zone for segment %d of the log alone, found %s there"
              .formatted(id, tables ? "the checkpoint's tables" : "segment " + other));
    }
  }

  private @Nullable String refusal(LogRecord record, BatchHeader header) {
    return switch (record) {
      case LogRecord.Write write -> range(write.volume(), write.firstBlock(), write.crcs().length);
      case LogRecord.Fill fill -> range(fill.volume(), fill.firstBlock(), fill.blocks());
      case LogRecord.Unmap unmap -> range(unmap.volume(), unmap.firstBlock(), unmap.blocks());
      case LogRecord.Copy copy -> {
        String source = range(copy.source(), copy.sourceBlock(), copy.blocks());
        yield source != null ? source : range(copy.volume(), copy.firstBlock(), copy.blocks());
      }
      case LogRecord.ChangePiece piece -> change(piece, header);
      case LogRecord.Relocate again -> ascending(again.segment(), again.blocks());
      case LogRecord.Moved moved -> moved(moved);
    };
  }

  private static @Nullable String range(int volume, long first, long blocks) {
    boolean possible =
        volume > 0
            && first >= 0
            && blocks > 0
            && first < MapWalk.BLOCKS
            && blocks <= MapWalk.BLOCKS - first;
    return possible
        ? null
        : "expected a record of blocks of a volume, found %d blocks from %d on of volume %d"
            .formatted(blocks, first, volume);
  }

  private @Nullable String ascending(int ofSegment, int[] blocks) {
    int before = -1;
    for (int block : blocks) {
      if (block <= before || block >= reader.blocksPerZone()) {
        return "expected ascending blocks of segment %d to be moved, found %d after %d"
            .formatted(ofSegment, block, before);
      }
      before = block;
    }
    return null;
  }

  private @Nullable String moved(LogRecord.Moved moved) {
    int other = segments.segmentIn(moved.zone());
    int elsewhere = segments.zoneOf(moved.owner());
    boolean possible =
        isInside(moved.zone(), moved.first())
            && moved.blocks().length <= reader.blocksPerZone() - moved.first()
            && moved.owner() != segment
            && (other < 0 || other == moved.owner())
            && (elsewhere < 0 || elsewhere == moved.zone())
            && !isOfTables(moved.zone());
    return possible
        ? ascending(moved.segment(), moved.blocks())
        : "expected a zone of survivors for segment %d alone, found zone %d from block %d on"
            .formatted(moved.owner(), moved.zone(), moved.first());
  }

  private boolean isInside(int zone, int block) {
    return zone >= 0 && zone < reader.zones() && block >= 0 && block < reader.blocksPerZone();
  }

  private boolean isOfTables(int zone) {
    return chunks.stream()
        .anyMatch(c -> reader.zoneOf(c.offset()) == zone || reader.zoneOf(c.twin()) == zone);
  }

  private @Nullable String change(LogRecord.ChangePiece piece, BatchHeader header) {
    if ((piece.flags() & LogRecord.CONTINUES) == 0) {
      change.reset();
    }
    change.writeBytes(piece.bytes());
    if ((piece.flags() & LogRecord.MORE) != 0) {
      return null;
    }
    try {
      Change.decode(change.toByteArray());
      return null;
    } catch (FormatException | IllegalArgumentException e) {
      return "expected a change in batch %d, found one that says: %s"
          .formatted(header.seq(), e.getMessage());
    } finally {
      change.reset();
    }
  }

  // ---- one batch

  private @Nullable Found find(LogPosition at) {
    Found here = read(at, at.zone(), at.segment(), at.block());
    return here != null || at.nextZone() < 0 ? here : read(at, at.nextZone(), at.nextSegment(), 0);
  }

  private @Nullable Found read(LogPosition at, int zone, int inSegment, int block) {
    ByteBuffer bytes = headerAt(zone, block);
    if (bytes == null) {
      return null;
    }
    BatchHeader header = BatchHeader.decode(bytes);
    if (header.seq() != at.seq()
        || header.previousCrc() != at.previousCrc()
        || header.place().zone() != zone
        || header.place().segment() != inSegment) {
      return null;
    }
    int crc = StructureHeader.crcOf(bytes);
    checkFields(header, bytes, zone, block);
    return new Found(header, block, crc, records(header, bytes, zone, block));
  }

  private void checkFields(BatchHeader header, ByteBuffer bytes, int zone, int block) {
    int length = StructureHeader.lengthOf(bytes);
    long end = (long) block + header.headerBlocks() + header.payloadBlocks();
    if (header.headerBlocks() * PoolLayout.BLOCK != length
        || header.payloadBlocks() < 0
        || end > reader.blocksPerZone()
        || header.committedSeq() >= header.seq()
        || header.place().nextZone() >= reader.zones()) {
      damage(zone, block, "expected a possible batch %d, found %s".formatted(header.seq(), header));
    }
  }

  private List<LogRecord> records(BatchHeader header, ByteBuffer bytes, int zone, int block) {
    List<LogRecord> all = new ArrayList<>();
    bytes.position(BatchHeader.LENGTH);
    try {
      for (int i = 0; i < header.records(); i++) {
        all.add(LogRecord.decode(bytes));
      }
    } catch (FormatException e) {
      damage(zone, block, "batch %d: %s".formatted(header.seq(), e.getMessage()));
    }
    return all;
  }

  /// The intact batch header at this place, or null.
  private @Nullable ByteBuffer headerAt(int zone, int block) {
    if (!isInside(zone, block)) {
      return null;
    }
    long offset = reader.offsetOf(zone, block);
    ByteBuffer first = reader.read(offset, PoolLayout.BLOCK, Structure.LOG, reader.where(offset));
    if (first == null
        || !StructureHeader.looksLike(first, StructureHeader.BATCH, reader.pool(), offset)) {
      return null;
    }
    int length = StructureHeader.lengthOf(first);
    if (length % PoolLayout.BLOCK != 0
        || length > MAX_HEADER
        || block + length / PoolLayout.BLOCK > reader.blocksPerZone()) {
      return null;
    }
    ByteBuffer whole = reader.read(offset, length, Structure.LOG, reader.where(offset));
    return whole != null
            && StructureHeader.isIntact(whole, StructureHeader.BATCH, reader.pool(), offset)
        ? whole
        : null;
  }

  // ---- its data

  /// @param last whether damage only says that the batch is torn
  /// @return blocks that do not match the records
  private long damagedPayload(Found found, boolean last) {
    long damaged = 0;
    for (LogRecord record : found.records) {
      switch (record) {
        case LogRecord.Write write -> {
          for (int i = 0; i < write.crcs().length; i++) {
            damaged += damaged(found, write.payloadBlock() + i, write.crcs()[i], last);
          }
        }
        case LogRecord.Fill fill ->
            damaged += damaged(found, fill.payloadBlock(), fill.crc(), last);
        case LogRecord.Relocate moved -> {
          for (int i = 0; i < moved.crcs().length; i++) {
            damaged += damaged(found, moved.payloadBlock() + i, moved.crcs()[i], last);
          }
        }
        case LogRecord.Moved moved -> survivors(found, moved);
        case LogRecord.Unmap _, LogRecord.Copy _, LogRecord.ChangePiece _ -> {}
      }
    }
    return damaged;
  }

  private int damaged(Found found, int payload, int crc, boolean last) {
    BatchHeader header = found.header;
    int zone = header.place().zone();
    if (payload < 0 || payload >= header.payloadBlocks()) {
      damage(
          zone,
          found.block,
          "expected a payload block below %d, found %d".formatted(header.payloadBlocks(), payload));
      return 1;
    }
    int block = found.block + header.headerBlocks() + payload;
    if (block < 0 || block >= reader.blocksPerZone()) {
      return 1;
    }
    return checkBlock(header, reader.offsetOf(zone, block), crc, last) ? 0 : 1;
  }

  /// Moved blocks were stable before their record. If they are not there, that is damage even in
  /// the last batch.
  private void survivors(Found found, LogRecord.Moved moved) {
    for (int i = 0; i < moved.crcs().length; i++) {
      if (isInside(moved.zone(), moved.first() + i)) {
        long offset = reader.offsetOf(moved.zone(), moved.first() + i);
        checkBlock(found.header, offset, moved.crcs()[i], false);
      }
    }
  }

  /// @return whether the block is what was written
  private boolean checkBlock(BatchHeader header, long offset, int crc, boolean last) {
    ByteBuffer bytes = reader.read(offset, PoolLayout.BLOCK, Structure.BLOCK, reader.where(offset));
    payloadBlocks++;
    boolean intact = bytes != null && checksum.of(bytes, 0, PoolLayout.BLOCK) == crc;
    if (!intact && bytes != null && !last) {
      findings.damage(
          Structure.BLOCK,
          reader.where(offset),
          "expected the data of batch %d of the log with CRC %08x, found another"
              .formatted(header.seq(), crc));
    }
    return intact;
  }

  // ---- the end

  /// A torn batch at the end is what a crash leaves; a later one behind it is damage.
  private void checkEnd(LogPosition end) {
    noteIfTorn(end.zone(), end.block(), end.seq());
    noteIfTorn(end.nextZone(), 0, end.seq());
    findLater(end, end.zone(), end.block());
    findLater(end, end.nextZone(), 0);
  }

  private void noteIfTorn(int zone, int block, long seq) {
    if (!isInside(zone, block)) {
      return;
    }
    long offset = reader.offsetOf(zone, block);
    ByteBuffer first = reader.tryRead(offset, PoolLayout.BLOCK);
    if (first != null
        && StructureHeader.looksLike(first, StructureHeader.BATCH, reader.pool(), offset)
        && BatchHeader.decode(first).seq() == seq) {
      ByteBuffer whole = headerAt(zone, block);
      if (whole == null) {
        noteTorn(zone, block, seq);
      }
    }
  }

  private void noteTorn(int zone, int block, long seq) {
    findings.note(
        Structure.LOG,
        new FindingLocation(zone, reader.offsetOf(zone, block), null, -1),
        "batch %d at the end of the log is torn and does not count".formatted(seq));
  }

  private void findLater(LogPosition end, int zone, int fromBlock) {
    if (zone < 0 || zone >= reader.zones()) {
      return;
    }
    for (int block = fromBlock; block < reader.blocksPerZone(); block++) {
      ByteBuffer bytes = headerAt(zone, block);
      BatchHeader later = bytes == null ? null : BatchHeader.decode(bytes);
      if (later != null && later.seq() > end.seq() && later.committedSeq() >= end.seq()) {
        damage(
            end.zone(),
            Math.min(end.block(), reader.blocksPerZone() - 1),
            "expected batch %d of the log, found it damaged although batch %d follows"
                .formatted(end.seq(), later.seq()));
        return;
      }
    }
  }

  private void damage(int zone, int block, String sentence) {
    findings.damage(
        Structure.LOG, new FindingLocation(zone, reader.offsetOf(zone, block), null, -1), sentence);
  }
}
