package io.coppice.bench.iscsi;

import io.coppice.bench.subject.Load;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.harness.Mismatch;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/// The driver's own initiator in this process: one session for each run.
final class DriverClient implements Client {

  private static final int SECTOR = 512;
  private static final byte[] RANDOM = new byte[16 << 20];

  static {
    ThreadLocalRandom.current().nextBytes(RANDOM);
  }

  private final long sizeInBytes;

  DriverClient(long sizeInBytes) {
    this.sizeInBytes = sizeInBytes;
  }

  @Override
  public String name() {
    return "the driver's own initiator";
  }

  @Override
  public Run run(Side side, Load load, Duration time) {
    LoginSettings settings = LoginSettings.of(Product.INITIATOR, 1);
    try (IscsiPath path =
        IscsiPath.open(side.portal(), side.target(), settings, new WireCounters())) {
      LogicalUnit unit = Product.ready(path, side.lun());
      Duration cpu = ownCpu();
      long start = System.nanoTime();
      long ended = drive(unit, load, start + time.toNanos());
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Run(ended, ended / seconds, ownCpu().minus(cpu));
    }
  }

  private long drive(LogicalUnit unit, Load load, long deadline) {
    Deque<CompletableFuture<ScsiResult>> outstanding = new ArrayDeque<>();
    long begun = 0;
    long ended = 0;
    while (System.nanoTime() - deadline < 0) {
      while (outstanding.size() < load.depth()) {
        outstanding.add(begin(unit, load, begun++));
      }
      require(outstanding.remove().join());
      ended++;
    }
    for (CompletableFuture<ScsiResult> last : outstanding) {
      require(last.join());
      ended++;
    }
    return ended;
  }

  private CompletableFuture<ScsiResult> begin(LogicalUnit unit, Load load, long number) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long places = sizeInBytes / load.blockBytes();
    long place = load.sequential() ? number % places : random.nextLong(places);
    int blocks = load.blockBytes() / SECTOR;
    if (load.readPercent() == 100 || random.nextInt(100) < load.readPercent()) {
      return unit.startRead(place * blocks, blocks, SECTOR);
    }
    return unit.startWrite(place * blocks, blocks, randomBytes(load.blockBytes()));
  }

  /// Some of 16 MiB of random bytes.
  static ByteBuffer randomBytes(int length) {
    int from = ThreadLocalRandom.current().nextInt(RANDOM.length - length);
    return ByteBuffer.wrap(RANDOM, from, length).slice();
  }

  static void require(ScsiResult result) {
    if (!result.good()) {
      throw new Mismatch("expected GOOD, got " + result);
    }
  }

  private static Duration ownCpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
  }

  @Override
  public void close() {
    // Each run ends its session.
  }
}
