package io.coppice.engine.state;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.table.StoredVolume;
import io.coppice.engine.thread.Uninterrupted;
import io.coppice.engine.timeline.Journal;
import io.coppice.engine.timeline.Timeline;
import io.coppice.engine.watch.WrittenSums;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A volume or snapshot while the pool is open. Changed by the committer, read by anyone.
public final class VolumeState {

  private final int number;
  private final int family;
  private final RangeOrder order = new RangeOrder();
  private final AtomicInteger reads = new AtomicInteger();
  private final StoredVolume.Role role;
  private final SpaceAccounting space;

  private volatile VolumeInfo info;
  private volatile Version head;
  private volatile boolean deleted;
  private volatile int stamp;
  private volatile @Nullable Timeline timeline;
  private @Nullable JournalPart part; // committer only
  private volatile @Nullable WrittenSums written;
  private volatile long charged;
  private long chargedShared;

  VolumeState(int number, int family, VolumeInfo info, Version head, SpaceAccounting space) {
    this(number, family, info, head, space, StoredVolume.Role.LISTED);
  }

  /// @param role a stage is covered by the promise of its volume
  public VolumeState(
      int number,
      int family,
      VolumeInfo info,
      Version head,
      SpaceAccounting space,
      StoredVolume.Role role) {
    this.role = role;
    this.number = number;
    this.family = family;
    this.info = info;
    this.head = head;
    this.space = space;
    watchHead();
  }

  /// The volume's number in log records.
  public int number() {
    return number;
  }

  /// Equal for volumes that descend from one another.
  public int family() {
    return family;
  }

  public VolumeInfo info() {
    return info;
  }

  public Version head() {
    return head;
  }

  public RangeOrder order() {
    return order;
  }

  public boolean isSnapshot() {
    return info.kind() == VolumeKind.SNAPSHOT;
  }

  /// The part that it has in the pool.
  public StoredVolume.Role role() {
    return role;
  }

  /// Its journal; absent if it has none.
  public @Nullable Timeline timeline() {
    return timeline;
  }

  void setTimeline(@Nullable Timeline of) {
    timeline = of;
  }

  /// The tier of a journal that this hidden volume is of, with that journal; absent if it is of
  /// none.
  public @Nullable JournalPart part() {
    return part;
  }

  void setPart(@Nullable JournalPart of) {
    part = of;
  }

  /// A tier of a journal.
  public record JournalPart(Timeline timeline, Journal journal) {}

  public boolean isDeleted() {
    return deleted;
  }

  public StorageException.NotFound notFound() {
    return new StorageException.NotFound("Volume %s does not exist.".formatted(info.id()));
  }

  /// The sums of what was written to it; absent if nothing was.
  public @Nullable WrittenSums written() {
    return written;
  }

  // ---- committer

  /// The sums of what is written to it, made with the first write.
  public WrittenSums countWritten() {
    WrittenSums sums = written;
    if (sums == null) {
      sums = new WrittenSums();
      written = sums;
    }
    return sums;
  }

  /// Sets a new head, size or flags; readers see all of it at once.
  void become(VolumeInfo newInfo, Version newHead) {
    beginChange();
    if (head != newHead) {
      head.meter(null);
    }
    info = newInfo;
    head = newHead;
    endChange();
    watchHead();
  }

  private void watchHead() {
    if (info.reserved()) {
      head.meter(_ -> recharge());
    } else {
      head.meter(null);
    }
    recharge();
  }

  /// Sets the charge for the blocks that a reserved volume has not stored yet.
  private void recharge() {
    boolean none = deleted || role != StoredVolume.Role.LISTED || !info.reserved();
    long now = none ? 0 : Math.max(0, blocks(info) - head.owned());
    // What it shares with copies it may write over, too; that is not told as reserved.
    long shared = none ? 0 : Math.min(blocks(info) - now, head.shared());
    space.addReservedBlocks(now - charged);
    space.addSharedBlocks(shared - chargedShared);
    charged = now;
    chargedShared = shared;
  }

  public static long blocks(VolumeInfo info) {
    return (info.sizeInBytes() + 4095) / 4096;
  }

  /// Blocks still set aside for it.
  public long chargedBlocks() {
    return charged;
  }

  void delete() {
    deleted = true;
    head.meter(null);
    recharge();
  }

  /// Begins a change that readers must see whole.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void beginChange() {
    stamp = stamp + 1;
    VarHandle.storeStoreFence();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void endChange() {
    stamp = stamp + 1;
  }

  // ---- readers

  /// A stamp; it is even while no change is under way.
  public int stamp() {
    int now = stamp;
    while ((now & 1) != 0) {
      Thread.onSpinWait();
      now = stamp;
    }
    return now;
  }

  public boolean isUnchangedSince(int seen) {
    VarHandle.loadLoadFence();
    return stamp == seen;
  }

  public void readBegins() {
    reads.incrementAndGet();
  }

  public void readEnds() {
    if (reads.decrementAndGet() == 0 && deleted) {
      synchronized (reads) {
        reads.notifyAll();
      }
    }
  }

  /// Waits until no read of a deleted volume is under way.
  public void awaitReads() {
    synchronized (reads) {
      Uninterrupted.await(
          () -> {
            while (reads.get() > 0) {
              reads.wait(100);
            }
          });
    }
  }
}
