package io.coppice.engine.testing;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A device in memory that forgets what was not synced, tears, reorders and fails, all on request.
///
/// Every 512-byte sector has its stable content and the versions written since. At a crash each
/// sector is, independently of all others, the stable one or any of the later versions: that covers
/// loss, tearing at sector borders and reordering at once. A stable write makes only its own bytes
/// stable. Safe for any thread.
public final class SimulatedBlockDevice implements BlockDevice {

  private static final int SECTOR = 512;

  private final long sizeInBytes;
  private final TreeMap<Long, byte[]> stable;
  private final Map<Long, List<byte[]>> unsynced = new HashMap<>();
  private final Map<Long, byte[]> abandoned = new HashMap<>();
  private long operations;
  private long powerLostAt = Long.MAX_VALUE;
  private @Nullable PowerLoss powerLoss;
  private @Nullable SimulatedBlockDevice besides;
  private long failedWriteAt = Long.MAX_VALUE;
  private long failedSyncAt = Long.MAX_VALUE;
  private boolean failed;
  private final Set<Long> unreadable = new HashSet<>();
  private long syncsFailFrom = Long.MAX_VALUE;
  private long failedSyncAloneAt = Long.MAX_VALUE;
  private volatile long millisUntilTold;
  private boolean syncsLie;
  private long lostWriteAt = Long.MAX_VALUE;
  private long misdirectedWriteAt = Long.MAX_VALUE;

  private final AtomicReference<@Nullable Held> toHold = new AtomicReference<>();

  /// A read that waits in front of the device.
  public static final class Held {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /// Waits until the read has come to the device.
    public void awaitArrival() {
      await(arrived);
    }

    /// Lets it read what the device has now.
    public void release() {
      released.countDown();
    }

    private static void await(CountDownLatch latch) {
      try {
        if (!latch.await(60, TimeUnit.SECONDS)) {
          throw new AssertionError("a held read was not met within 60 s");
        }
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted", e);
      }
    }
  }

  /// What the device was doing when the power went.
  public enum Step {
    WRITE,
    SYNC,
    STABLE_WRITE
  }

  /// Where the power went.
  ///
  /// @param offset first byte of the write, 0 for a sync
  /// @param overwrites whether something stable stood there before
  public record PowerLoss(Step step, long offset, boolean overwrites) {}

  /// @param sizeInBytes a multiple of 4096
  public SimulatedBlockDevice(long sizeInBytes) {
    this(sizeInBytes, new TreeMap<>());
  }

  private SimulatedBlockDevice(long sizeInBytes, TreeMap<Long, byte[]> stable) {
    this.sizeInBytes = sizeInBytes;
    this.stable = stable;
  }

  @Override
  public long sizeInBytes() {
    return sizeInBytes;
  }

  @Override
  public void read(long offset, ByteBuffer into) {
    Held held = toHold.getAndSet(null);
    if (held != null) {
      held.arrived.countDown();
      Held.await(held.released);
    }
    readNow(offset, into);
  }

  private synchronized void readNow(long offset, ByteBuffer into) {
    check(offset, into.remaining());
    if (operations >= powerLostAt) {
      throw new DeviceException("the power is gone");
    }
    for (long sector = offset / SECTOR; into.hasRemaining(); sector++) {
      if (unreadable.contains(sector)) {
        throw new DeviceException("sector %d cannot be read, as the test asked".formatted(sector));
      }
      into.put(newest(sector));
    }
  }

  @Override
  public void write(long offset, List<ByteBuffer> from) {
    telling(() -> writeNow(offset, from));
  }

  private synchronized void writeNow(long offset, List<ByteBuffer> from) {
    step(Step.WRITE, offset);
    List<Long> sectors = keep(offset, from);
    losePowerIfDue(sectors);
  }

  @Override
  public void sync() {
    telling(this::syncNow);
  }

  private synchronized void syncNow() {
    step(Step.SYNC, 0);
    losePowerIfDue(List.of());
    if (operations >= failedSyncAloneAt) {
      failedSyncAloneAt = Long.MAX_VALUE;
      failedSyncAt = 0;
    }
    failSyncIfAsked(List.copyOf(unsynced.keySet()));
    if (!syncsLie) {
      unsynced.forEach((sector, versions) -> stable.put(sector, versions.getLast()));
      unsynced.clear();
    }
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    telling(() -> writeStableNow(offset, from));
  }

  private synchronized void writeStableNow(long offset, List<ByteBuffer> from) {
    step(Step.STABLE_WRITE, offset);
    List<Long> sectors = keep(offset, from);
    losePowerIfDue(sectors);
    failSyncIfAsked(sectors);
    if (!syncsLie) {
      for (Long sector : sectors) {
        List<byte[]> versions = unsynced.remove(sector);
        if (versions != null) {
          stable.put(sector, versions.getLast());
        }
      }
    }
  }

