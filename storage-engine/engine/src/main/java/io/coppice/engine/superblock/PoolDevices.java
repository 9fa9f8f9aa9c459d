package io.coppice.engine.superblock;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.mirror.Mirror;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import org.jspecify.annotations.Nullable;

/// The devices of a pool as they were found: which superblock counts, and which of them hold
/// everything. Writes nothing.
///
/// A device that was left out does not know it. So a device of a mirror that comes alone, and says
/// that both hold everything, is not opened unless the caller vouches for it: the other one may
/// have gone on without it. A device that says that it alone holds everything is opened. It gets a
/// superblock of its own before any write of a host. Otherwise, after a crash, a device that was
/// filled from it without its knowledge would count beside it later.
///
/// @param device the destination of all writes
/// @param head the superblock that counts
/// @param uneven whether superblocks are to be stored before anything else ([Superblocks#settle]):
///   one of two that hold everything does not have that one yet, or one is alone
/// @param behind a device that does not hold everything, or nothing at all
public record PoolDevices(
    BlockDevice device, Superblock head, boolean uneven, @Nullable Behind behind) {

  private static final int MOST_APART = 1;

  /// A device to be filled.
  ///
  /// @param fresh whether it is new to the pool
  public record Behind(int member, BlockDevice device, boolean fresh) {}

  /// @param first and `second`: as given; not both null
  /// @param vouched whether one device of two may be opened although nothing says that the other
  ///   one has not gone on without it
  /// @throws StorageException.PoolUnusable if they do not belong together
  public static PoolDevices find(
      @Nullable BlockDevice first, @Nullable BlockDevice second, boolean vouched) {
    SuperblockArea one = first == null ? null : SuperblockArea.read(first);
    SuperblockArea two = second == null ? null : SuperblockArea.read(second);
    if (first != null && one != null && (second == null || two == null)) {
      return single(0, first, one.require(), one.member(), vouched);
    }
    if (second != null && two != null && (first == null || one == null)) {
      return single(1, second, two.require(), two.member(), vouched);
    }
    if (first == null || second == null || one == null || two == null) {
      throw new IllegalArgumentException("expected at least one device");
    }
    if (two.empty()) {
      PoolDevices alone = single(0, first, one.require(), one.member(), vouched);
      return new PoolDevices(
          alone.mirrored(first, null),
          alone.head,
          alone.uneven,
          behind(1, second, alone.head, true));
    }
    if (one.empty()) {
      PoolDevices alone = single(1, second, two.require(), two.member(), vouched);
      return new PoolDevices(
          alone.device, alone.head, alone.uneven, behind(0, first, alone.head, true));
    }
    return pair(first, one, second, two);
  }

  private BlockDevice mirrored(BlockDevice first, @Nullable BlockDevice second) {
    return head.features().hasMirror() ? device : new Mirror(first, second);
  }

  // ---- one

  private static PoolDevices single(
      int member, BlockDevice device, Superblock head, int found, boolean vouched) {
    requireSize(member, device, head);
    if (!head.features().hasMirror()) {
      if (member != 0) {
        throw unusable(
            "Expected the second device of a mirror, found a pool that is kept on one device"
                + " alone: it must be given as the first.");
      }
      return new PoolDevices(device, head, false, null);
    }
    requirePlace(member, found);
    Superblock.Mirror mirror = head.mirror();
    if (!mirror.isWhole(member)) {
      throw unusable(
          "Expected the %s device of pool %s beside its %s one: the %s one has not everything from"
              + " generation %d on.",
          name(1 - member), head.pool(), name(member), name(member), mirror.behind());
    }
    if (mirror.isWhole(1 - member) && !vouched) {
      throw unusable(
          "Expected the %s device of pool %s beside its %s one, found none of that mirror: it may"
              + " have gone on alone.",
          name(1 - member), head.pool(), name(member));
    }
    return new PoolDevices(
        member == 0 ? new Mirror(device, null) : new Mirror(null, device), head, true, null);
  }

  // ---- two

  private static PoolDevices pair(
      BlockDevice first, SuperblockArea one, BlockDevice second, SuperblockArea two) {
    Superblock a = named(0, one);
    Superblock b = named(1, two);
    if (!a.pool().equals(b.pool())) {
      throw unusable(
          "Expected two devices of one pool, found pool %s on the first and pool %s on the second.",
          a.pool(), b.pool());
    }
    if (!a.features().hasMirror() || !b.features().hasMirror()) {
      throw unusable(
          "Expected an empty second device or the other half of the mirror, found another copy of"
              + " pool %s.",
          a.pool());
    }
    requirePlace(0, one.member());
    requirePlace(1, two.member());
    Superblock newest = a.generation() < b.generation() ? b : a;
    requireSame(a, b, newest.mirror());
    int whole = Superblock.whole(a, b);
    if (whole == 0) {
      throw unusable(
          "Expected at most one device of pool %s that went on without the other, found that both"
              + " did: give the one to keep, and an empty one.",
          a.pool());
    }
    requireClose(a, b, whole);
    if (whole == Superblock.Mirror.BOTH) {
      requireSize(0, first, newest);
      requireSize(1, second, newest);
      return new PoolDevices(
          new Mirror(first, second), newest, a.generation() != b.generation(), null);
    }
    return whole == 1 << 0
        ? new PoolDevices(looking(first, null, second), a, true, behind(1, second, a, false))
        : new PoolDevices(looking(null, second, first), b, true, behind(0, first, b, false));
  }

  /// @param behind it may have the only good copy of something
  private static Mirror looking(
      @Nullable BlockDevice first, @Nullable BlockDevice second, BlockDevice behind) {
    Mirror mirror = new Mirror(first, second);
    mirror.lookInto(first == null ? 0 : 1, behind);
    return mirror;
  }

  private static Superblock named(int member, SuperblockArea area) {
    try {
      return area.require();
    } catch (StorageException.PoolUnusable e) {
      throw new StorageException.PoolUnusable(
          "On the %s device: %s".formatted(name(member), e.getMessage()), e);
    } catch (StorageException.Damaged e) {
      throw new StorageException.Damaged(
          "On the %s device: %s".formatted(name(member), e.getMessage()));
    }
  }

  private static void requireSame(Superblock a, Superblock b, Superblock.Mirror mirror) {
    for (int member = 0; member < 2; member++) {
      Superblock own = member == 0 ? a : b;
      if (!own.mirror().id(member).equals(mirror.id(member))) {
        throw unusable(
            "Expected device %s as the %s one of pool %s, found %s, which was replaced.",
            mirror.id(member), name(member), own.pool(), own.mirror().id(member));
      }
    }
  }

  // A crash between the superblocks of the two leaves them one apart. One that does not hold
  // everything may be of any time before.
  private static void requireClose(Superblock a, Superblock b, int whole) {
    int older = a.generation() < b.generation() ? 0 : 1;
    boolean counts = (whole >> older & 1) != 0;
    if (counts && Math.abs(a.generation() - b.generation()) > MOST_APART) {
      throw unusable(
          "Expected the devices of pool %s as they were left, found the %s one at generation %d and"
              + " the %s one at %d: the %s one is from an older time.",
          a.pool(), name(0), a.generation(), name(1), b.generation(), name(older));
    }
  }

  // ---- both

  private static Behind behind(int member, BlockDevice device, Superblock head, boolean fresh) {
    requireSize(member, device, head);
    return new Behind(member, device, fresh);
  }

  private static void requirePlace(int given, int found) {
    if (given != found) {
      throw unusable(
          "Expected the %s device of the mirror in its place, found the %s one.",
          name(given), name(found));
    }
  }

  private static void requireSize(int member, BlockDevice device, Superblock head) {
    Superblock.Geometry geometry = head.geometry();
    if (!head.features().hasMirror() && member == 0) {
      return; // recovery says it
    }
    long least = PoolLayout.zoneOffset(geometry.zones(), geometry.zoneSize());
    if (device.sizeInBytes() < least) {
      throw unusable(
          "Expected at least %d bytes on the %s device, found %d.",
          least, name(member), device.sizeInBytes());
    }
  }

  public static String name(int member) {
    return member == 0 ? "first" : "second";
  }

  private static StorageException.PoolUnusable unusable(String sentence, Object... words) {
    return new StorageException.PoolUnusable(sentence.formatted(words));
  }
}
