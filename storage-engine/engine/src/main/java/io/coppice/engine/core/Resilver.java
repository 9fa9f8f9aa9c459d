package io.coppice.engine.core;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.Mirror;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.thread.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/// Brings a device of a mirror that does not hold everything up to date, on a thread of its own,
/// while the pool is used.
///
/// Order, and what a crash leaves after each step:
///
/// 1. The device that holds everything says that it alone does, and which one the other is to be. A
///    crash: as before, the other one is filled anew.
/// 2. The new one's superblocks say that it does not hold everything: it is never opened alone, and
///    never counts beside the other. Then what is written goes to both.
/// 3. Every zone that is not free is copied; one that is free now is written to both before
///    anything in it counts. A zone is copied apart from writes of it ([Mirror#copy]), so whatever
///    was written to both stays.
/// 4. All of it is made stable. A crash up to here: as after 2, it begins anew.
/// 5. The superblock that says that both hold everything is stored, on the new one first; the new
///    one counts when the other one says so too. A crash up to there: it begins anew.
final class Resilver implements Runnable {

  private static final Logger LOGGER = System.getLogger(Resilver.class.getName());

  /// Bytes copied at a time.
  private static final int PIECE = 256 << 10;

  private final Mirror mirror;
  private final Superblocks superblocks;
  private final Segments segments;
  private final PoolDevices.Behind behind;
  private final Runnable whenFilled;
  private final Thread thread;
  private final ByteBuffer buffer = AlignedBuffers.allocate(PIECE);
  private volatile int zone;
  private boolean stopping; // guarded by this

  Resilver(
      Mirror mirror,
      Superblocks superblocks,
      Segments segments,
      PoolDevices.Behind behind,
      Runnable whenFilled) {
    this.mirror = mirror;
    this.superblocks = superblocks;
    this.segments = segments;
    this.behind = behind;
    this.whenFilled = whenFilled;
    thread = Thread.ofPlatform().name("coppice-resilver").daemon().unstarted(this);
  }

  /// Steps 1 and 2; the rest follows by itself.
  ///
  /// @throws DeviceException if the device that holds everything fails
  void start() {
    if (behind.fresh()) {
      superblocks.store(this::withNewDevice);
    }
    try {
      mark();
      mirror.fill(behind.member(), behind.device());
    } catch (DeviceException e) {
      failed(e);
      return;
    }
    thread.start();
  }

  /// Before anything else is written to it, so that it is never taken for what it was.
  private void mark() {
    if (behind.fresh()) {
      behind
          .device()
          .writeStable(0, List.of(AlignedBuffers.allocate((int) PoolLayout.SUPERBLOCK_AREA)));
    }
    Superblocks.write(
        new BlockDevice.Copy(behind.member(), "", behind.device()), superblocks.current());
  }

  private void failed(Throwable reason) {
    LOGGER.log(
        Level.ERROR,
        "The {0} device of the pool could not be brought up to date: {1}",
        PoolDevices.name(behind.member()),
        reason instanceof DeviceException ? reason.getMessage() : reason);
  }

  private Superblock withNewDevice(Superblock before) {
    UUID id = UUID.randomUUID();
    Superblock.Mirror devices =
        before.features().hasMirror()
            ? before.mirror()
            : Superblock.Mirror.fresh().alone(1 - behind.member(), before.generation() + 1);
    return before.next(devices.with(behind.member(), id));
  }

  /// Of what must be copied, 0 to 100.
  int percent() {
    return (int) (100L * zone / segments.zones());
  }

  @Override
  public void run() {
    int member = behind.member();
    try {
      for (int i = 0; i < segments.zones() && !isStopping(); i++) {
        zone = i;
        if (!segments.isFree(i)) {
          copy(i);
        }
      }
      if (!isStopping()) {
        mirror.sync();
        superblocks.filled(mirror, member);
        LOGGER.log(
            Level.INFO, "The {0} device of the pool holds everything.", PoolDevices.name(member));
        whenFilled.run();
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private void copy(int zone) {
    long start = PoolLayout.zoneOffset(zone, segments.zoneSize());
    for (int at = 0; at < segments.zoneSize() && !isStopping(); at += PIECE) {
      long began = System.nanoTime();
      mirror.copy(start + at, behind.member(), buffer);
      pause(System.nanoTime() - began);
    }
  }

  /// Leaves the devices to hosts for as long as the piece has taken.
  private synchronized void pause(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left >= 1_000_000 && !stopping; left = end - System.nanoTime()) {
      try {
        wait(left / 1_000_000);
      } catch (InterruptedException e) {
        Thread.interrupted(); // nobody but this class knows the thread
      }
    }
  }

  private synchronized boolean isStopping() {
    return stopping;
  }

  /// Ends the thread and waits for it.
  void stop() {
    synchronized (this) {
      stopping = true;
      notifyAll();
    }
    Uninterrupted.join(thread);
  }
}