  private void telling(Runnable call) {
    try {
      call.run();
    } catch (DeviceException e) {
      if (millisUntilTold > 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millisUntilTold));
      }
      throw e;
    }
  }

  @Override
  public void close() {}

  /// Writes, syncs and stable writes so far.
  public synchronized long operations() {
    return operations;
  }

  /// Cuts the power in the middle of the `n`-th write or sync from now on: what it writes may or
  /// may not arrive, and every later call fails.
  public synchronized void losePowerAfter(long n) {
    powerLostAt = operations + n;
  }

  /// Has another device lose its power together with this one, in the middle of its next write or
  /// sync or before it. Only this one may be asked to lose it.
  public synchronized void sharePowerWith(SimulatedBlockDevice other) {
    besides = other;
  }

  private synchronized void cutPower() {
    powerLostAt = Math.min(powerLostAt, operations + operations % 2);
  }

  /// Writes and syncs that will still be done, and the one that will not.
  public synchronized long operationsUntilPowerLoss() {
    return powerLostAt - operations;
  }

  public synchronized boolean powerIsLost() {
    return operations >= powerLostAt;
  }

  /// Where the power went, if it did.
  public synchronized Optional<PowerLoss> powerLoss() {
    return Optional.ofNullable(powerLoss);
  }

  /// The `n`-th write or sync from now on fails; of what it writes any part may arrive. As with a
  /// page cache: it reads well until the crash, also after a restart, and no later sync makes it
  /// stable.
  public synchronized void failWrite(long n) {
    failedWriteAt = operations + n;
  }

  /// The sector of this byte cannot be read until it is written.
  public synchronized void failReads(long byteOffset) {
    unreadable.add(byteOffset / SECTOR);
  }

  /// Byte offsets of the sectors that cannot be read. What a restart finds can be read, unless it
  /// is told otherwise.
  public synchronized Set<Long> unreadableSectors() {
    Set<Long> offsets = new HashSet<>();
    unreadable.forEach(sector -> offsets.add(sector * SECTOR));
    return offsets;
  }

  /// The next read waits until it is released.
  public Held holdNextRead() {
    Held held = new Held();
    toHold.set(held);
    return held;
  }

  /// Every sector can be read again.
  public synchronized void healReads() {
    unreadable.clear();
  }

  /// Every sync and stable write from the `n`-th operation on fails and makes nothing stable.
  public synchronized void failSyncs(long n) {
    syncsFailFrom = operations + n;
  }

  /// The first sync or stable write from the `n`-th operation on fails, and no other one. As with a
  /// page cache: what it should have made stable reads well until the crash, and no later sync
  /// makes it stable.
  public synchronized void failSync(long n) {
    failedSyncAt = operations + n;
  }

  /// As [#failSync], the first sync, and no stable write. All that was not stable is lost by it.
  public synchronized void failSyncAlone(long n) {
    failedSyncAloneAt = operations + n;
  }

  /// Who meets a failure hears of it only so many milliseconds after the device has failed; other
  /// calls go on meanwhile, and hear nothing.
  public void tellFailuresLate(long millis) {
    millisUntilTold = millis;
  }

  /// Whether the power is lost, or a write or sync failed.
  public synchronized boolean hasFailed() {
    return failed || powerIsLost();
  }

  /// Whether it has power and no sync of it fails from now on. One may have failed: what it left
  /// out reads well, and goes with the power unless it is written anew.
  public synchronized boolean canGoOn() {
    return !powerIsLost() && syncsFailFrom == Long.MAX_VALUE;
  }

  /// Nothing that was asked for and has not come yet will come.
  public synchronized void forgetFaults() {
    powerLostAt = Long.MAX_VALUE;
    failedWriteAt = Long.MAX_VALUE;
    failedSyncAt = Long.MAX_VALUE;
    failedSyncAloneAt = Long.MAX_VALUE;
    millisUntilTold = 0;
  }

  /// Every sync from now on says that it succeeded and makes nothing stable: outside every
  /// contract, but it must be noticed.
  public synchronized void lieAboutSyncs() {
    syncsLie = true;
  }

  /// The `n`-th write from now on is acknowledged and never arrives.
  public synchronized void loseWrite(long n) {
    lostWriteAt = operations + n;
  }

  /// The `n`-th write from now on lands one block further.
  public synchronized void misdirectWrite(long n) {
    misdirectedWriteAt = operations + n;
  }

  /// Flips one bit of what is stored.
  public synchronized void flipBit(long byteOffset, int bit) {
    long sector = byteOffset / SECTOR;
    byte[] damaged = newest(sector).clone();
    damaged[(int) (byteOffset % SECTOR)] ^= (byte) (1 << bit);
    unsynced.remove(sector);
    abandoned.remove(sector);
    stable.put(sector, damaged);
  }

  /// What a restart finds: each sector that was written and not synced is any of its versions.
  public synchronized SimulatedBlockDevice afterCrash(RandomGenerator random) {
    TreeMap<Long, byte[]> survived = new TreeMap<>(stable);
    new TreeMap<>(abandoned)
        .forEach(
            (sector, content) -> {
              if (random.nextBoolean()) {
                survived.put(sector, content);
              }
            });
    new TreeMap<>(unsynced)
        .forEach(
            (sector, versions) -> {
              int choice = random.nextInt(versions.size() + 1);
              if (choice > 0) {
                survived.put(sector, versions.get(choice - 1));
              }
            });
    return new SimulatedBlockDevice(sizeInBytes, survived);
  }

  /// Byte offsets of the sectors that hold something.
  public synchronized List<Long> storedSectors() {
    TreeMap<Long, byte[]> all = new TreeMap<>(stable);
    all.putAll(abandoned);
    unsynced.forEach((sector, versions) -> all.put(sector, versions.getLast()));
    return all.keySet().stream().map(sector -> sector * SECTOR).toList();
  }

  /// Byte offsets of the blocks that begin with these eight bytes, little-endian, as the structures
  /// of a pool do.
  public synchronized List<Long> structures(long magic) {
    return storedSectors().stream()
        .filter(offset -> offset % BLOCK_SIZE == 0)
        .filter(
            offset ->
                ByteBuffer.wrap(newest(offset / SECTOR)).order(ByteOrder.LITTLE_ENDIAN).getLong()
                    == magic)
        .toList();
  }

  /// A hash per stored sector, in order: equal lists mean that nothing was written between.
  public synchronized List<Integer> contentHashes() {
    List<Integer> hashes = new ArrayList<>();
    storedSectors()
        .forEach(
            offset -> {
              hashes.add(offset.hashCode());
              hashes.add(Arrays.hashCode(newest(offset / SECTOR)));
            });
    return hashes;
  }

  private void step(Step step, long offset) {
    if (operations >= powerLostAt) {
      throw new DeviceException("the power is gone");
    }
    operations++;
    if (operations == powerLostAt) {
      powerLoss = new PowerLoss(step, offset, stable.containsKey(offset / SECTOR));
      SimulatedBlockDevice other = besides;
      if (other != null) {
        other.cutPower();
      }
    }
  }

  private void losePowerIfDue(List<Long> written) {
    if (operations >= powerLostAt) {
      throw new DeviceException("the power is gone");
    }
    if (operations == failedWriteAt) {
      failed = true;
      abandon(written);
      throw new DeviceException("the write failed, as the test asked");
    }
  }

  private void failSyncIfAsked(List<Long> sectors) {
    boolean once = operations >= failedSyncAt;
    if (once) {
      failedSyncAt = Long.MAX_VALUE;
      abandon(sectors);
    }
    if (once || operations >= syncsFailFrom) {
      failed = true;
      throw new DeviceException("the sync failed, as the test asked");
    }
  }

  /// They read well until the power goes, and no sync writes them.
  private void abandon(List<Long> sectors) {
    for (Long sector : sectors) {
      List<byte[]> versions = unsynced.remove(sector);
      if (versions != null) {
        abandoned.put(sector, versions.getLast());
      }
    }
  }

  private List<Long> keep(long offset, List<ByteBuffer> from) {
    boolean lost = operations == lostWriteAt;
    List<Long> sectors = new ArrayList<>();
    long shift = operations == misdirectedWriteAt ? BLOCK_SIZE : 0;
    long at = offset + shift;
    for (ByteBuffer buffer : from) {
      check(at - shift, buffer.remaining());
      while (buffer.hasRemaining()) {
        byte[] content = new byte[SECTOR];
        buffer.get(content);
        if (!lost) {
          abandoned.remove(at / SECTOR);
          unsynced.computeIfAbsent(at / SECTOR, _ -> new ArrayList<>()).add(content);
          unreadable.remove(at / SECTOR);
          sectors.add(at / SECTOR);
        }
        at += SECTOR;
      }
    }
    return sectors;
  }

  private byte[] newest(long sector) {
    List<byte[]> versions = unsynced.get(sector);
    if (versions != null) {
      return versions.getLast();
    }
    byte[] content = abandoned.getOrDefault(sector, stable.get(sector));
    return content == null ? new byte[SECTOR] : content;
  }

  private void check(long offset, int length) {
    if (offset < 0
        || offset % BLOCK_SIZE != 0
        || length % BLOCK_SIZE != 0
        || offset + length > sizeInBytes) {
      throw new IllegalArgumentException(
          "expected whole blocks inside %d bytes, got offset %d, length %d"
              .formatted(sizeInBytes, offset, length));
    }
  }
}
