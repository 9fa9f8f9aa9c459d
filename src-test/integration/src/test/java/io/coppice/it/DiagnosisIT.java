package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.iscsi.IscsiSession;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.iscsi.IscsiTarget;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.iscsi.setting.IscsiTimeouts;
import io.coppice.scsi.ScsiTarget;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.vasa.diagnosis.Diagnosed;
import io.coppice.vasa.diagnosis.Diagnoser;
import io.coppice.vasa.diagnosis.DiagnosisSettings;
import io.coppice.vasa.diagnosis.Figures;
import io.coppice.vasa.diagnosis.LatencyCause;
import io.coppice.vasa.diagnosis.LoadRecorder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Six staged causes of latency, each named by the diagnosis: over the real engine and target, with
/// I/O over iSCSI. Only the device, which is in memory, and the wire are slow when told to. The
/// time of samples is the test's; the times of commands are real.
@Timeout(60)
class DiagnosisIT {

  private static final String INITIATOR = "iqn.2026-11.io.coppice:diagnosed";
  private static final int BLOCK = 4096;
  private static final int SECTORS = BLOCK / 512;
  private static final long MIB = 1 << 20;
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final int PING_MILLIS = 200;

  /// A device that takes its time when it is told to.
  private static final class Slow extends ForwardingDevice {
    private final AtomicLong delayMillis;

    Slow(BlockDevice device, AtomicLong delayMillis) {
      super(device);
      this.delayMillis = delayMillis;
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      dawdle();
      super.read(offset, into);
    }

    @Override
    public void writeStable(long offset, List<ByteBuffer> from) {
      dawdle();
      super.writeStable(offset, from);
    }

    private void dawdle() {
      try {
        Thread.sleep(delayMillis.get());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final AtomicLong delayMillis = new AtomicLong();
  private final AtomicLong clock = new AtomicLong();
  private final PoolFixture pool = PoolFixture.ofBytes(48 * MIB);
  private final RedirectOnWriteEngine engine =
      pool.behind(device -> new Slow(device, delayMillis)).format().open();
  private final ScsiTarget scsi = ScsiTarget.open(engine, ScsiSettings.defaults());
  private final IscsiTarget iscsi = target(scsi);
  private final SlowWire wire = SlowWire.start(iscsi.portals().getFirst());
  private @Nullable IscsiSession session;
  private final SplittableRandom random = new SplittableRandom(7);

  private static IscsiTarget target(ScsiTarget scsi) {
    IscsiTimeouts usual = IscsiLimits.defaults().waits();
    IscsiTimeouts waits =
        new IscsiTimeouts(
            usual.loginMs(),
            usual.discoveryMs(),
            PING_MILLIS,
            usual.outputMs(),
            usual.dataOutMs(),
            usual.logoutMs());
    return IscsiTarget.start(
        new IscsiSettings(
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            List.of(),
            IscsiLimits.defaults().withWaits(waits),
            2),
        List.of(scsi.endpoints(), scsi.plain()),
        scsi.secrets());
  }

  @AfterEach
  void close() {
    if (session != null) {
      session.close();
    }
    wire.close();
    iscsi.close();
    scsi.close();
    pool.close();
  }

  /// A volume that is exported, and its unit over the wire.
  private record Disk(VolumeId id, LogicalUnit unit, int blocks) {}

  private Disk disk(int lun, long bytes) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(id, bytes));
    scsi.luns().export(OperationId.random(), id, Optional.of(lun), false, Set.of(INITIATOR));
    LogicalUnit unit = new LogicalUnit(session(), Lun.simple(lun));
    unit.clearAttentions();
    return new Disk(id, unit, (int) (bytes / BLOCK));
  }

  /// The session of the initiator, which may log in when it has its first disk.
  private IscsiSession session() {
    IscsiSession open = session;
    if (open == null) {
      open =
          IscsiSession.login(
              wire.address(),
              scsi.plain().name(),
              LoginSettings.of(INITIATOR, 1),
              new WireCounters());
      session = open;
    }
    return open;
  }

  private Diagnoser diagnoser(Duration slow) {
    DiagnosisSettings settings =
        new DiagnosisSettings(Duration.ofSeconds(5), Duration.ofMinutes(1), 1000, slow);
    return new Diagnoser(
        new LoadRecorder(scsi.traffic(), engine, settings, clock::get),
        volume -> iscsi.longestRoundTrip(scsi.sessionsAt(volume)),
        settings);
  }

  /// Has the work done between two samples, and diagnoses the disk for that time.
  private Diagnosed during(Disk disk, Duration slow, Runnable work) {
    Diagnoser diagnoser = diagnoser(slow);
    Set<VolumeId> volumes = Set.of(disk.id());
    assertThat(diagnoser.of(volumes, Duration.ofSeconds(5)).cause()).isEqualTo(LatencyCause.IDLE);
    work.run();
    clock.addAndGet(5 * SECOND);
    Diagnosed diagnosed = diagnoser.of(volumes, Duration.ofSeconds(5));
    assertThat(diagnosed.figures().seconds()).isEqualTo(5);
    return diagnosed;
  }

  private Diagnosed during(Disk disk, Runnable work) {
    return during(disk, Duration.ofMillis(20), work);
  }

  @Test
  void nothingIsWrong() {
    Disk disk = disk(0, 4 * MIB);

    Diagnosed diagnosed = during(disk, () -> write(disk, 100));

    assertThat(diagnosed.cause()).as("%s", diagnosed).isEqualTo(LatencyCause.NONE);
    assertThat(diagnosed.figures().commands()).isEqualTo(100);
    assertThat(diagnosed.figures().bytes()).isEqualTo(100 * BLOCK);
    assertThat(diagnosed.figures().limitNanos()).isZero();
  }

