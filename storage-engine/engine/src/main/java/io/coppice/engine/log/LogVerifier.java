package io.coppice.engine.log;

import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The comparison of the log's content with its stored checksums: blocks with the CRCs in the
/// records of their batch, headers with their own. One thread.
public final class LogVerifier {

  private final int blocksPerZone;
  private final ZoneWindow window;
  private final BatchWalk walk;
  private final Checksum checksum = new Checksum();

  /// The receiver of every block that was stored in a zone.
  public interface Told {

    /// @param segment and `block`: its address
    /// @param place its number among all blocks of all zones
    /// @param intact whether its bytes match the CRC in the batch
    void block(int segment, int block, long place, boolean intact);
  }

  public LogVerifier(UUID pool, int zoneSize, ZoneWindow window) {
    blocksPerZone = zoneSize / PoolLayout.BLOCK;
    this.window = window;
    walk = new BatchWalk(pool, zoneSize, window);
  }

  /// Reads a zone of the log.
  ///
  /// @param from block at which to begin
  /// @param limit block from which on nothing is stable yet
  /// @return the block behind the last readable batch
  public int zone(int zone, int segment, int from, int limit, Told told) {
    window.enter(zone, limit);
    walk.enter(zone, segment, from, limit);
    long place = (long) zone * blocksPerZone;
    for (BatchWalk.Found found = walk.next(); found != null; found = walk.next()) {
      for (BatchWalk.Stored stored : found.blocks()) {
        int inZone = found.payload() + stored.payload();
        ByteBuffer content = window.at(inZone, 1);
        boolean intact = checksum.of(content, 0, PoolLayout.BLOCK) == stored.crc();
        told.block(stored.segment(), stored.block(), place + inZone, intact);
      }
    }
    return walk.position();
  }

  /// The header of the batch at a block of a zone, in whole blocks; absent if there is no readable
  /// one. Valid until the next call.
  public @Nullable ByteBuffer header(int zone, int segment, int block, int limit) {
    window.enter(zone, limit);
    walk.enter(zone, segment, block, limit);
    BatchWalk.Found found = walk.next();
    return found == null ? null : window.at(block, found.batch().headerBlocks());
  }

  /// Follows the chain of headers from one position of the log to a later one, as a restart would.
  ///
  /// @return a description of the missing part; absent if the chain is whole
  public @Nullable String chain(LogPosition from, LogPosition to) {
    LogPosition at = from;
    enter(at.zone(), at.segment(), at.block());
    while (at.seq() < to.seq()) {
      BatchWalk.Found found = expected(walk.next(), at);
      if (found == null && at.nextZone() >= 0) {
        enter(at.nextZone(), at.nextSegment(), 0);
        found = expected(walk.next(), at);
      }
      if (found == null) {
        return "batch %d of the log, at block %d of zone %d or the start of zone %d"
            .formatted(at.seq(), at.block(), at.zone(), at.nextZone());
      }
      at = after(found);
    }
    return null;
  }

  private void enter(int zone, int segment, int block) {
    window.enter(zone, blocksPerZone);
    walk.enter(zone, segment, block, blocksPerZone);
  }

  private static BatchWalk.@Nullable Found expected(
      BatchWalk.@Nullable Found found, LogPosition at) {
    return found != null
            && found.batch().seq() == at.seq()
            && found.batch().previousCrc() == at.previousCrc()
        ? found
        : null;
  }

  private static LogPosition after(BatchWalk.Found found) {
    var place = found.batch().place();
    return new LogPosition(
        found.batch().seq() + 1,
        place.zone(),
        place.segment(),
        found.payload() + found.batch().payloadBlocks(),
        found.crc(),
        place.nextZone(),
        place.nextSegment());
  }
}
