package io.coppice.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A clean Debian in a folder, in which programs run by `chroot`. They share this machine's network
/// and processes, but no service manager.
final class DebianRoot implements AutoCloseable {

  private final Path folder;

  /// Its mounts are what the programs see, and end with it.
  private final Process mounts;

  private DebianRoot(Path folder) throws IOException {
    this.folder = folder;
    this.mounts =
        new ProcessBuilder(
                "unshare",
                "--mount",
                "sh",
                "-euc",
                """
                mount --bind "$1" "$1"
                mount --bind /proc "$1/proc"
                mount --bind /dev "$1/dev"
                echo mounted
                exec sleep infinity
                """,
                "sh",
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = mounts.inputReader(StandardCharsets.UTF_8).readLine();
    if (!"mounted".equals(said)) {
      mounts.destroy();
      throw new Mismatch("expected the mounts of a root, got: " + said);
    }
  }

  /// Unpacks the archive that `docker/debian-root.sh` makes once.
  ///
  /// @throws org.opentest4j.TestAbortedException if this machine cannot
  static DebianRoot make(Path folder) throws IOException {
    assumeTrue(
        Commands.run(10, List.of("id", "-u")).output().strip().equals("0"),
        "a clean Debian needs root");
    assumeTrue(Commands.exists("debootstrap"), "debootstrap is not installed");
    assumeTrue(Commands.exists("dpkg-deb"), "dpkg-deb is not installed (package dpkg)");
    Path shared =
        Path.of(System.getenv().getOrDefault("COPPICE_DOCKER_DIR", "/var/tmp/coppice-docker"));
    Path archive = Files.createDirectories(shared).resolve("debian.tar");
    Commands.require(
        600, Packages.checkout().resolve("docker/debian-root.sh").toString(), archive.toString());
    Files.createDirectories(folder);
    Commands.require(120, "tar", "-C", folder.toString(), "-xf", archive.toString());
    return new DebianRoot(folder);
  }

  /// A file of that Debian.
  Path file(String absolute) {
    return folder.resolve(absolute.substring(1));
  }

  /// Runs a program there as root, to its end.
  Commands.Outcome run(String... command) {
    return Commands.run(120, command(List.of(command)));
  }

  /// As [#run], and the exit code must be 0.
  String require(String... command) {
    return Commands.require(120, command(List.of(command)).toArray(String[]::new));
  }

  /// The command that runs another one there, as root and as the same process.
  List<String> command(List<String> inner) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "nsenter",
                "--mount",
                "--target",
                String.valueOf(mounts.pid()),
                "chroot",
                folder.toString(),
                "env",
                "-i",
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                "DEBIAN_FRONTEND=noninteractive"));
    command.addAll(inner);
    return command;
  }

  /// Deletes the folder. Programs there have ended.
  @Override
  public void close() {
    mounts.destroyForcibly().onExit().join();
    Commands.require(120, "rm", "-rf", "--one-file-system", folder.toString());
  }
}
