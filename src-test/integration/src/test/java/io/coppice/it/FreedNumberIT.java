package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.Designator;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiException;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.harness.Commands;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Initiators that keep a disk open while it is unexported and another one is exported: what they
/// write by the old handle must reach the old disk or nothing.
///
/// `-Drounds=1000` for the whole; a round takes a fraction of a second, but for those with a
/// restart of the provider.
class FreedNumberIT {

  private static final int ROUNDS = Integer.getInteger("rounds", 6);
  private static final int ROUNDS_PER_RESTART = 250;
  private static final long SIZE = 4L << 20;
  private static final int BLOCKS = 256;
  private static final byte STALE = (byte) 0xee;
  private static final byte KEPT = (byte) 0xb0;
  private static final List<String> QEMU =
      List.of("iqn.2026-11.test.qemu:one", "iqn.2026-11.test.qemu:two");
  private static final String DRIVER = "iqn.2026-11.test.host:driver";

  @TempDir private Path folder;

  @Test
  void staleHandlesWriteToNoOtherVolume() {
    assumeTrue(Commands.exists("qemu-io"), "qemu-io is not installed (package qemu-utils)");
    try (RunningProvider provider = RunningProvider.start(folder)) {
      Site site = new Site(provider);
      String old = site.volume("old");
      JsonNode export = site.export(old, "");
      int lun = export.get("lun").asInt();
      String target = export.get("target").asString();
      List<QemuDisk> disks = new ArrayList<>();
      try (IscsiPath path =
          IscsiPath.open(
              provider.process().portal(),
              target,
              LoginSettings.of(DRIVER, 1),
              new WireCounters())) {
        QEMU.forEach(
            name -> disks.add(new QemuDisk(provider.process().portal(), target, lun, name)));
        for (int round = 0; round < ROUNDS; round++) {
          new Round(site, old, lun, disks, path, round).run();
        }
      } finally {
        disks.forEach(QemuDisk::close);
      }
    }
  }

  /// The provider by its REST API.
  private static final class Site {
    private final RunningProvider provider;
    private final String container;

    Site(RunningProvider provider) {
      this.provider = provider;
      this.container =
          provider
              .rest()
              .post("containers", "{\"name\": \"rounds\", \"quota\": %d}".formatted(64 * SIZE))
              .get("id")
              .asString();
    }

    String volume(String name) {
      return provider
          .rest()
          .post(
              "volumes",
              "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
                  .formatted(name, SIZE, container))
          .get("id")
          .asString();
    }

    /// @param more other fields, each after a comma
    JsonNode export(String volume, String more) {
      String names =
          QEMU.stream().map("\"%s\", "::formatted).collect(Collectors.joining())
              + "\"%s\"".formatted(DRIVER);
      return provider
          .rest()
          .post(
              "exports",
              "{\"vvol\": \"%s\", \"initiators\": [%s]%s}".formatted(volume, names, more));
    }

    JsonNode delete(String path) {
      return provider.rest().delete(path);
    }

    void restart() {
      provider.process().stop();
      provider.process().start();
      provider.process().awaitReady(RunningProvider.START_LIMIT);
    }
  }

  /// One round: the old disk goes, another one comes, everybody writes by the old handles; at last
  /// the old disk is back at its number and the handles serve again.
  private record Round(
      Site site, String old, int lun, List<QemuDisk> disks, IscsiPath path, int number) {

    void run() {
      boolean busy = number % 2 == 1;
      List<CompletableFuture<ScsiResult>> underWay = busy ? begin() : List.of();
      JsonNode ended = site.delete("exports/" + old);
      if (busy) {
        disks.forEach(QemuDisk::await);
        underWay.forEach(CompletableFuture::join);
      }

      String other = site.volume("round-" + number);
      refuseTheNumber(other);
      JsonNode export = site.export(other, "");
      LogicalUnit unit = new LogicalUnit(path, Lun.flat(export.get("lun").asInt()));
      unit.write(0, BLOCKS, filled(KEPT));
      if (number == ROUNDS / 2 || number % ROUNDS_PER_RESTART == ROUNDS_PER_RESTART - 1) {
        site.restart();
        path.reconnect(Duration.ofSeconds(60));
      }
      writeByTheOldHandles();

      assertThat(unit.read(0, BLOCKS, 512))
          .as("what stands on the other volume after round %d", number)
          .isEqualTo(filled(KEPT));
      assertThat(export.get("lun").asInt()).isNotEqualTo(lun);
      assertThat(ended.get("sessions").findValuesAsString("initiator")).contains(DRIVER);
      assertThat(Designator.naaOf(unit.designators())).contains(export.get("naa").asString());
      site.delete("exports/" + other);
      site.delete("volumes/" + other);
      useTheOldDiskAgain();
    }

    /// Writes that are under way when the export ends.
    private List<CompletableFuture<ScsiResult>> begin() {
      disks.forEach(disk -> disk.begin("write -P 0x11 0 1M"));
      LogicalUnit unit = new LogicalUnit(path, Lun.flat(lun));
      List<CompletableFuture<ScsiResult>> underWay = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        underWay.add(unit.startWrite(i * (long) BLOCKS, BLOCKS, filled((byte) 0x22)));
      }
      return underWay;
    }

    private void refuseTheNumber(String other) {
      if (number % 3 == 0) {
        assertThatThrownBy(() -> site.export(other, ", \"lun\": " + lun))
            .hasMessageContainingAll("409", "number-rests", old, DRIVER);
      }
    }

    private void writeByTheOldHandles() {
      for (QemuDisk disk : disks) {
        assertThat(disk.run("write -P 0xee 0 128k")).contains("write failed");
      }
      assertThatThrownBy(() -> new LogicalUnit(path, Lun.flat(lun)).write(0, BLOCKS, filled(STALE)))
          .isInstanceOfSatisfying(
              ScsiException.class, e -> assertThat(e.is(5, 0x25, 0)).as(e.toString()).isTrue());
    }

    /// The same disk may have its number again: late writes reach what they were meant for.
    private void useTheOldDiskAgain() {
      site.export(old, ", \"lun\": " + lun);
      for (QemuDisk disk : disks) {
        assertThat(disk.run("write -P 0x33 0 128k")).contains("wrote 131072/131072");
      }
      new LogicalUnit(path, Lun.flat(lun)).write(0, BLOCKS, filled((byte) 0x44));
    }

    private static ByteBuffer filled(byte value) {
      byte[] bytes = new byte[BLOCKS * 512];
      Arrays.fill(bytes, value);
      return ByteBuffer.wrap(bytes);
    }
  }
}
