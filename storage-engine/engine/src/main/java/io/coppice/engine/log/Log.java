package io.coppice.engine.log;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.UUID;

/// The end of the log. Committer only.
///
/// One batch at a time: a batch is written when everything before it is stable. So a batch that is
/// followed by an intact one is known to be stable, and only the last one may be torn. Every header
/// names the next zone. The log moves on only to a zone that two stable headers named. So recovery
/// can follow it, and notices if one of them was lost.
public final class Log {

  /// Batches of a zone that name the next one. With only one, and a rotten header, nothing would
  /// lead to the next zone: the log would seem to end there.
  private static final int ANNOUNCEMENTS = 2;

  private final BlockDevice device;
  private final UUID pool;
  private final int zoneSize;
  private final LogZones zones;
  private final InstantSource clock;
  private final Batch batch = new Batch();

  // Position of the next batch, in plain numbers: a record for each batch would be garbage.
  private long seq;
  private int zone;
  private int segment;
  private int block;
  private int previousCrc;
  private int nextZone;
  private int nextSegment;

  private int announcements; // batches of this zone that name the next one
  private int lastBlock;
  private int lastHeaderBlocks;
  private int lastSegment;
  private int lastZone;
  private long lastTimeMillis;
  private long batches;
  private long records;
  private long bytes;

  public Log(
      BlockDevice device, Superblock head, LogZones zones, LogPosition start, InstantSource clock) {
    this.device = device;
    this.pool = head.pool;
    this.zoneSize = head.zoneSize;
    this.zones = zones;
    this.clock = clock;
    seq = start.seq();
    zone = start.zone();
    segment = start.segment();
    block = start.block();
    previousCrc = start.previousCrc();
    nextZone = start.nextZone();
    nextSegment = start.nextSegment();
    announcements = nextZone >= 0 ? 1 : 0; // there may be more
  }

  /// The fields of the superblock that the log needs.
  public record Superblock(UUID pool, int zoneSize) {}

  /// Position of the next batch.
  public LogPosition position() {
    return new LogPosition(seq, zone, segment, block, previousCrc, nextZone, nextSegment);
  }

  public long batches() {
    return batches;
  }

  public long records() {
    return records;
  }

  /// Bytes written to the log, headers included.
  public long bytes() {
    return bytes;
  }

  /// Bytes of the current zone not yet written.
  public long roomInZone() {
    return (long) (blocksPerZone() - block) * PoolLayout.BLOCK;
  }

  /// Whether a zone stands by to follow the current one.
  public boolean hasNextZone() {
    return nextZone >= 0;
  }

  /// Whether any thread may commit.
  boolean toleratesInterrupts() {
    return device.toleratesInterrupts();
  }

  int blocksPerZone() {
    return zoneSize / PoolLayout.BLOCK;
  }

  Batch begin() {
    if (nextZone < 0) {
      takeNextZone();
    }
    int announcedThen = nextZone < 0 ? 0 : announcements + 1;
    int kept = Math.max(0, ANNOUNCEMENTS - announcedThen);
    batch.begin(Math.max(0, blocksPerZone() - block - kept));
    return batch;
  }

  /// Moves on to the next zone.
  ///
  /// @return false if there is no next zone
  boolean advance() {
    if (nextZone < 0 && !takeNextZone()) {
      return false;
    }
    while (announcements < ANNOUNCEMENTS && block < blocksPerZone()) {
      batch.begin(1);
      commit();
    }
    zones.sealed(segment);
    zones.opened(nextSegment, nextZone);
    zone = nextZone;
    segment = nextSegment;
    block = 0;
    nextZone = -1;
    nextSegment = 0;
    announcements = 0;
    takeNextZone();
    return true;
  }

  private boolean takeNextZone() {
    int taken = zones.takeZone();
    if (taken < 0) {
      return false;
    }
    nextZone = taken;
    nextSegment = zones.newSegment();
    return true;
  }

  /// Writes the batch and returns when it is stable.
  ///
  /// @throws io.coppice.engine.device.DeviceException if that is uncertain; then nothing more may
  ///   be committed
  void commit() {
    ByteBuffer header = batch.finishHeader();
    lastTimeMillis = clock.millis();
    new BatchHeader(
            seq,
            seq - 1,
            previousCrc,
            batch.records(),
            batch.headerBlocks(),
            batch.payloadBlocks(),
            new BatchHeader.Place(segment, zone, nextZone, nextSegment),
            lastTimeMillis)
        .encode(header);
    long offset = PoolLayout.zoneOffset(zone, zoneSize) + (long) block * PoolLayout.BLOCK;
    int crc = StructureHeader.seal(header, StructureHeader.BATCH, pool, offset, header.position());
    device.writeStable(offset, batch.image());
    committed(crc);
  }

  private void committed(int crc) {
    lastBlock = block;
    lastSegment = segment;
    lastZone = zone;
    lastHeaderBlocks = batch.headerBlocks();
    batches++;
    records += batch.records();
    bytes += (long) (lastHeaderBlocks + batch.payloadBlocks()) * PoolLayout.BLOCK;
    announcements += nextZone >= 0 ? 1 : 0;
    seq++;
    block += lastHeaderBlocks + batch.payloadBlocks();
    previousCrc = crc;
  }

  /// Time in the header of the last batch, milliseconds since 1970.
  public long lastTimeMillis() {
    return lastTimeMillis;
  }

  /// Address of a payload block of the last batch.
  public long addressOf(int payload) {
    return Batch.address(lastSegment, lastBlock, lastHeaderBlocks, payload);
  }

  /// Place of a payload block of the last batch: its number among all blocks of all zones.
  long placeOf(int payload) {
    return (long) lastZone * blocksPerZone() + lastBlock + lastHeaderBlocks + payload;
  }
}
