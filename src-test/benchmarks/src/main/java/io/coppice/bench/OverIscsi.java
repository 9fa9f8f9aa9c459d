package io.coppice.bench;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.harness.DiskTransfer;
import io.coppice.harness.Mismatch;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/// The whole product: a plain logical unit through the driver's own initiator, one session.
final class OverIscsi implements Peer {

  private static final int BLOCK = 4096;
  private static final int SECTOR = 512;

  private final IscsiPath path;
  private final LogicalUnit unit;
  private final long blocks;

  /// @param content image whose bytes the logical unit gets first
  OverIscsi(IscsiPath path, Lun lun, long sizeInBytes, Path content) {
    this.path = path;
    this.unit = new LogicalUnit(path, lun);
    this.blocks = sizeInBytes / BLOCK;
    DiskTransfer.writeChanges(unit, content, null);
  }

  @Override
  public String name() {
    return "coppice";
  }

  @Override
  public double perSecond(Work work, int depth, long nanos) {
    Deque<CompletableFuture<ScsiResult>> outstanding = new ArrayDeque<>();
    long start = System.nanoTime();
    long done = 0;
    while (System.nanoTime() - start < nanos) {
      while (outstanding.size() < depth) {
        outstanding.add(begin(work));
      }
      require(outstanding.remove().join());
      done++;
    }
    for (CompletableFuture<ScsiResult> last : outstanding) {
      require(last.join());
      done++;
    }
    return done * 1e9 / (System.nanoTime() - start);
  }

  private CompletableFuture<ScsiResult> begin(Work work) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long lba = random.nextLong(blocks) * (BLOCK / SECTOR);
    return switch (work) {
      case READ -> unit.startRead(lba, BLOCK / SECTOR, SECTOR);
      case WRITE -> {
        byte[] bytes = new byte[BLOCK];
        random.nextBytes(bytes);
        yield unit.startWrite(lba, BLOCK / SECTOR, ByteBuffer.wrap(bytes));
      }
    };
  }

  private static void require(ScsiResult result) {
    if (!result.good()) {
      throw new Mismatch("expected GOOD, got " + result);
    }
  }

  @Override
  public void close() {
    path.close();
  }
}
