package io.coppice.bench.replication;

import io.coppice.bench.subject.Idle;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.harness.Mismatch;
import io.coppice.kit.Callers;
import io.coppice.kit.Latencies;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writes of 4 KiB to random places of many disks over iSCSI, whose last one of each place is
/// known.
///
/// Each of `depth` lanes has its own places and one command outstanding, so no two writes of a
/// place are under way at once. One thread at a time.
final class KnownWrites {

  static final int BLOCK = 4096;

  private static final int SECTOR = 512;
  private static final int PIECE = 256; // blocks
  private static final int CALLERS = 8;
  private static final byte[] RANDOM = new byte[16 << 20];

  static {
    new Random(3).nextBytes(RANDOM);
  }

  private final int blocks;
  private final int depth;
  private final int[][] last;
  private final SplittableRandom random = new SplittableRandom(5);
  private final Idle<Lane> idle;
  private List<LogicalUnit> units;
  private int number;
  private volatile @Nullable String failure;

  /// @param bytes of each disk that are written to, a multiple of 1 MiB
  /// @param depth commands outstanding at most, a divisor of the number of blocks
  KnownWrites(List<LogicalUnit> units, long bytes, int depth) {
    this.units = List.copyOf(units);
    this.blocks = Math.toIntExact(bytes / BLOCK);
    this.depth = depth;
    last = new int[units.size()][blocks];
    idle = new Idle<>(depth);
    for (int i = 0; i < depth; i++) {
      idle.add(new Lane(i));
    }
  }

  /// Goes on with the same disks elsewhere, in the same order.
  void moveTo(List<LogicalUnit> others) {
    units = List.copyOf(others);
    units.forEach(LogicalUnit::clearAttentions);
  }

  /// Writes every block once.
  void fill() {
    Callers.run(
        CALLERS,
        units.size(),
        disk -> {
          for (int first = 0; first < blocks; first += PIECE) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE * BLOCK);
            for (int block = first; block < first + PIECE; block++) {
              piece.put(content(disk, block, 0));
            }
            units.get(disk).write(lba(first), PIECE * (BLOCK / SECTOR), piece.flip());
          }
        });
  }

  /// The load of a run.
  ///
  /// @param time how long it lasts at most
  /// @param perSecond writes a second; 0 for as many as go
  /// @param most writes in all at most
  record Plan(Duration time, double perSecond, long most) {

    static Plan saturated(Duration time) {
      return new Plan(time, 0, Long.MAX_VALUE);
    }

    static Plan at(double perSecond, Duration time) {
      return new Plan(time, perSecond, Long.MAX_VALUE);
    }

    static Plan of(long most) {
      return new Plan(Duration.ofHours(1), 0, most);
    }
  }

  /// The result of a run.
  ///
  /// @param writes that ended
  /// @param latencies from when each was due to its end
  record Run(long writes, double seconds, Latencies latencies) {

    double perSecond() {
      return writes / seconds;
    }

    long bytes() {
      return writes * BLOCK;
    }
  }

  /// Writes until the plan is done or `ending` says so, and waits for the last one.
  ///
  /// @throws Mismatch if one fails
  Run run(Plan plan, BooleanSupplier ending) {
    Latencies latencies = Latencies.shared();
    long start = System.nanoTime();
    long end = start + plan.time().toNanos();
    long begun = 0;
    while (begun < plan.most() && !ending.getAsBoolean()) {
      long due = System.nanoTime();
      if (plan.perSecond() > 0) {
        due = start + (long) (begun * 1e9 / plan.perSecond());
        sleepUntil(Math.min(due, end));
      }
      if (due >= end) {
        break;
      }
      Lane lane = idle.take();
      check();
      lane.begin(plan.perSecond() > 0 ? due : System.nanoTime(), latencies);
      begun++;
    }
    rest();
    return new Run(begun, (System.nanoTime() - start) / 1e9, latencies);
  }

  Run run(Plan plan) {
    return run(plan, () -> false);
  }

  private void rest() {
    List<Lane> all = Stream.generate(idle::take).limit(depth).toList();
    all.forEach(idle::add);
    check();
  }

  private void check() {
    String failed = failure;
    if (failed != null) {
      throw new Mismatch("expected all writes to end GOOD: " + failed);
    }
  }

  private static void sleepUntil(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(5)));
    }
  }

  /// The number of the last write, to ask for [#changedSince].
  int mark() {
    return number;
  }

  /// Bytes of the places that were written to since a mark.
  long changedSince(int mark) {
    long changed = 0;
    for (int[] disk : last) {
      for (int write : disk) {
        changed += write > mark ? BLOCK : 0;
      }
    }
    return changed;
  }

  /// Reads all of a disk that is to hold what was written to one of ours.
  ///
  /// @throws Mismatch at the first block that differs
  void verify(int disk, LogicalUnit unit) {
    unit.clearAttentions();
    for (int first = 0; first < blocks; first += PIECE) {
      ByteBuffer read = unit.read(lba(first), PIECE * (BLOCK / SECTOR), SECTOR);
      for (int i = 0; i < PIECE; i++) {
        require(disk, first + i, read.slice(i * BLOCK, BLOCK));
      }
    }
  }

  /// Reads all of all disks where they are now.
  void verifyAll() {
    Callers.run(CALLERS, units.size(), disk -> verify(disk, units.get(disk)));
  }

  /// Reads one block of a disk.
  void verifyFirst(int disk, LogicalUnit unit) {
    require(disk, 0, unit.read(0, BLOCK / SECTOR, SECTOR));
  }

  private void require(int disk, int block, ByteBuffer read) {
    if (!read.equals(content(disk, block, last[disk][block]))) {
      throw new Mismatch(
          "expected write %d in block %d of disk %d, it begins with %x and %d"
              .formatted(last[disk][block], block, disk, read.getLong(0), read.getInt(8)));
    }
  }

  /// Bytes that have little in common with those of any other write, so that nothing compresses
  /// them.
  private static ByteBuffer content(int disk, int block, int write) {
    long mixed = ((long) disk << 48 ^ (long) block << 32 ^ write) * 0x9E37_79B9_7F4A_7C15L;
    int from = (int) ((mixed >>> 33) % (RANDOM.length - BLOCK));
    ByteBuffer content = ByteBuffer.allocate(BLOCK);
    content.put(RANDOM, from, BLOCK);
    content.putLong(0, (long) disk << 32 | block).putInt(Long.BYTES, write);
    return content.flip();
  }

  private static long lba(int block) {
    return (long) block * (BLOCK / SECTOR);
  }

  /// Places of its own, with one command outstanding.
  private final class Lane {

    private final int share;

    Lane(int share) {
      this.share = share;
    }

    void begin(long due, Latencies latencies) {
      int disk = random.nextInt(units.size());
      int block = share + depth * random.nextInt(blocks / depth);
      int write = ++number;
      last[disk][block] = write;
      var unused =
          units
              .get(disk)
              .startWrite(lba(block), BLOCK / SECTOR, content(disk, block, write))
              .whenComplete((result, thrown) -> ended(due, latencies, result, thrown));
    }

    private void ended(
        long due, Latencies latencies, @Nullable ScsiResult result, @Nullable Throwable thrown) {
      if (result != null && result.good()) {
        latencies.record(System.nanoTime() - due);
      } else {
        failure = String.valueOf(thrown == null ? result : thrown);
      }
      idle.add(this);
    }
  }
}
