package io.coppice.engine.supply;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.AllocationState;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.Medium;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.segment.FreeZones;
import io.coppice.engine.thread.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongSupplier;

/// The thread that writes free zones once, in large pieces, before the log comes to them. The first
/// stable write into an unwritten part of a file makes the file system note it, which costs a small
/// write as much again. The thread keeps a number of free zones written. It takes no more of the
/// device than its share while others use it.
///
/// *The owner of the zone* is this thread, from taking it ([FreeZones#takeUnprepared]) to giving it
/// back, as the log owns a zone that it has taken: nothing else can take it meanwhile. Only a free
/// zone is taken, in which nothing lies for a reader or a restart: it was given back after a
/// checkpoint that does not name it was stable. The zone that the log has announced as its next is
/// never taken, because it is not free.
///
/// *What a crash leaves:* zeros, or parts of the earlier content, in a zone that nothing names.
/// Zeros are no header of anything. Nothing says what was prepared: the next open asks the file
/// system, which knows what was never written ([Medium#backing]).
final class ZonePreparation implements Runnable {

  private static final Logger LOGGER = System.getLogger(ZonePreparation.class.getName());

  private static final long TICK_MILLIS = 500;

  /// Bytes that are written at a time while the device is otherwise unused, and while others use
  /// it.
  private static final int LARGE = 4 << 20;

  private static final int SMALL = 1 << 20;

  private final BlockDevice device;
  private final Medium medium;
  private final FreeZones zones;
  private final int zoneSize;
  private final int most;
  private final int percent;
  private final LongSupplier traffic;
  private final ByteBuffer zeros;
  private final Thread thread;
  private long trafficBefore;
  private boolean stopping; // guarded by this

  /// @param traffic bytes that others have read and written
  ZonePreparation(
      BlockDevice device,
      Medium medium,
      FreeZones zones,
      int zoneSize,
      Provisioning how,
      LongSupplier traffic) {
    this.device = device;
    this.medium = medium;
    this.zones = zones;
    this.zoneSize = zoneSize;
    this.traffic = traffic;
    most = how.all() ? Integer.MAX_VALUE : Math.clamp(how.aheadBytes() / zoneSize, 1, 1 << 30);
    percent = how.all() ? 100 : how.deviceTimePercent();
    zeros = AlignedBuffers.allocate(Math.min(LARGE, zoneSize));
    thread = Thread.ofPlatform().name("coppice-prepare").daemon().unstarted(this);
  }

  void start() {
    thread.start();
  }

  /// Ends the thread after the piece it is writing, and waits for it.
  void stop() {
    synchronized (this) {
      stopping = true;
      notifyAll();
    }
    Uninterrupted.join(thread);
  }

  @Override
  public void run() {
    boolean worked = false;
    boolean told = false;
    try {
      while (!pause(worked ? 0 : TICK_MILLIS)) {
        int zone = zones.takeUnprepared(most);
        if (worked && zone < 0 && !told) {
          told = true;
          LOGGER.log(Level.INFO, "{0} free zones of the pool are prepared.", zones.prepared());
        }
        worked = zone >= 0 && prepare(zone);
      }
    } catch (DeviceException e) {
      LOGGER.log(
          Level.WARNING, "No zone is prepared any more before it is used: {0}", e.getMessage());
    }
  }

  /// @return whether more is to be done at once
  private boolean prepare(int zone) {
    boolean whole = false;
    try {
      long offset = PoolLayout.zoneOffset(zone, zoneSize);
      whole = medium.backing(offset, zoneSize) != AllocationState.ALLOCATED || write(offset);
      return true;
    } catch (DeviceException.NoSpace e) {
      return false; // a file system that copies on write: there may be space later
    } finally {
      if (whole) {
        zones.giveBackPrepared(zone);
      } else {
        zones.giveBackPlaced(zone);
      }
    }
  }

  /// @return whether all of it was written
  private boolean write(long offset) {
    for (int at = 0; at < zoneSize; ) {
      long now = traffic.getAsLong();
      boolean busy = now != trafficBefore;
      trafficBefore = now;
      int length = Math.min(busy ? SMALL : LARGE, zoneSize - at);
      long start = System.nanoTime();
      device.write(offset + at, List.of(zeros.slice(0, length)));
      at += length;
      long took = System.nanoTime() - start;
      long others = busy ? took * (100 - percent) / percent : 0;
      if (pause(others / 1_000_000) || zones.isShort()) {
        return false;
      }
    }
    return true;
  }

  /// @return whether the thread is to end
  private synchronized boolean pause(long millis) {
    long start = System.nanoTime();
    while (!stopping) {
      long rest = millis - (System.nanoTime() - start) / 1_000_000;
      if (rest <= 0) {
        break;
      }
      Uninterrupted.await(() -> wait(rest));
    }
    return stopping;
  }
}
