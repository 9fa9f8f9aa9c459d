package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Row;
import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The peers of replication: the same change of a file of 1 GiB, sent by rsync, and found by FIEMAP
/// after a reflink copy; and what zfs send is documented to send for it.
final class ReplicationPeers {

  private static final String WORK = ": 1,000 blocks of 4 KiB at random places";
  private static final int LIMIT_SECONDS = 600;
  private static final int BLOCK = ReplicationGroup.BLOCK;
  private static final int PLACES = ReplicationGroup.PLACES;
  private static final long STORED = ReplicationGroup.STORED;

  /// Bytes that name a range: its offset and its length.
  private static final int RANGE_BYTES = 16;

  /// "Dataset recordsize" of Workload Tuning, OpenZFS documentation.
  private static final int ZFS_RECORD = 128 << 10;

  private final Stage stage;

  ReplicationPeers(Stage stage) {
    this.stage = stage;
  }

  void measure() throws IOException {
    rsync();
    reflink();
    zfs();
  }

  private void row(String work, long link, String how) {
    double allowed = 1.05 * PLACES * BLOCK + 512.0 * PLACES;
    stage
        .report()
        .row(
            Row.of(work, "")
                .against("%s over the link, %s".formatted(ReplicationGroup.bytes(link), how))
                .figure(link / allowed));
  }

  private Path file(Path folder, String name) {
    Path file = folder.resolve(name);
    stage.leftovers().add("remove " + file, () -> Files.deleteIfExists(file));
    return file;
  }

  // ---- rsync

  private void rsync() throws IOException {
    String work = "rsync --inplace" + WORK;
    if (!Commands.exists("rsync")) {
      stage.report().row(Row.notMeasured(work, "rsync is not installed"));
      return;
    }
    int mark = stage.leftovers().mark();
    try {
      Path from = file(stage.folder(), "from.img");
      Path to = file(stage.folder(), "to.img");
      fill(from);
      Files.copy(from, to);
      change(from);
      double start = System.nanoTime();
      String said =
          Commands.require(
              LIMIT_SECONDS,
              "rsync",
              "--inplace",
              "--no-whole-file",
              "--ignore-times",
              "--stats",
              from.toString(),
              to.toString());
      double seconds = (System.nanoTime() - start) / 1e9;
      requireEqual(from, to);
      row(
          work,
          figure(said, "Total bytes sent") + figure(said, "Total bytes received"),
          "%.2f s".formatted(seconds));
    } finally {
      stage.leftovers().undoTo(mark);
    }
  }

  private static long figure(String text, String name) {
    Matcher found = Pattern.compile(Pattern.quote(name) + ": ([0-9,.]+)").matcher(text);
    if (!found.find()) {
      throw new Mismatch("rsync did not say its '%s': %s".formatted(name, text));
    }
    return Long.parseLong(found.group(1).replaceAll("[,.]", ""));
  }

  // ---- a reflink copy as the snapshot, and the extents that are not shared with it

  private void reflink() throws IOException {
    String work = "XFS reflink and FIEMAP" + WORK;
    int mark = stage.leftovers().mark();
    try {
      LoopDisk disk;
      try {
        if (!Commands.exists("filefrag")) {
          throw new Mismatch("filefrag is missing");
        }
        disk = LoopDisk.make(stage, "xfs", 2 * STORED);
      } catch (Mismatch e) {
        stage.report().row(Row.notMeasured(work, "not possible here: " + e.getMessage()));
        return;
      }
      Path from = file(disk.mounted(), "from.img");
      Path snapshot = file(disk.mounted(), "snapshot.img");
      Path to = file(stage.folder(), "to.img");
      fill(from);
      Files.copy(from, to);
      run("sync", from.toString());
      run("cp", "--reflink=always", from.toString(), snapshot.toString());
      change(from);
      run("sync", from.toString());
      double start = System.nanoTime();
      List<FileExtents.Range> ranges =
          FileExtents.notShared(
              Commands.require(LIMIT_SECONDS, "filefrag", "-b4096", "-v", from.toString()));
      long data = copy(from, to, ranges);
      double seconds = (System.nanoTime() - start) / 1e9;
      requireEqual(from, to);
      row(
          work,
          data + (long) RANGE_BYTES * ranges.size(),
          "%s in %,d extents and %d for each, %.2f s"
              .formatted(ReplicationGroup.bytes(data), ranges.size(), RANGE_BYTES, seconds));
    } finally {
      stage.leftovers().undoTo(mark);
    }
  }

  private static void run(String... command) {
    Commands.require(LIMIT_SECONDS, command);
  }

  private static long copy(Path from, Path to, List<FileExtents.Range> ranges) throws IOException {
    long copied = 0;
    try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
      for (FileExtents.Range range : ranges) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(range.length()));
        while (bytes.hasRemaining() && in.read(bytes, range.offset() + bytes.position()) >= 0) {}
        bytes.flip();
        copied += bytes.remaining();
        while (bytes.hasRemaining()) {
          out.write(bytes, range.offset() + bytes.position());
        }
      }
      out.force(true);
    }
    return copied;
  }

  private static void requireEqual(Path from, Path to) throws IOException {
    long differs = Files.mismatch(from, to);
    if (differs >= 0) {
      throw new Mismatch("the copy differs from its source at " + differs);
    }
  }

  // ---- zfs send, which this machine need not have

  private void zfs() {
    long records = places().map(at -> at / ZFS_RECORD).distinct().count();
    row(
        "zfs send -i" + WORK,
        records * ZFS_RECORD,
        "not measured: %,d records of 128 KiB, the default recordsize, which its documentation calls the unit of copy-on-write (OpenZFS, Workload Tuning, Dataset recordsize)"
            .formatted(records));
  }

  // ---- the file

  private static void fill(Path file) throws IOException {
    Random random = new Random(ReplicationGroup.SEED);
    byte[] bytes = new byte[ReplicationGroup.CHUNK];
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      for (long at = 0; at < STORED; at += bytes.length) {
        random.nextBytes(bytes);
        out.write(bytes);
      }
    }
  }

  private static Stream<Long> places() {
    Random random = new Random(ReplicationGroup.SEED + 1);
    return random.longs(PLACES, 0, STORED / BLOCK).mapToObj(block -> block * BLOCK);
  }

  private static void change(Path file) throws IOException {
    Random content = new Random(ReplicationGroup.SEED + 2);
    byte[] bytes = new byte[BLOCK];
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      for (long at : places().toList()) {
        content.nextBytes(bytes);
        out.seek(at);
        out.write(bytes);
      }
    }
  }
}
