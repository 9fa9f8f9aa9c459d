package io.coppice.bench.iscsi;

import io.coppice.bench.DiskFiles;
import io.coppice.bench.subject.Load;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.harness.DiskTransfer;
import io.coppice.kit.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// `coppice bench target`: our plain logical unit beside `tgtd` on a file of the same disk, same
/// client, interleaved; every write of both is stable when it is answered. The pool is as `coppice
/// up` makes it; then everything once more when all of its file was written. With `--only lap` the
/// two, and what is between them, beside each other ([Laps]).
public final class TargetBench {

  /// Of `--only`: the laps of our own target, and no tgtd.
  private static final String LAP = "lap";

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
    Tool.main("coppice bench target", new TargetOptions(), arguments, TargetBench::run);
  }

  private static int run(TargetOptions options) throws IOException {
    boolean laps = options.only().equals(LAP);
    boolean needsTgtd = options.against().isEmpty() && options.profile().isEmpty() && !laps;
    if (needsTgtd && !Tgtd.isInstalled()) {
      throw new IllegalArgumentException(
          "needs tgtd to compare with; install Debian's package tgt");
    }
    try (Client client = client(options.client(), options.size())) {
      return options.inFolder(
          folder -> laps ? laps(options, client, folder) : measure(options, client, folder));
    }
  }

  private static int laps(TargetOptions options, Client client, Path folder) throws IOException {
    Path disk = folder.resolve("disk.img");
    DiskFiles.fill(disk, options.size());
    new Laps(client, options.rounds(), options.time(), (product, lun) -> write(product, lun, disk))
        .run(options.providerJar(), folder, options.pool(), options.size());
    return 0;
  }

  private static int measure(TargetOptions options, Client client, Path folder) throws IOException {
    long size = options.size();
    String pool = options.pool();
    String other = options.against();
    Path disk = folder.resolve("disk.img");
    System.out.printf("making a disk of %d MiB of random data ...%n", size >> 20);
    DiskFiles.fill(disk, size);
    try (Product product = Product.start(options.providerJar(), folder, pool)) {
      Side ours = side(product, disk, size);
      Comparison comparison =
          new Comparison(
              client, options.rounds(), options.time(), other.isEmpty() ? "tgtd" : "the other");
      if (!options.profile().isEmpty()) {
        Path report = Path.of(options.profile()).toAbsolutePath();
        profile(new Profile(client, ours, options.time(), report), client, ours, options.only());
      } else if (other.isEmpty()) {
        try (Tgtd tgtd = Tgtd.start(disk, folder)) {
          Peer peer = new Peer(tgtd.side(Tgtd.DIRECT), tgtd.side(Tgtd.CACHED));
          compare(comparison, client, ours, peer, options.only(), "");
          product.beginSecondLap();
          Side later = product.side(ours.lun());
          compare(comparison, client, later, peer, options.only(), ", second lap");
        }
      } else {
        try (Product before = Product.start(Path.of(other), folder.resolve("other"), pool)) {
          Side side = side(before, disk, size);
          compare(comparison, client, ours, new Peer(side, side), options.only(), "");
        }
      }
    }
    return 0;
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

  /// The peer of a comparison: a unit that reads the disk, and one that may read from memory.
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
      // Both as long: what a unit has written by then decides how it goes on.
      client.run(ours, load, Duration.ofSeconds(4));
      client.run(peer.direct(), load, Duration.ofSeconds(4));
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
