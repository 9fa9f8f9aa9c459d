package io.coppice.engine.supply;

import io.coppice.engine.device.AllocationState;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.Medium;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.segment.FreeZones;
import io.coppice.engine.thread.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The supply of places on the medium for zones, before anything is written there. So no write of
/// the log, of a checkpoint or of the cleaner finds the file system full. A zone without a place is
/// not a free zone: writes that need it are out of space, and nothing else is.
///
/// As many zones as checkpoints, deletes and the cleaner may need are placed when a pool opens, and
/// a thread of its own keeps them so. Every second, and whenever a writer found no space, it finds
/// out how many more there could be. So a lack of space ends by itself. Nothing is ever given back
/// to the medium.
///
/// *What a crash leaves:* a place that no structure names. The next open asks the medium.
public final class ZoneSupply implements FreeZones.Supply, Runnable {

  private static final Logger LOGGER = System.getLogger(ZoneSupply.class.getName());

  private static final long TICK_MILLIS = 1000;

  /// Zones kept placed beside those that must be.
  private static final int AHEAD = 2;

  /// Zones that are left to others on a file system that gets full.
  private static final long LEFT_TO_OTHERS = 1;

  private final Medium medium;
  private final FreeZones zones;
  private final Geometry geometry;
  private final Runnable changed;
  private final Thread thread;
  private final @Nullable ZonePreparation preparation;
  private volatile @Nullable String refusal;
  private boolean hurried; // guarded by this
  private boolean stopping; // guarded by this

  /// The zones of a device.
  public record Geometry(int zoneSize, int zones) {}

  private ZoneSupply(
      Medium medium,
      FreeZones zones,
      Geometry geometry,
      Runnable changed,
      @Nullable ZonePreparation preparation) {
    this.preparation = preparation;
    this.medium = medium;
    this.zones = zones;
    this.geometry = geometry;
    this.changed = changed;
    thread = Thread.ofPlatform().name("coppice-zones").daemon().unstarted(this);
  }

  /// Makes free zones be asked for from now on.
  ///
  /// @param traffic bytes that others have read from the device and written
  /// @param changed run when more or fewer zones can be had
  /// @return null for a device on which everything always has its place
  public static @Nullable ZoneSupply of(
      BlockDevice device,
      FreeZones zones,
      Geometry geometry,
      Provisioning how,
      LongSupplier traffic,
      Runnable changed) {
    Medium medium = device.medium();
    if (medium == null) {
      return null;
    }
    ZonePreparation preparation =
        how.prepares()
            ? new ZonePreparation(device, medium, zones, geometry.zoneSize, how, traffic)
            : null;
    ZoneSupply supply = new ZoneSupply(medium, zones, geometry, changed, preparation);
    zones.suppliedBy(supply);
    return supply;
  }

  /// Gives the zones that must be sure of their place a place, before a host can write: what others
  /// take of the medium from now on, they leave these. Before [#start] only.
  public void placeKept() {
    look();
  }

  public void start() {
    thread.start();
    if (preparation != null) {
      preparation.start();
    }
  }

  /// Ends its threads, and waits for them.
  public void stop() {
    synchronized (this) {
      stopping = true;
      notifyAll();
    }
    if (preparation != null) {
      preparation.stop();
    }
    Uninterrupted.join(thread);
  }

  /// The reason why not all free zones can be had, for people; absent if they can.
  public Optional<String> limit() {
    int withheld = zones.withheld();
    if (withheld == 0) {
      return Optional.empty();
    }
    String reason = refusal;
    return Optional.of(
        "The file system below the pool has no place for %d of its %d zones of %d bytes%s."
            .formatted(
                withheld,
                geometry.zones,
                geometry.zoneSize,
                reason == null ? "" : " (" + reason + ")"));
  }

  // ---- any thread

  @Override
  public boolean provide(int zone) {
    long offset = PoolLayout.zoneOffset(zone, geometry.zoneSize);
    return provide(offset, geometry.zoneSize);
  }

  /// Gives bytes in use their place, as in a sparse file made by an earlier version. If there is
  /// none, a write there may fail ([DeviceException.NoSpace]).
  public void cover(long offset, long length) {
    provide(offset, length);
  }

  private boolean provide(long offset, long length) {
    try {
      if (medium.backing(offset, length) == AllocationState.HOLE) {
        requireAvailable();
        medium.allocate(offset, length);
        allowed();
      }
      return true;
    } catch (DeviceException e) {
      refused(e);
      return false;
    }
  }

  /// An attempt that fails would take what little there is, and keep it.
  private void requireAvailable() {
    long available = medium.available();
    if (available / geometry.zoneSize <= LEFT_TO_OTHERS) {
      throw new DeviceException.NoSpace("it has %d bytes free".formatted(available));
    }
  }

  private void refused(DeviceException e) {
    if (refusal == null) {
      LOGGER.log(
          Level.WARNING,
          "The file system below the pool has no place for another zone: {0}. Writes that need"
              + " space are refused until it has; everything else goes on.",
          e.getMessage());
    }
    refusal = e.getMessage();
  }

  private void allowed() {
    if (refusal != null) {
      LOGGER.log(Level.INFO, "The file system below the pool has places for zones again.");
      refusal = null;
    }
  }

  @Override
  public void hurry() {
    synchronized (this) {
      hurried = true;
      notifyAll();
    }
  }

  // ---- the thread, and the opening

  @Override
  public void run() {
    survey();
    do {
      int before = zones.withheld();
      look();
      if (zones.withheld() != before) {
        changed.run();
      }
    } while (awaitNext());
  }

  /// Finds out which zones have their place already. If the medium does not say, they are taken to
  /// have it, as in a file that was allocated whole; a write that finds none is then refused.
  private void survey() {
    for (int zone = 0; zone < geometry.zones && !isStopping(); zone++) {
      if (zones.takeFresh(zone)) {
        long offset = PoolLayout.zoneOffset(zone, geometry.zoneSize);
        if (medium.backing(offset, geometry.zoneSize) == AllocationState.HOLE) {
          zones.giveBackFresh(zone);
        } else {
          zones.giveBackPlaced(zone);
        }
      }
    }
  }

  /// If the last attempt was refused, only another one can tell that there is space: free space in
  /// the file system does not show a quota, for example.
  private void look() {
    int zone = zones.takeNextFresh(AHEAD, refusal != null);
    while (zone >= 0 && !isStopping()) {
      if (!provide(zone)) {
        zones.refused(zone);
        return;
      }
      zones.giveBackPlaced(zone);
      zone = zones.takeNextFresh(AHEAD, false);
    }
    if (zone >= 0) {
      zones.giveBackFresh(zone);
    }
    long free = medium.available() / geometry.zoneSize - LEFT_TO_OTHERS;
    zones.setGivable(Math.clamp(free, 0, Integer.MAX_VALUE - 1));
  }

  private synchronized boolean isStopping() {
    return stopping;
  }

  /// @return false if the thread is to end
  private synchronized boolean awaitNext() {
    long start = System.nanoTime();
    while (!stopping && !hurried) {
      long rest = TICK_MILLIS - (System.nanoTime() - start) / 1_000_000;
      if (rest <= 0) {
        break;
      }
      long millis = zones.isAnyFresh() ? rest : 0; // else until somebody hurries it
      Uninterrupted.await(() -> wait(millis));
    }
    hurried = false;
    return !stopping;
  }
}
