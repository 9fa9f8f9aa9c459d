package io.coppice.engine.mirror;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.mirror.Mirror;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.superblock.PoolDevices;
import io.coppice.engine.superblock.Superblocks;
import io.coppice.engine.thread.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The resilver of a mirror: it brings a device that does not hold everything up to date, on a
/// thread of its own, while the pool is used.
///
/// Order, and what a crash leaves after each step:
///
/// 1. The device that holds everything says that it alone does, and which one the other is to be. A
///    crash: as before, the other one is filled anew.
/// 2. The new one's superblocks say that it does not hold everything: it is never opened alone, and
///    never counts beside the other. From then on writes go to both.
/// 3. Every zone that is not free is copied, block by block, each from a device with an intact copy
///    ([ZoneResilver]). A zone that is free now is written to both before anything in it counts. A
///    zone is copied apart from writes of it ([Mirror#copy]), so anything that was written to both
///    stays.
/// 4. All of it is made stable. A crash up to here: as after 2, it begins anew.
/// 5. Data that no device has is known by volume and LBA, and reported ([UnreadableBlocks]). The
///    superblock that says that both hold everything is stored, on the new one first. The new one
///    counts when the other one says so too. A crash up to there: it begins anew.
final class Resilver implements Runnable, ZoneResilver.Pace {

  private static final Logger LOGGER = System.getLogger(Resilver.class.getName());

  private final Mirror mirror;
  private final Superblocks superblocks;
  private final ZoneResilver.Parts parts;
  private final PoolDevices.Behind behind;
  private final Runnable whenFilled;
  private final Thread thread;
  private volatile int zone;
  private volatile @Nullable UnreadableBlocks unreadable;
  private boolean stopping; // guarded by this

  /// The signal that ends the thread's work.
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  Resilver(
      Mirror mirror,
      Superblocks superblocks,
      ZoneResilver.Parts parts,
      PoolDevices.Behind behind,
      Runnable whenFilled) {
    this.mirror = mirror;
    this.superblocks = superblocks;
    this.parts = parts;
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

  /// Marks the device before anything else is written to it, so that it is never taken for its old
  /// self.
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

  /// The share that has been copied, 0 to 100.
  int percent() {
    return (int) (100L * zone / parts.state().segments().zones());
  }

  /// Data that no device has and a volume still maps, in words; empty if all stored data is there.
  String leftUnreadable() {
    UnreadableBlocks found = unreadable;
    return found == null ? "" : found.sentence();
  }

  @Override
  public void run() {
    int member = behind.member();
    try {
      ZoneResilver fill = new ZoneResilver(parts, mirror, member, this);
      fill.run();
      mirror.sync();
      UnreadableBlocks found = parts.unreadable();
      found.look(fill.lost(), fill.damages(), () -> took(0));
      unreadable = found;
      superblocks.filled(mirror, member);
      tell(PoolDevices.name(member), found.sentence());
      whenFilled.run();
    } catch (Stopped e) {
      LOGGER.log(Level.DEBUG, "A device was being filled when the pool was closed.");
    } catch (StorageException e) {
      if (!isStopping()) {
        failed(e);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private static void tell(String name, String left) {
    if (left.isEmpty()) {
      LOGGER.log(Level.INFO, "The {0} device of the pool holds everything.", name);
    } else {
      LOGGER.log(
          Level.ERROR,
          "The {0} device of the pool holds what the other one holds. {1}",
          name,
          left);
    }
  }

  @Override
  public void zone(int number) {
    zone = number;
  }

  /// Leaves the devices to hosts for as long as the piece has taken.
  @Override
  public void took(long nanos) {
    pause(nanos);
    if (isStopping()) {
      throw new Stopped();
    }
  }

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
