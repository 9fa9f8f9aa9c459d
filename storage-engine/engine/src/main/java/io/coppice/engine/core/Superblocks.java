package io.coppice.engine.core;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.Mirror;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;

/// The superblock that counts, and the way to the next one. Safe for any thread.
///
/// Each goes to its slot in the first ring of a device, stable, then to the second, then to the
/// other device of a mirror. From the first one on a restart uses it; the slots of the generation
/// before are others and stay. What it names is stable before, on every device that it says holds
/// everything.
///
/// *A device of a mirror fails.* The superblock that says so is stable on the other one before
/// anything is acknowledged that only that one has. A crash before: nothing was acknowledged that
/// the failed one lacks, both count. After: the failed one counts for nothing, whatever it says of
/// itself.
final class Superblocks implements Mirror.Keeper {

  private static final Logger LOGGER = System.getLogger(Superblocks.class.getName());

  private static final int NONE = -1;

  private final BlockDevice device;
  private Superblock current; // guarded by this
  private volatile Superblock stored;
  private boolean leaving; // guarded by this
  private int joining = NONE; // guarded by this

  Superblocks(BlockDevice device, Superblock current) {
    this.device = device;
    this.current = current;
    stored = current;
  }

  /// The last one that is stable; never waits for the next.
  Superblock current() {
    return stored;
  }

  /// Makes the one after the current one count.
  ///
  /// @return what was stored; by then a later one may count
  /// @throws DeviceException if it is not certain on any device that is to hold it
  synchronized Superblock store(UnaryOperator<Superblock> next) {
    Superblock superblock = next.apply(current);
    current = superblock;
    write(device, superblock);
    stored = current;
    return superblock;
  }

  /// Stores a superblock on every device that holds everything.
  static void write(BlockDevice device, Superblock superblock) {
    for (BlockDevice.Copy copy : device.copies()) {
      try {
        write(copy, superblock);
      } catch (DeviceException e) {
        // One that was left out for it is known to be: what counts is stored on the other one.
        if (device.copies().stream().anyMatch(left -> left.number() == copy.number())) {
          throw e;
        }
      }
    }
  }

  static void write(BlockDevice.Copy copy, Superblock superblock) {
    for (int ring = 0; ring < 2; ring++) {
      long offset = PoolLayout.slotOffset(ring, superblock.generation());
      ByteBuffer slot = AlignedBuffers.allocate(Superblock.LENGTH);
      superblock.encode(slot, offset, copy.number());
      copy.device().writeStable(offset, List.of(slot));
    }
  }

  /// Makes a device count that has been filled: everything it must hold is stable on it. On that
  /// device first, so that it is never behind the other one, which says that both hold everything.
  /// If that fails nobody knows whether it says so: the other one says that it alone does, of the
  /// same generation, before anything is acknowledged on that one alone.
  ///
  /// @throws DeviceException if it was left out meanwhile
  synchronized void filled(Mirror mirror, int member) {
    BlockDevice alone = mirror.filling(member);
    if (alone == null || !mirror.filled(member)) {
      throw new DeviceException("the device was left out of the mirror");
    }
    Superblock next = current.next(current.mirror().both());
    joining = member;
    try {
      write(new BlockDevice.Copy(member, "", alone), next);
    } finally {
      joining = NONE;
    }
    current = next;
    write(device, next);
    stored = current;
  }

  @Override
  public synchronized void leftOut(int member, DeviceException reason) {
    Superblock.Mirror now = current.mirror();
    if (!current.features().hasMirror()) {
      throw reason;
    }
    if (!now.isWhole(member) && member != joining) {
      return;
    }
    BlockDevice.Copy other =
        device.copies().stream()
            .filter(copy -> copy.number() != member && now.isWhole(copy.number()))
            .findFirst()
            .orElse(null);
    if (leaving || other == null) {
      throw reason;
    }
    leaving = true;
    try {
      Superblock next = current.next(now.only(other.number(), current.generation() + 1));
      write(other, next);
      current = next;
      stored = next;
    } finally {
      leaving = false;
    }
    LOGGER.log(
        Level.ERROR,
        "The {0} device of the pool has failed and is left out, the pool goes on with the other"
            + " one alone: {1}",
        member == 0 ? "first" : "second",
        reason.getMessage());
  }
}
