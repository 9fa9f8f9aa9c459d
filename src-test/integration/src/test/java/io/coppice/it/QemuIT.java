package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.harness.Commands;
import io.coppice.harness.GuestDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// QEMU's own initiator against a plain logical unit.
class QemuIT {

  /// The name that QEMU logs in with unless a machine's name is added.
  private static final String INITIATOR = "iqn.2008-11.org.linux-kvm";

  private static final long SIZE = 1L << 30;

  @TempDir private static Path shared;
  private static RunningProvider provider;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    assumeTrue(Commands.exists("qemu-img"), "qemu-img is not installed (package qemu-utils)");
    assumeTrue(Commands.exists("qemu-io"), "qemu-io is not installed (package qemu-utils)");
    provider = RunningProvider.start(shared);
  }

  @AfterAll
  static void stop() {
    if (provider != null) {
      provider.close();
    }
  }

  @Test
  void convertsAnImageIntoALogicalUnitAndBackUnchanged() {
    GuestDisk disk = GuestDisk.make(folder, SIZE, 300L << 20);
    String url = provider.exportPlainVolume("qemu", SIZE, INITIATOR);
    Path back = folder.resolve("back.img");

    qemuImg("convert", "-n", "-f", "raw", "-O", "raw", disk.image().toString(), url);
    assertThat(qemuImg("compare", "-f", "raw", "-F", "raw", disk.image().toString(), url))
        .contains("Images are identical.");
    qemuImg("convert", "-f", "raw", "-O", "raw", url, back.toString());

    assertThat(back).hasSameBinaryContentAs(disk.image());
  }

  /// The lines of the README as they stand, but for the ports: they want a LUN that is free.
  @Test
  void quickStartOfTheReadmeServesADisk() throws IOException {
    String readme = Files.readString(Path.of("../../README.md"));
    String chapter = readme.substring(readme.indexOf("## Quick start"));
    try (RunningProvider fresh = RunningProvider.start(folder)) {
      String lines =
          chapter.split("```\n")[1].replace(
              "127.0.0.1:3260", "127.0.0.1:" + fresh.process().portal().getPort());
      Files.createSymbolicLink(folder.resolve(".coppice"), fresh.process().home());
      Path launcher = folder.resolve("coppice");
      Files.writeString(
          launcher,
          "#!/usr/bin/env bash\nexec '%s' \"$@\""
              .formatted(Path.of("../../coppice").toAbsolutePath()));
      Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
      Path script = folder.resolve("quick-start");
      Files.writeString(
          script,
          "set -e -o pipefail\ncd '%s'\nexport COPPICE_URL=%s XDG_CONFIG_HOME=%s COPPICE_JAVA_HOME='%s'\n%s"
              .formatted(
                  folder,
                  fresh.process().management(),
                  folder,
                  System.getProperty("java.home"),
                  lines));

      assertThat(Commands.require(60, "bash", script.toString()))
          .contains("virtual size: 1 GiB", "file format: raw");
    }
  }

  @Test
  void patternsWrittenByQemuIoReadBack() {
    String url = provider.exportPlainVolume("qemu-io", 64L << 20, INITIATOR);

    String written =
        Commands.require(
            60,
            "qemu-io",
            "-f",
            "raw",
            "-c",
            "write -P 0xa5 0 4M",
            "-c",
            "write -P 0x5a 1049088 66048",
            "-c",
            "write -z 2M 1M",
            "-c",
            "discard 3M 512k",
            url);
    String read =
        Commands.require(
            60,
            "qemu-io",
            "-f",
            "raw",
            "-c",
            "read -P 0xa5 0 1049088",
            "-c",
            "read -P 0x5a 1049088 66048",
            "-c",
            "read -P 0xa5 1115136 982016",
            "-c",
            "read -P 0 2M 1M",
            url);

    assertThat(written).contains("wrote 4194304/4194304 bytes");
    assertThat(read).doesNotContain("Pattern verification failed").contains("read 1048576/1048576");
  }

  /// The size that firmware variables have, which QEMU's mirror wants exactly.
  @Test
  void unitOf528KiBEndsWithItsLastBlock() {
    assumeTrue(
        Commands.exists("iscsi-readcapacity16"),
        "iscsi-readcapacity16 is not installed (package libiscsi-bin)");
    long size = 528 << 10;
    String url = provider.exportPlainVolume("vars", size, INITIATOR);

    assertThat(Commands.require(60, "iscsi-readcapacity16", "-s", "-i", INITIATOR, url))
        .isEqualToIgnoringWhitespace(Long.toString(size));
    assertThat(qemuImg("info", "--output=json", url)).contains("\"virtual-size\": " + size);
    assertThat(qemuIo("write -P 0x5a 524k 4k", url)).contains("wrote 4096/4096 bytes");
    assertThat(qemuIo("read -P 0x5a 524k 4k", url))
        .contains("read 4096/4096 bytes")
        .doesNotContain("Pattern verification failed");
    Path image = folder.resolve("vars.img");
    qemuImg("convert", "-f", "raw", "-O", "raw", url, image.toString());
    assertThat(image).hasSize(size);
    assertThat(qemuImg("compare", "-f", "raw", "-F", "raw", image.toString(), url))
        .contains("Images are identical.")
        .doesNotContain("size mismatch");
  }

  private static String qemuIo(String command, String url) {
    return Commands.require(60, "qemu-io", "-f", "raw", "-c", command, url);
  }

  private static String qemuImg(String verb, String... arguments) {
    String[] command = new String[arguments.length + 2];
    command[0] = "qemu-img";
    command[1] = verb;
    System.arraycopy(arguments, 0, command, 2, arguments.length);
    return Commands.require(300, command);
  }
}