  @Test
  void theDeviceIsSlow() {
    Disk disk = disk(0, 4 * MIB);
    write(disk, 1);
    delayMillis.set(40);

    Diagnosed diagnosed = during(disk, () -> write(disk, 20));

    assertThat(diagnosed.cause()).as("%s", diagnosed).isEqualTo(LatencyCause.DEVICE);
    assertThat(diagnosed.figures().deviceNanos()).isGreaterThanOrEqualTo(40 * MILLISECOND);
  }

  @Test
  void itsOwnLimitHoldsItBack() {
    Disk disk = disk(0, 4 * MIB);
    engine.setAttributes(
        OperationId.random(), disk.id(), LimitAttributes.attributesOf(new Limits(20, 0)), Set.of());

    Diagnosed diagnosed = during(disk, () -> write(disk, 30));

    assertThat(diagnosed.cause()).as("%s", diagnosed).isEqualTo(LatencyCause.LIMIT);
    // One at a time, 20 a second: each but the first waits for almost 50 ms.
    assertThat(diagnosed.figures().limitNanos()).isGreaterThan(30 * MILLISECOND);
  }

  @Test
  void aNeighbourIsNoisy() {
    Disk disk = disk(0, 4 * MIB);
    Disk noisy = disk(1, 4 * MIB);
    disk.unit().clearAttentions(); // there is a unit more
    write(disk, 1);
    write(noisy, 1);
    delayMillis.set(25);

    Diagnosed diagnosed =
        during(
            disk,
            () -> {
              AtomicBoolean over = new AtomicBoolean();
              CompletableFuture<Void> flood =
                  CompletableFuture.runAsync(() -> flood(noisy, 48, over::get));
              write(disk, 20);
              over.set(true);
              flood.join();
            });

    Figures figures = diagnosed.figures();
    assertThat(diagnosed.cause()).as("%s", diagnosed).isEqualTo(LatencyCause.NEIGHBOUR);
    assertThat(figures.neighbours().getFirst().volume()).isEqualTo(noisy.id());
    assertThat(figures.neighbours().getFirst().commandsShare()).isGreaterThan(0.8);
    assertThat(figures.queueNanos()).isGreaterThan(5 * MILLISECOND);
  }

  @Test
  void theNetworkIsSlow() throws Exception {
    Disk disk = disk(0, 4 * MIB);
    wire.delay(40);
    // A ping that went out before may have been fast: the first one that was not is awaited.
    long end = System.nanoTime() + 20 * SECOND;
    while (iscsi
            .longestRoundTrip(scsi.sessionsAt(disk.id()))
            .orElse(Duration.ZERO)
            .compareTo(Duration.ofMillis(80))
        < 0) {
      assertThat(System.nanoTime()).as("a slow answer to a ping").isLessThan(end);
      write(disk, 1);
    }

    Diagnosed diagnosed = during(disk, () -> write(disk, 5));

    assertThat(diagnosed.cause()).as("%s", diagnosed).isEqualTo(LatencyCause.NETWORK);
    assertThat(diagnosed.figures().networkNanos()).isGreaterThanOrEqualTo(80 * MILLISECOND);
  }

  @Test
  void theCleanerIsAtWork() {
    Disk disk = disk(0, 30 * MIB);
    for (int block = 0; block < disk.blocks(); block += 64) {
      good(disk.unit().startWrite((long) block * SECTORS, 64 * SECTORS, content(64)));
    }
    floodUntilMoved(disk, 4 * MIB); // it has begun, since free zones are short
    delayMillis.set(2);

    Diagnosed diagnosed = during(disk, Duration.ofMillis(1), () -> floodUntilMoved(disk, 8 * MIB));

    Figures figures = diagnosed.figures();
    assertThat(diagnosed.cause()).as("%s", diagnosed).isEqualTo(LatencyCause.CLEANER);
    assertThat(figures.movedBytes()).isGreaterThan(8 * MIB);
    assertThat(figures.writtenBytes()).isGreaterThan(figures.movedBytes());
  }

  private void floodUntilMoved(Disk disk, long bytes) {
    long before = engine.counters().bytesMoved();
    long end = System.nanoTime() + 20 * SECOND;
    flood(
        disk, 24, () -> engine.counters().bytesMoved() - before > bytes || System.nanoTime() > end);
  }

  /// Writes blocks, one after the other.
  private void write(Disk disk, int count) {
    for (int i = 0; i < count; i++) {
      good(start(disk));
    }
  }

  /// Writes blocks, so many at a time, until it is over.
  private void flood(Disk disk, int depth, BooleanSupplier over) {
    Queue<CompletableFuture<ScsiResult>> open = new ArrayDeque<>();
    while (!over.getAsBoolean()) {
      while (open.size() < depth) {
        open.add(start(disk));
      }
      good(open.remove());
    }
    open.forEach(DiagnosisIT::good);
  }

  private CompletableFuture<ScsiResult> start(Disk disk) {
    long block;
    synchronized (random) {
      block = random.nextInt(disk.blocks());
    }
    return disk.unit().startWrite(block * SECTORS, SECTORS, content(1));
  }

  private ByteBuffer content(int blocks) {
    ByteBuffer bytes = ByteBuffer.allocate(blocks * BLOCK);
    synchronized (random) {
      while (bytes.hasRemaining()) {
        bytes.putLong(random.nextLong() | 1);
      }
    }
    return bytes.flip();
  }

  private static void good(CompletableFuture<ScsiResult> command) {
    try {
      assertThat(command.get(30, TimeUnit.SECONDS).status()).isZero();
    } catch (Exception e) {
      throw new AssertionError("expected an answer within 30 s", e);
    }
  }
}
