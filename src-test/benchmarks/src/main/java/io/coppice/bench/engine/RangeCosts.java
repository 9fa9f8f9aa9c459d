package io.coppice.bench.engine;

import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import java.io.PrintStream;
import java.nio.ByteBuffer;

/// Copy by pointer, WRITE SAME, UNMAP, and the space that comes back after a delete.
final class RangeCosts {

  private static final long GIB = 1L << 30;
  private static final int STEP = 16 << 20;

  private final Bed bed;
  private final PrintStream out;

  RangeCosts(Bed bed, PrintStream out) {
    this.bed = bed;
    this.out = out;
  }

  /// @param source volume whose blocks are all stored
  void measure(VolumeId source, long sourceBytes) {
    out.printf("%n| Range operation | Rate, logical | Device bytes written |%n|---|---|---|%n");
    VolumeId target = bed.volume(40 * GIB);
    Volume volume = bed.engine().open(target);
    Volume from = bed.engine().open(source);
    row(
        "copy of %d MiB, 4 MiB a call".formatted(sourceBytes >> 20),
        sourceBytes,
        () -> {
          for (long at = 0; at < sourceBytes; at += 4 << 20) {
            long offset = at;
            Bed.await(done -> volume.copyFrom(from, offset, offset, 4 << 20, done));
          }
        });
    ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
    row(
        "zeros written to 1 GiB, 1 MiB a call",
        GIB,
        () -> {
          for (long at = 0; at < GIB; at += zeros.capacity()) {
            long offset = at;
            Bed.await(done -> volume.write(offset, zeros.duplicate(), done));
          }
        });
    row(
        "WRITE SAME of zeros over 40 GiB, 16 MiB a call",
        40 * GIB,
        () -> {
          for (long at = 0; at < 40 * GIB; at += STEP) {
            long offset = at;
            Bed.await(done -> volume.writeSame(offset, STEP, ByteBuffer.allocate(512), done));
          }
        });
    VolumeId clone = bed.clone(source);
    Volume cloned = bed.engine().open(clone);
    row(
        "UNMAP of %d stored MiB, 1 MiB a call".formatted(sourceBytes >> 20),
        sourceBytes,
        () -> {
          for (long at = 0; at < sourceBytes; at += 1 << 20) {
            long offset = at;
            Bed.await(done -> cloned.unmap(offset, 1 << 20, done));
          }
        });
    bed.delete(clone);
    bed.delete(target);
  }

  private void row(String name, long logicalBytes, Runnable work) {
    long before = bed.engine().counters().deviceBytesWritten();
    double micros = Bed.micros(work);
    long written = bed.engine().counters().deviceBytesWritten() - before;
    out.printf(
        "| %s | %.2f GB/s | %.1f MiB |%n", name, logicalBytes / micros / 1e3, written / 1048576.0);
    out.flush();
  }
}
