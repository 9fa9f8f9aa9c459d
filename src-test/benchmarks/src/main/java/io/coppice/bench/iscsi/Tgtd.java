package io.coppice.bench.iscsi;

import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// The peer: Debian's `tgtd` on loopback with one file behind two logical units, [#DIRECT] and
/// [#CACHED].
final class Tgtd implements AutoCloseable {

  static final String TARGET = "iqn.2026-11.test.bench:peer";

  /// The unit that reads and writes the disk itself, each write stable (`sync:direct`).
  static final int DIRECT = 1;

  /// The unit that reads through the page cache; each write stable all the same (`sync`).
  static final int CACHED = 2;

  private static final Duration START = Duration.ofSeconds(30);

  private final Process process;
  private final int port;
  private final Path log;

  private Tgtd(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  static boolean isInstalled() {
    return Commands.exists("tgtd") && Commands.exists("tgtadm");
  }

  /// @param disk a file that is there
  static Tgtd start(Path disk, Path folder) {
    int port = freePort();
    Path log = folder.resolve("tgtd.log");
    List<String> command =
        List.of(
            Commands.path("tgtd"),
            "-f",
            "-C",
            control(port),
            "--iscsi",
            "portal=127.0.0.1:" + port);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      Tgtd tgtd = new Tgtd(process, port, log);
      try {
        tgtd.awaitReady();
        tgtd.serve(disk);
        return tgtd;
      } catch (RuntimeException e) {
        tgtd.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve(Path disk) {
    admin("--mode", "target", "--op", "new", "--tid", "1", "--targetname", TARGET);
    unit(DIRECT, disk, "sync:direct");
    unit(CACHED, disk, "sync");
    admin("--mode", "target", "--op", "bind", "--tid", "1", "--initiator-address", "ALL");
  }

  private void unit(int lun, Path disk, String flags) {
    List<String> create = new ArrayList<>(List.of("--mode", "logicalunit", "--op", "new"));
    create.addAll(List.of("--tid", "1", "--lun", Integer.toString(lun)));
    create.addAll(List.of("--backing-store", disk.toString(), "--bstype", "rdwr"));
    create.addAll(List.of("--bsoflags", flags));
    admin(create.toArray(String[]::new));
  }

  /// One of its units.
  Side side(int lun) {
    return new Side(port, TARGET, lun, process.pid());
  }

  private void awaitReady() {
    long end = System.nanoTime() + START.toNanos();
    while (run("--mode", "target", "--op", "show").exitCode() != 0) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new Mismatch("expected tgtd to start (as root), its log: " + logged());
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  private String logged() {
    try {
      return Files.readString(log).strip();
    } catch (IOException e) {
      return "empty";
    }
  }

  private void admin(String... arguments) {
    Commands.Outcome outcome = run(arguments);
    if (outcome.exitCode() != 0) {
      throw new Mismatch(
          "expected tgtadm %s to succeed, got: %s"
              .formatted(String.join(" ", arguments), outcome.output().strip()));
    }
  }

  private Commands.Outcome run(String... arguments) {
    List<String> command = new ArrayList<>(List.of("tgtadm", "--control-port", control(port)));
    command.addAll(List.of("--lld", "iscsi"));
    command.addAll(List.of(arguments));
    return Commands.run(30, command);
  }

  /// tgtd's control channel takes a number up to 32767.
  private static String control(int port) {
    return Integer.toString(port & 0x7FFF);
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    // Not SIGTERM: tgtd takes seconds to answer it, and its disk is thrown away anyway.
    process.destroyForcibly().onExit().join();
  }
}
