package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiException;
import io.coppice.driver.scsi.Sense;
import io.coppice.engine.check.CheckCommand;
import io.coppice.harness.Commands;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The pool of a provider that is stopped is written into, as `dd` would.
class DamagedPoolIT {

  private static final String INITIATOR = "iqn.2026-11.test.host:one";
  private static final int BLOCK = 4096;
  private static final int BLOCKS = 256;
  private static final int DAMAGED = 200;

  @TempDir private Path folder;

  @Test
  void aDamagedBlockIsAMediumErrorAndIsFoundByTheCheckerAndTheScrubberUntilItIsWrittenOver()
      throws Exception {
    try (RunningProvider provider =
        RunningProvider.start(
            folder, "--coppice.pool.capacity=1GB", "--coppice.vasa.alarms.period=1s")) {
      ProviderProcess process = provider.process();
      String[] url = provider.exportPlainVolume("plain", 16L << 20, INITIATOR).split("/");
      String volume = provider.rest().get("exports").at("/items/0/vvol").asString();
      Lun lun = Lun.flat(Integer.parseInt(url[4]));
      try (IscsiPath path =
          IscsiPath.open(
              process.portal(), url[3], LoginSettings.of(INITIATOR, 1), new WireCounters())) {
        LogicalUnit disk = new LogicalUnit(path, lun);
        for (int block = 0; block < BLOCKS; block++) {
          disk.write(8L * block, 8, content(block));
        }
        process.stop();
        Path pool = process.home().resolve("pool").resolve("pool");
        assertThat(check(process.home()).exitCode()).isZero();
        damage(pool, find(pool, content(DAMAGED)) + 1536);

        Commands.Outcome checked = check(process.home());
        assertThat(checked.exitCode()).isEqualTo(1);
        assertThat(checked.output()).contains("volume " + volume + " LBA " + 8 * DAMAGED);
        process.start();
        process.awaitReady(RunningProvider.START_LIMIT);
        path.reconnect(Duration.ofSeconds(30));

        assertOnlyTheDamagedBlockIsRefused(disk);
        RestClient rest = new RestClient(process.management(), process.adminToken());
        JsonNode scrub = scrub(rest);
        assertThat(scrub.get("badBlocks").asInt()).isEqualTo(1);
        assertThat(scrub.get("findings")).hasSize(1);
        assertThat(scrub.at("/findings/0/volume").asString()).isEqualTo(volume);
        assertThat(scrub.at("/findings/0/lba").asInt()).isEqualTo(8 * DAMAGED);
        await(() -> rest.get("events").toString().contains("io.coppice.event.DamagedBlocks"));
        disk.write(8L * DAMAGED, 8, content(DAMAGED));
        assertThat(disk.read(8L * DAMAGED, 8, 512)).isEqualTo(content(DAMAGED));
        assertThat(scrub(rest).get("findings")).isEmpty();
      }
    }
  }

  private static void assertOnlyTheDamagedBlockIsRefused(LogicalUnit disk) {
    for (int block = 0; block < BLOCKS; block++) {
      if (block != DAMAGED) {
        assertThat(disk.read(8L * block, 8, 512)).isEqualTo(content(block));
      }
    }
    assertThatThrownBy(() -> disk.read(8L * DAMAGED, 8, 512))
        .isInstanceOfSatisfying(
            ScsiException.class, e -> assertThat(e.sense().key()).isEqualTo(Sense.MEDIUM_ERROR));
  }

  private static JsonNode scrub(RestClient rest) {
    rest.post("scrub/start", "");
    await(() -> !rest.get("scrub").get("running").asBoolean());
    return rest.get("scrub");
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("60 s are over").isLessThan(end);
    }
  }

  private static Commands.Outcome check(Path home) {
    return Commands.run(
        120,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            CheckCommand.class.getName(),
            home.toString()));
  }

  private static ByteBuffer content(int block) {
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
    SplittableRandom random = new SplittableRandom(block);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.flip();
  }

  private static long find(Path pool, ByteBuffer content) throws IOException {
    try (FileChannel file = FileChannel.open(pool, StandardOpenOption.READ)) {
      ByteBuffer block = ByteBuffer.allocate(BLOCK);
      for (long at = 0; at < file.size(); at += BLOCK) {
        file.read(block.clear(), at);
        if (block.flip().equals(content)) {
          return at;
        }
      }
    }
    throw new AssertionError("the content is nowhere in the pool");
  }

  private static void damage(Path pool, long offset) throws IOException {
    byte[] other = new byte[512];
    new SplittableRandom(offset).nextBytes(other);
    try (RandomAccessFile file = new RandomAccessFile(pool.toFile(), "rw")) {
      file.seek(offset);
      file.write(other);
    }
  }
}
