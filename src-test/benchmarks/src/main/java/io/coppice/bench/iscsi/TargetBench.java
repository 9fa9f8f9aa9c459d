package io.coppice.bench.iscsi;

import io.coppice.bench.DiskFiles;
import io.coppice.bench.engine.Load;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.harness.DiskTransfer;
import io.coppice.harness.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// `coppice bench target`: our plain logical unit beside `tgtd` on a file of the same disk, same
/// client, interleaved; every write of both is stable when it is answered. The pool is as `coppice
/// up` makes it; then everything once more when all of its file was written. With `--only lap` the
/// two, and what is between them, beside each other ([Laps]).
public final class TargetBench {

  /// Of `--only`: the laps of our own target, and no tgtd.
  private static final String LAP = "lap";

  // `against`: the jar of another provider, to compare with instead of tgtd; before and after a
  // change. `profile`: a file for a report of where our time goes; nothing is compared then.
  private static final Map<String, String> OPTIONS =
      Map.of(
          "provider-jar", "",
          "rounds", "5",
          "seconds", "2",
          "size", "1024",
          "client", "",
          "only", "",
          "against", "",
          "profile", "",
          "pool", "16384",
          "folder", System.getProperty("java.io.tmpdir"));

  /// A row: a load, and whether the peer may have all of it in memory.
  private record Row(Load load, boolean warm) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(Load.randomWrite(1), false),
          new Row(Load.randomWrite(32), false),
          new Row(read("cold", 1), false),
          new Row(read("cold", 32), false),
          new Row(read("warm", 1), true),
          new Row(read("warm", 32), true),
          new Row(Load.mixed(32), false),
          new Row(sequential(100, " after random writes"), false),
          new Row(sequential(0, ""), false),
          new Row(sequential(100, " of what was written in sequence"), false));

  private TargetBench() {}

  private static Load read(String how, int depth) {
    return new Load(
        "4 KiB random read, %s, depth %d".formatted(how, depth), 100, 4096, false, depth);
  }

  /// @param how what was done before
  private static Load sequential(int readPercent, String how) {
    String way = readPercent == 0 ? "write" : "read";
    String name = "1 MiB sequential %s%s, depth 32".formatted(way, how);
    return new Load(name, readPercent, 1 << 20, true, 32);
  }

  public static void main(String[] arguments) throws IOException {
    try {
      Arguments options = new Arguments(arguments, OPTIONS);
      boolean needsTgtd =
          options.text("against").isEmpty()
              && options.text("profile").isEmpty()
              && !options.text("only").equals(LAP);
      if (needsTgtd && !Tgtd.isInstalled()) {
        throw new IllegalArgumentException(
            "needs tgtd to compare with; install Debian's package tgt");
      }
      if (options.text("only").equals(LAP)) {
        laps(options);
      } else {
        measure(options);
      }
    } catch (IllegalArgumentException e) {
      System.err.println("coppice bench target: " + e.getMessage());
      System.exit(2);
    }
  }

  private static void laps(Arguments options) throws IOException {
    long size = (long) options.number("size", 64) << 20;
    Path folder = Files.createTempDirectory(Path.of(options.text("folder")), "coppice-bench");
    Path disk = folder.resolve("disk.img");
    try (Client client = client(options.text("client"), size)) {
      DiskFiles.fill(disk, size);
      Laps laps =
          new Laps(
              client,
              options.number("rounds", 1),
              Duration.ofSeconds(options.number("seconds", 1)),
              (product, lun) -> write(product, lun, disk));
      laps.run(
          Path.of(options.text("provider-jar")), folder, options.number("pool", 1024) + "MB", size);
    } finally {
      Folders.delete(folder);
    }
  }

  private static void measure(Arguments options) throws IOException {
    long size = (long) options.number("size", 64) << 20;
    Duration time = Duration.ofSeconds(options.number("seconds", 1));
    int rounds = options.number("rounds", 1);
    String pool = options.number("pool", 1024) + "MB";
    String other = options.text("against");
    Client client = client(options.text("client"), size);
    Path folder = Files.createTempDirectory(Path.of(options.text("folder")), "coppice-bench");
    Path disk = folder.resolve("disk.img");
    try (client) {
      System.out.printf("making a disk of %d MiB of random data ...%n", size >> 20);
      DiskFiles.fill(disk, size);
      try (Product product = Product.start(Path.of(options.text("provider-jar")), folder, pool)) {
        Side ours = side(product, disk, size);
        Comparison comparison =
            new Comparison(client, rounds, time, other.isEmpty() ? "tgtd" : "the other");
        if (!options.text("profile").isEmpty()) {
          Path report = Path.of(options.text("profile")).toAbsolutePath();
          profile(new Profile(client, ours, time, report), client, ours, options.text("only"));
        } else if (other.isEmpty()) {
          try (Tgtd tgtd = Tgtd.start(disk, folder)) {
            Peer peer = new Peer(tgtd.side(Tgtd.DIRECT), tgtd.side(Tgtd.CACHED));
            compare(comparison, client, ours, peer, options.text("only"), "");
            product.beginSecondLap();
            Side later = product.side(ours.lun());
            compare(comparison, client, later, peer, options.text("only"), ", second lap");
          }
        } else {
          try (Product before = Product.start(Path.of(other), folder.resolve("other"), pool)) {
            Side side = side(before, disk, size);
            compare(comparison, client, ours, new Peer(side, side), options.text("only"), "");
          }
        }
      }
    } finally {
      Folders.delete(folder);
    }
  }

  private static void profile(Profile profile, Client client, Side ours, String only)
      throws IOException {
    System.out.println("client: " + client.name() + "; warming up ...");
    for (Load load : List.of(Load.randomWrite(32), Load.randomRead(32), Load.randomWrite(1))) {
      client.run(ours, load, Duration.ofSeconds(4));
    }
    for (Row row : ROWS) {
      if (row.load().name().contains(only) && !row.warm()) {
        profile.row(row.load());
      }
    }
  }

  /// What is compared with: a unit that reads the disk, and one that may read from memory.
  private record Peer(Side direct, Side cached) {}

  /// A unit with the content of `disk`.
  private static Side side(Product product, Path disk, long size) {
    int lun = product.unit(size);
    write(product, lun, disk);
    return product.side(lun);
  }

  private static void write(Product product, int lun, Path disk) {
    try (IscsiPath path = product.login(1)) {
      DiskTransfer.writeChanges(Product.ready(path, lun), disk, null);
    }
  }

  /// @param lap what is added to the names of rows
  private static void compare(
      Comparison comparison, Client client, Side ours, Peer peer, String only, String lap) {
    System.out.println("client: " + client.name() + "; warming up both ...");
    for (Load load : List.of(Load.randomWrite(32), Load.randomRead(32), Load.randomWrite(1))) {
      client.run(ours, load, Duration.ofSeconds(4));
      client.run(peer.direct(), load, Duration.ofSeconds(2));
    }
    client.run(peer.cached(), sequential(100, ""), Duration.ofSeconds(3));
    comparison.header();
    for (Row row : ROWS) {
      if (row.load().name().contains(only)) {
        Load load = row.load();
        Load named =
            new Load(
                load.name() + lap,
                load.readPercent(),
                load.blockBytes(),
                load.sequential(),
                load.depth());
        comparison.row(named, ours, row.warm() ? peer.cached() : peer.direct());
      }
    }
  }

  /// @param asked a fio that has the libiscsi engine, or `driver`; empty: the best that there is
  private static Client client(String asked, long size) {
    if (asked.equals("driver")) {
      return new DriverClient(size);
    }
    if (!asked.isEmpty() && !FioClient.hasEngine(asked)) {
      throw new IllegalArgumentException(
          "expected after --client 'driver' or a fio with the libiscsi engine, got " + asked);
    }
    for (String program : asked.isEmpty() ? List.of("fio-iscsi", "fio") : List.of(asked)) {
      if (FioClient.hasEngine(program)) {
        return new FioClient(program, size);
      }
    }
    System.out.println(
        "no fio-iscsi or fio with the libiscsi engine (Debian's package fio has none): using the"
            + " driver's own initiator");
    return new DriverClient(size);
  }
}
