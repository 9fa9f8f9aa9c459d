package io.coppice.engine.superblock;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.mirror.Mirror;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The superblock that counts, and the way to the next one. Safe for any thread.
///
/// Each goes to its slot in the first ring of a device, stable, then to the second ring, then to
/// the other device of a mirror. From the first slot on a restart uses it. The slots of the
/// generation before are others and stay. Everything that it names is stable before, on every
/// device that it says holds everything.
///
/// *Two devices.* One counts if the superblocks of both say that it holds everything
/// ([Superblock#whole]). The argument rests on two facts: a device that says that it alone does
/// holds all that was acknowledged, and the two never both say it of themselves.
///
/// - *One fails.* Both say, stably, that both do. Then the other one says that it alone does,
///   stably, before anything is acknowledged that the failed one lacks. After a crash before that,
///   both still hold what was acknowledged, and both or the other one alone count. After a later
///   crash, the other one counts.
/// - *The other one cannot be made to say it.* It may say it all the same: a write that fails may
///   arrive. So from then on neither says anything ([#undecided]), least of all the reverse. No
///   further failure is survived. What was acknowledged is still on both, and whichever a restart
///   reads is true.
/// - *One has been filled.* It says that both do, then the other one does. Until that is stable,
///   the other one still says that it alone does, and the filled one counts for nothing. After a
///   crash it is filled anew. If the filled one fails, it is left out and nothing need be said. If
///   the other one fails, the pool stops, as it did with that one alone; all that was acknowledged
///   since is on both.
/// - *A restart* may read what is in a cache only, and what a crash left on one of two. Before it
///   acknowledges anything it stores what it read ([#settle]). On two that hold everything it
///   stores the same generation, so that they are never two apart. On one that is alone it stores
///   another generation that says so. Only then is the device that is behind written.
public final class Superblocks implements Mirror.Keeper {

  private static final Logger LOGGER = System.getLogger(Superblocks.class.getName());

  private final BlockDevice device;
  private Superblock current; // guarded by this
  private volatile Superblock stored;

  /// Why it is unknown which devices the superblocks on them say to hold everything; guarded by
  /// this.
  private @Nullable DeviceException undecided;

  public Superblocks(BlockDevice device, Superblock current) {
    this.device = device;
    this.current = current;
    stored = current;
  }

  /// The last one that is stable; never waits for the next.
  public Superblock current() {
    return stored;
  }

  /// Makes the superblock after the current one count.
  ///
  /// @return the stored one; by then a later one may count
  /// @throws DeviceException if it is not certain on any device that is to hold it
  public synchronized Superblock store(UnaryOperator<Superblock> next) {
    requireDecided();
    Superblock superblock = next.apply(current);
    current = superblock;
    write(device, superblock);
    stored = current;
    return superblock;
  }

  /// Stores a superblock on every device that holds everything.
  public static void write(BlockDevice device, Superblock superblock) {
    for (BlockDevice.Copy copy : device.copies()) {
      try {
        write(copy, superblock);
      } catch (DeviceException e) {
        // One that was left out for it is known to be: what counts is stored on the other one.
        if (device.hasCopy(copy.number())) {
          throw e;
        }
      }
    }
  }

  public static void write(BlockDevice.Copy copy, Superblock superblock) {
    for (int ring = 0; ring < 2; ring++) {
      long offset = PoolLayout.slotOffset(ring, superblock.generation());
      ByteBuffer slot = AlignedBuffers.allocate(Superblock.LENGTH);
      superblock.encode(slot, offset, copy.number());
      copy.device().writeStable(offset, List.of(slot));
    }
  }

  /// Before the first change of a pool that was opened on two devices or one of them: what was read
  /// is stable where it counts, and one that is alone says so.
  ///
  /// @throws DeviceException if that is not certain
  public synchronized void settle() {
    List<BlockDevice.Copy> copies = device.copies();
    if (copies.size() == 1) {
      int only = copies.getFirst().number();
      store(before -> before.next(before.mirror().alone(only, before.generation() + 1)));
    } else {
      requireDecided();
      write(device, current);
    }
  }

  /// Before the first change of an opened pool: makes the superblock that was read stable, even if
  /// a failed write had left it in a cache only. The slots hold the same before and after.
  ///
  /// @throws DeviceException if that is not certain
  public synchronized void rewrite() {
    write(device, current);
  }

  /// Makes a filled device count: everything it must hold is stable on it.
  ///
  /// @throws DeviceException if it was left out meanwhile, or it is not certain
  public synchronized void filled(Mirror mirror, int member) {
    requireDecided();
    BlockDevice alone = mirror.filling(member);
    if (alone == null || !mirror.filled(member)) {
      throw new DeviceException("the device was left out of the mirror");
    }
    Superblock next = current.next(current.mirror().both());
    write(new BlockDevice.Copy(member, "", alone), next);
    for (BlockDevice.Copy copy : device.copies()) {
      if (copy.number() != member) {
        write(copy, next);
      }
    }
    current = next;
    stored = next;
  }

  @Override
  public synchronized void leftOut(int member, DeviceException reason) {
    DeviceException before = undecided;
    if (before != null) {
      throw noneLeft(before.getMessage() + "; " + reason.getMessage(), reason);
    }
    Superblock.Mirror now = current.mirror();
    if (current.features().hasMirror() && !now.isWhole(member)) {
      return; // the other one says so
    }
    undecided = reason;
    BlockDevice.Copy other =
        device.copies().stream()
            .filter(copy -> copy.number() != member && now.isWhole(copy.number()))
            .findFirst()
            .orElseThrow(() -> reason);
    Superblock next = current.next(now.alone(other.number(), current.generation() + 1));
    write(other, next);
    current = next;
    stored = next;
    undecided = null;
    LOGGER.log(
        Level.ERROR,
        "The {0} device of the pool has failed and is left out, the pool goes on with the other"
            + " one alone: {1}",
        PoolDevices.name(member),
        reason.getMessage());
  }

  private void requireDecided() {
    DeviceException before = undecided;
    if (before != null) {
      throw noneLeft(before.getMessage(), before);
    }
  }

  private static DeviceException noneLeft(@Nullable String reason, DeviceException cause) {
    return new DeviceException("no device of the pool is left that can go on: " + reason, cause);
  }
}
