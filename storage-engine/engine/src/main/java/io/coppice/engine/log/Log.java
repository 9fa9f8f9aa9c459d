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
/// One batch at a time: a batch is written when everything before it is stable, so a batch that is
/// followed by an intact one is known to be stable, and only the last one may be torn. Every header
/// names the zone that follows its own; the log moves on only to a zone that a stable header named,
/// so that recovery can follow it.
public final class Log {

  private final BlockDevice device;
  private final UUID pool;
  private final int zoneSize;
  private final LogZones zones;
  private final InstantSource clock;
  private final Batch batch = new Batch();

  private LogPosition at;
  private boolean nextIsAnnounced;
  private int lastBlock;
  private int lastHeaderBlocks;
  private int lastSegment;
  private int lastZone;
  private long lastTimeMillis;
  private long batches;
  private long records;

  public Log(
      BlockDevice device, Superblock head, LogZones zones, LogPosition start, InstantSource clock) {
    this.device = device;
    this.pool = head.pool;
    this.zoneSize = head.zoneSize;
    this.zones = zones;
    this.clock = clock;
    at = start;
    nextIsAnnounced = start.nextZone() >= 0;
  }

  /// What of the superblock the log needs.
  public record Superblock(UUID pool, int zoneSize) {}

  /// Where the next batch goes.
  public LogPosition position() {
    return at;
  }

  public long batches() {
    return batches;
  }

  public long records() {
    return records;
  }

  /// Bytes of the current zone not yet written.
  public long roomInZone() {
    return (long) (blocksPerZone() - at.block()) * PoolLayout.BLOCK;
  }

  /// Whether a zone stands by to follow the current one.
  public boolean hasNextZone() {
    return at.nextZone() >= 0;
  }

  /// Whether any thread may commit.
  boolean toleratesInterrupts() {
    return device.toleratesInterrupts();
  }

  int blocksPerZone() {
    return zoneSize / PoolLayout.BLOCK;
  }

  Batch begin() {
    if (at.nextZone() < 0) {
      takeNextZone();
    }
    int keepForAnnouncement = at.nextZone() < 0 ? 1 : 0;
    batch.begin(Math.max(0, blocksPerZone() - at.block() - keepForAnnouncement));
    return batch;
  }

  /// Moves on to the next zone.
  ///
  /// @return false if there is none
  boolean advance() {
    if (at.nextZone() < 0 && !takeNextZone()) {
      return false;
    }
    if (!nextIsAnnounced) {
      batch.begin(1);
      commit();
    }
    zones.sealed(at.segment());
    zones.opened(at.nextSegment(), at.nextZone());
    at = new LogPosition(at.seq(), at.nextZone(), at.nextSegment(), 0, at.previousCrc(), -1, 0);
    nextIsAnnounced = false;
    takeNextZone();
    return true;
  }

  private boolean takeNextZone() {
    int zone = zones.takeZone();
    if (zone < 0) {
      return false;
    }
    at =
        new LogPosition(
            at.seq(),
            at.zone(),
            at.segment(),
            at.block(),
            at.previousCrc(),
            zone,
            zones.newSegment());
    nextIsAnnounced = false;
    return true;
  }

  /// Writes the batch and returns when it is stable.
  ///
  /// @throws io.coppice.engine.device.DeviceException if that is not certain; nothing may be
  ///   committed after that
  void commit() {
    ByteBuffer header = batch.finishHeader();
    lastTimeMillis = clock.millis();
    new BatchHeader(
            at.seq(),
            at.seq() - 1,
            at.previousCrc(),
            batch.records(),
            batch.headerBlocks(),
            batch.payloadBlocks(),
            new BatchHeader.Place(at.segment(), at.zone(), at.nextZone(), at.nextSegment()),
            lastTimeMillis)
        .encode(header);
    long offset = PoolLayout.zoneOffset(at.zone(), zoneSize) + (long) at.block() * PoolLayout.BLOCK;
    int crc = StructureHeader.seal(header, StructureHeader.BATCH, pool, offset, header.position());
    device.writeStable(offset, batch.image());
    committed(crc);
  }

  private void committed(int crc) {
    lastBlock = at.block();
    lastSegment = at.segment();
    lastZone = at.zone();
    lastHeaderBlocks = batch.headerBlocks();
    batches++;
    records += batch.records();
    nextIsAnnounced = at.nextZone() >= 0;
    at =
        new LogPosition(
            at.seq() + 1,
            at.zone(),
            at.segment(),
            at.block() + lastHeaderBlocks + batch.payloadBlocks(),
            crc,
            at.nextZone(),
            at.nextSegment());
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
