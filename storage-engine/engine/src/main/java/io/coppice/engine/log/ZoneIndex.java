package io.coppice.engine.log;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The index of a zone of data: each block's CRC and address, by its batches. One thread.
///
/// A device that does not hold everything may supply an unreadable header. There it may be another
/// one, of a batch that never counted. So it is taken only if a header on the device that counts
/// names it as the one before, by its checksum.
public final class ZoneIndex {

  private final int blocksPerZone;
  private final ZoneWindow window;
  private final ZoneWindow reserve;
  private final BatchWalk walk;
  private final BatchWalk walkInReserve;
  private final BatchWalk probe;
  private final Checksum checksum = new Checksum();
  private boolean hasReserve;
  private int zone;
  private int limit;

  /// The receiver of every block that is named.
  public interface Told {

    /// @param inZone its number in the zone
    /// @param address when it was stored; [BlockAddress#NONE]: it is of a header
    void block(int inZone, int crc, long address);
  }

  private record Batch(BatchWalk.Found found, int[] headerCrcs) {}

  /// @param window and `reserve`: used by this object alone
  public ZoneIndex(UUID pool, int zoneSize, ZoneWindow window, ZoneWindow reserve) {
    blocksPerZone = zoneSize / PoolLayout.BLOCK;
    this.window = window;
    this.reserve = reserve;
    walk = new BatchWalk(pool, zoneSize, window);
    walkInReserve = new BatchWalk(pool, zoneSize, reserve);
    probe = new BatchWalk(pool, zoneSize, window);
  }

  /// Sets the devices to look at from now on.
  ///
  /// @param other the device that does not hold everything; null: there is none
  public void from(BlockDevice device, @Nullable BlockDevice other) {
    window.from(device);
    hasReserve = other != null;
    if (other != null) {
      reserve.from(other);
    }
  }

  /// Goes through a zone.
  ///
  /// @param limit block from which on nothing is stable yet
  /// @return the block behind the last readable batch
  public int zone(int zone, int segment, int limit, Told told) {
    this.zone = zone;
    this.limit = limit;
    window.enter(zone, limit);
    reserve.enter(zone, limit);
    walk.enter(zone, segment, 0, limit);
    do {
      for (BatchWalk.Found found = walk.next(); found != null; found = walk.next()) {
        tell(batch(found, window), told);
      }
    } while (hasReserve && bridge(told));
    return walk.position();
  }

  /// Goes on with batches of the reserve up to one that is named.
  ///
  /// @return false if there is none
  private boolean bridge(Told told) {
    List<Batch> unnamed = new ArrayList<>();
    walkInReserve.goOn(walk);
    for (BatchWalk.Found found = walkInReserve.next();
        found != null;
        found = walkInReserve.next()) {
      unnamed.add(batch(found, reserve));
      if (proveNamed(found)) {
        unnamed.forEach(batch -> tell(batch, told));
        walk.goOn(walkInReserve);
        return true;
      }
    }
    return false;
  }

  /// Looks for the next batch, in this zone or at the start of the next one.
  ///
  /// @return whether it names this one as the one before it
  private boolean proveNamed(BatchWalk.Found found) {
    probe.goOn(walkInReserve);
    if (probe.next() != null) {
      return true;
    }
    var place = found.batch().place();
    if (place.nextZone() < 0) {
      return false;
    }
    probe.goOn(walkInReserve);
    probe.goOnIn(place.nextZone(), place.nextSegment(), blocksPerZone);
    window.enter(place.nextZone(), blocksPerZone);
    boolean named = probe.next() != null;
    window.enter(zone, limit);
    return named;
  }

  private Batch batch(BatchWalk.Found found, ZoneWindow from) {
    int[] crcs = new int[found.batch().headerBlocks()];
    ByteBuffer header = from.at(found.at(), crcs.length);
    for (int i = 0; i < crcs.length; i++) {
      crcs[i] = checksum.of(header, i * PoolLayout.BLOCK, PoolLayout.BLOCK);
    }
    return new Batch(found, crcs);
  }

  private static void tell(Batch batch, Told told) {
    BatchWalk.Found found = batch.found;
    for (int i = 0; i < batch.headerCrcs.length; i++) {
      told.block(found.at() + i, batch.headerCrcs[i], BlockAddress.NONE);
    }
    for (BatchWalk.Stored stored : found.blocks()) {
      told.block(
          found.payload() + stored.payload(),
          stored.crc(),
          BlockAddress.of(stored.segment(), stored.block(), 1));
    }
  }
}
