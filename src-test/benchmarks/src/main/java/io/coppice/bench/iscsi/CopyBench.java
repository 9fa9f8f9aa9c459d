package io.coppice.bench.iscsi;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.scsi.CopySegment;
import io.coppice.driver.scsi.Designator;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProcessIo;
import io.coppice.kit.Markdown;
import io.coppice.kit.Tool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/// `coppice bench copy`: a whole logical unit copied to another one by EXTENDED COPY in segments of
/// 4 MiB, one after the other, as a host clones a disk; beside it the same copy by READ and WRITE
/// through the wire, in the same run.
public final class CopyBench {

  private static final int SECTOR = 512;
  private static final long SEGMENT = 4 << 20;
  private static final int PIECE = 1 << 20;
  private static final int SAMPLES = 1000;
  private static final int SAMPLE = 64 << 10;

  private final Product product;
  private final long size;
  private final int depth;

  private CopyBench(Product product, long size, int depth) {
    this.product = product;
    this.size = size;
    this.depth = depth;
  }

  /// The cost of a copy.
  ///
  /// @param deviceBytes that the provider had written, by the kernel's count
  /// @param space of the pool that it took
  private record Cost(double seconds, long deviceBytes, long space) {}

  public static void main(String[] arguments) throws IOException {
    Tool.main(
        "coppice bench copy",
        new CopyOptions(),
        arguments,
        options -> options.inFolder(folder -> run(options, folder)));
  }

  private static int run(CopyOptions options, Path folder) {
    // Whole segments only.
    long size = ((long) options.size() << 20) / SEGMENT * SEGMENT;
    long pool = Math.max(8L << 30, 3 * size);
    try (Product product = Product.start(options.providerJar(), folder, (pool >> 20) + "MB")) {
      new CopyBench(product, size, options.depth()).measure();
    }
    return 0;
  }

  private void measure() {
    int from = product.unit(size);
    int oneByOne = product.unit(size);
    int byCopy = product.unit(size);
    int byWire = product.unit(size);
    try (IscsiPath path = product.login(1)) {
      LogicalUnit source = Product.ready(path, from);
      System.out.printf("filling %d MiB of random data ...%n", size >> 20);
      through(_ -> CompletableFuture.completedFuture(DriverClient.randomBytes(PIECE)), source);
      LogicalUnit copiedSingly = Product.ready(path, oneByOne);
      LogicalUnit copied = Product.ready(path, byCopy);
      LogicalUnit written = Product.ready(path, byWire);
      Cost single = cost(() -> extendedCopy(source, copiedSingly, 1));
      Cost copy = cost(() -> extendedCopy(source, copied, depth));
      Cost wire = cost(() -> overTheWire(source, written));
      List.of(copiedSingly, copied, written).forEach(unit -> compareSamples(source, unit));
      print(single, copy, wire);
    }
  }

  private Cost cost(Runnable work) {
    long pid = product.process().pid();
    long space = product.usedBytes();
    long written = ProcessIo.of(pid).bytesWritten();
    long start = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Cost(
        seconds, ProcessIo.of(pid).bytesWritten() - written, product.usedBytes() - space);
  }

  /// A segment of 4 MiB a command, as ESXi sends them.
  ///
  /// @param depth how many commands are under way
  private void extendedCopy(LogicalUnit source, LogicalUnit destination, int depth) {
    String from = naa(source);
    String to = naa(destination);
    int blocks = (int) (SEGMENT / SECTOR);
    Deque<CompletableFuture<ScsiResult>> outstanding = new ArrayDeque<>();
    for (long lba = 0; lba < size / SECTOR; lba += blocks) {
      if (outstanding.size() == depth) {
        DriverClient.require(outstanding.remove().join());
      }
      outstanding.add(
          destination.startExtendedCopy(List.of(new CopySegment(from, lba, to, lba, blocks))));
    }
    outstanding.forEach(last -> DriverClient.require(last.join()));
  }

  private static String naa(LogicalUnit unit) {
    return Designator.naaOf(unit.designators())
        .orElseThrow(() -> new Mismatch("expected an NAA designator of " + unit.lun()));
  }

  /// The source of the bytes of a piece.
  private interface Source {
    CompletableFuture<ByteBuffer> piece(long number);
  }

  private void overTheWire(LogicalUnit source, LogicalUnit destination) {
    int blocks = PIECE / SECTOR;
    through(
        number ->
            source
                .startRead(number * blocks, blocks, SECTOR)
                .thenApply(
                    read -> {
                      DriverClient.require(read);
                      return read.dataIn();
                    }),
        destination);
  }

  /// Writes every piece of the destination, so many under way that `depth` are read or written at
  /// any time.
  private void through(Source source, LogicalUnit destination) {
    int blocks = PIECE / SECTOR;
    Deque<CompletableFuture<Void>> outstanding = new ArrayDeque<>();
    for (long number = 0; number < size / PIECE; number++) {
      if (outstanding.size() == depth) {
        outstanding.remove().join();
      }
      long lba = number * blocks;
      outstanding.add(
          source
              .piece(number)
              .thenCompose(bytes -> destination.startWrite(lba, blocks, bytes))
              .thenAccept(DriverClient::require));
    }
    outstanding.forEach(CompletableFuture::join);
  }

  private void compareSamples(LogicalUnit one, LogicalUnit other) {
    int blocks = SAMPLE / SECTOR;
    for (int i = 0; i < SAMPLES; i++) {
      long lba = ThreadLocalRandom.current().nextLong(size / SAMPLE) * blocks;
      if (!one.read(lba, blocks, SECTOR).equals(other.read(lba, blocks, SECTOR))) {
        throw new Mismatch(
            "expected %d blocks from LBA %d on to be equal in %s and %s"
                .formatted(blocks, lba, one.lun(), other.lun()));
      }
    }
  }

  private void print(Cost single, Cost copy, Cost wire) {
    System.out.print(
        "\n"
            + Markdown.header(
                "Copy of %d MiB between two units".formatted(size >> 20),
                "Time",
                "Device bytes written",
                "Space taken",
                "Times faster"));
    row(
        "EXTENDED COPY, segments of 4 MiB one by one",
        single,
        "%.0f".formatted(wire.seconds() / single.seconds()));
    row(
        "EXTENDED COPY, segments of 4 MiB, depth " + depth,
        copy,
        "%.0f".formatted(wire.seconds() / copy.seconds()));
    row("READ and WRITE of 1 MiB through the wire, depth " + depth, wire, "1");
    System.out.printf("%n%d samples of 64 KiB of each copy compared: equal%n", SAMPLES);
  }

  private static void row(String name, Cost cost, String ratio) {
    System.out.print(
        Markdown.row(
            name,
            "%.2f s".formatted(cost.seconds()),
            "%.1f MiB".formatted(cost.deviceBytes() / 1048576.0),
            "%.1f MiB".formatted(cost.space() / 1048576.0),
            ratio));
  }
}
