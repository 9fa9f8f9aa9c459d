package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.NotCheckable;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The check of both rings of superblocks. Every slot is empty or has a superblock of a generation
/// that belongs there. Every generation since the oldest one in the ring is in both rings. The
/// newest one is possible.
final class SuperblockCheck {

  private final BlockDevice device;
  private final Findings findings;
  private final @Nullable Superblock[] slots = new Superblock[2 * PoolLayout.RING_SLOTS];
  private final boolean[] damaged = new boolean[2 * PoolLayout.RING_SLOTS];
  private final int[] members = new int[2 * PoolLayout.RING_SLOTS];
  private boolean magic;
  private int member;
  private int otherVersion;

  SuperblockCheck(BlockDevice device, Findings findings) {
    this.device = device;
    this.findings = findings;
  }

  /// The device of a mirror that the newest one says it is on.
  int member() {
    return member;
  }

  /// Number of readable superblocks.
  long intact() {
    long intact = 0;
    for (Superblock slot : slots) {
      intact += slot == null ? 0 : 1;
    }
    return intact;
  }

  /// @return the superblock that counts; null if there is none, which is a finding
  /// @throws NotCheckable if this is no pool, or one that must not be read
  @Nullable Superblock run() {
    if (device.sizeInBytes() < PoolLayout.SUPERBLOCK_AREA) {
      throw new NotCheckable(
          "Expected a pool of at least %d bytes, found %d."
              .formatted(PoolLayout.SUPERBLOCK_AREA, device.sizeInBytes()));
    }
    ByteBuffer area = AlignedBuffers.allocate((int) PoolLayout.SUPERBLOCK_AREA);
    device.read(0, area);
    for (int slot = 0; slot < slots.length; slot++) {
      readSlot(slot, area.slice(slot * PoolLayout.BLOCK, PoolLayout.BLOCK));
    }
    Superblock newest = null;
    for (int i = 0; i < slots.length; i++) {
      Superblock slot = slots[i];
      if (slot != null && (newest == null || slot.generation() > newest.generation())) {
        newest = slot;
        member = members[i];
      }
    }
    if (newest == null) {
      return none();
    }
    requireKnown(newest.features());
    checkRings(newest);
    return checkGeometry(newest) ? newest : null;
  }

  private void readSlot(int slot, ByteBuffer slice) {
    ByteBuffer bytes = slice.order(ByteOrder.LITTLE_ENDIAN);
    long offset = (long) slot * PoolLayout.BLOCK;
    if (Superblock.hasMagic(bytes)) {
      magic = true;
      if (Superblock.versionOf(bytes) != PoolLayout.VERSION) {
        otherVersion = Superblock.versionOf(bytes);
      } else if (Superblock.isIntact(bytes, offset)) {
        slots[slot] = Superblock.decode(bytes);
        members[slot] = Superblock.memberOf(bytes);
        return;
      }
    }
    damaged[slot] = !isZero(bytes);
  }

  private static boolean isZero(ByteBuffer bytes) {
    for (int i = 0; i < bytes.limit(); i += 8) {
      if (bytes.getLong(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Superblock none() {
    if (otherVersion != 0) {
      throw new NotCheckable(
          "Expected a pool of format version %d, found version %d."
              .formatted(PoolLayout.VERSION, otherVersion));
    }
    if (!magic) {
      throw new NotCheckable("Expected a pool, found no superblock of one.");
    }
    findings.damage(
        Structure.SUPERBLOCK,
        FindingLocation.offset(0),
        "expected an intact superblock, found only damaged ones");
    return null;
  }

  private static void requireKnown(Superblock.Features features) {
    long unknown = features.incompatible() & ~Superblock.KNOWN_INCOMPATIBLE;
    if (unknown != 0) {
      throw new NotCheckable(
          "Expected a pool with no incompatible features beyond 0x%x, found 0x%x."
              .formatted(Superblock.KNOWN_INCOMPATIBLE, features.incompatible()));
    }
  }

  private void checkRings(Superblock newest) {
    long last = newest.generation();
    long first = Math.max(1, last - PoolLayout.RING_SLOTS + 1);
    for (int slot = 0; slot < slots.length; slot++) {
      int ring = slot / PoolLayout.RING_SLOTS;
      long expected = last - Math.floorMod(last - slot, (long) PoolLayout.RING_SLOTS);
      if (damaged[slot]) {
        warn(slot, "expected a superblock or zeros in its slot, found neither");
      } else if (expected >= first) {
        checkSlot(slot, ring, expected, newest);
      }
    }
  }

  private void checkSlot(int slot, int ring, long expected, Superblock newest) {
    Superblock found = slots[slot];
    if (found == null || found.generation() != expected) {
      String sentence =
          "expected generation %d in slot %d of ring %d, found %s"
              .formatted(
                  expected,
                  slot % PoolLayout.RING_SLOTS,
                  ring,
                  found == null ? "none" : "generation " + found.generation());
      boolean older = found == null || found.generation() < expected;
      // The second ring is written after the first: a crash between the two leaves this. And a
      // device of a mirror has no superblock of a time when it was left out, or did not belong to
      // the mirror.
      if (older
          && (ring == 1 || (newest.features().hasMirror() && expected < newest.generation()))) {
        findings.note(Structure.SUPERBLOCK, FindingLocation.offset((long) slot * 4096), sentence);
      } else {
        warn(slot, sentence);
      }
      return;
    }
    if (!found.pool().equals(newest.pool())
        || !found.geometry().equals(newest.geometry())
        || found.createdMillis() != newest.createdMillis()) {
      warn(slot, "expected the superblock of pool %s, found another's".formatted(newest.pool()));
    }
    Superblock twin = slots[slot % PoolLayout.RING_SLOTS];
    if (twin != null && twin.generation() == expected && !twin.equals(found)) {
      warn(slot, "expected generation %d to be the same in both rings".formatted(expected));
    }
  }

  private void warn(int slot, String sentence) {
    findings.warning(
        Structure.SUPERBLOCK, FindingLocation.offset((long) slot * PoolLayout.BLOCK), sentence);
  }

  private boolean checkGeometry(Superblock newest) {
    Superblock.Geometry geometry = newest.geometry();
    int size = geometry.zoneSize();
    if (Integer.bitCount(size) != 1
        || size < PoolLayout.MIN_ZONE_SIZE
        || size > PoolLayout.MAX_ZONE_SIZE
        || geometry.zones() < PoolLayout.MIN_ZONES) {
      findings.damage(
          Structure.SUPERBLOCK,
          FindingLocation.offset(PoolLayout.slotOffset(0, newest.generation())),
          "expected a possible geometry, found %d zones of %d bytes"
              .formatted(geometry.zones(), size));
      return false;
    }
    long end = PoolLayout.zoneOffset(geometry.zones(), size);
    if (end > device.sizeInBytes()) {
      findings.damage(
          Structure.SUPERBLOCK,
          FindingLocation.offset(device.sizeInBytes()),
          "expected a pool of %d bytes, found %d".formatted(end, device.sizeInBytes()));
      return false;
    }
    return true;
  }
}
