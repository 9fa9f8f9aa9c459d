package io.coppice.driver.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Debian's `tgtd` as a peer on loopback: target `iqn.2026-01.test.peer:disk` with a thin LUN 1.
final class Tgtd implements AutoCloseable {
  static final String TARGET = "iqn.2026-01.test.peer:disk";

  private final Process process;
  private final int port;

  private Tgtd(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /// Starts one, or skips the test with a reason where the program is missing.
  static Tgtd start(Path folder, long bytes) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/tgtd")) && canControl(),
        "needs tgtd: apt-get install tgt, and root to run it");
    int port = freePort();
    Path disk = folder.resolve("disk");
    try (RandomAccessFile file = new RandomAccessFile(disk.toFile(), "rw")) {
      file.setLength(bytes);
    }
    Process process =
        new ProcessBuilder(
                "/usr/sbin/tgtd", "-f", "-C", control(port), "--iscsi", "portal=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("tgtd.log").toFile())
            .start();
    Tgtd tgtd = new Tgtd(process, port);
    tgtd.awaitReady();
    tgtd.admin("--mode", "target", "--op", "new", "--tid", "1", "--targetname", TARGET);
    tgtd.admin(
        "--mode",
        "logicalunit",
        "--op",
        "new",
        "--tid",
        "1",
        "--lun",
        "1",
        "--backing-store",
        disk.toString());
    tgtd.admin(
        "--mode",
        "logicalunit",
        "--op",
        "update",
        "--tid",
        "1",
        "--lun",
        "1",
        "--params",
        "thin_provisioning=1");
    tgtd.admin("--mode", "target", "--op", "bind", "--tid", "1", "--initiator-address", "ALL");
    return tgtd;
  }

  InetSocketAddress portal() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  void requireChap(String user, String password) throws Exception {
    admin("--mode", "account", "--op", "new", "--user", user, "--password", password);
    admin("--mode", "account", "--op", "bind", "--tid", "1", "--user", user);
  }

  void offerDigests(String value) throws Exception {
    for (String name : List.of("HeaderDigest", "DataDigest")) {
      admin("--mode", "target", "--op", "update", "--tid", "1", "--name", name, "--value", value);
    }
  }

  private void awaitReady() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (run("--mode", "target", "--op", "show") != 0) {
      assertThat(process.isAlive()).as("tgtd runs").isTrue();
      assertThat(System.nanoTime()).as("tgtd answers within 10 s").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private void admin(String... arguments) throws Exception {
    assertThat(run(arguments)).as(String.join(" ", arguments)).isZero();
  }

  private int run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add("tgtadm");
    command.add("--control-port");
    command.add(control(port));
    command.add("--lld");
    command.add("iscsi");
    command.addAll(List.of(arguments));
    Process tool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return tool.waitFor();
  }

  /// tgtd's control channel takes a number up to 32767.
  private static String control(int port) {
    return Integer.toString(port & 0x7FFF);
  }

  private static boolean canControl() {
    Path folder = Path.of("/var/run");
    return Files.isWritable(folder);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    // Not SIGTERM: tgtd takes five seconds to answer it, and its disk is thrown away anyway.
    process.destroyForcibly().onExit().join();
  }
}
