package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.StorageAlarm;
import io.coppice.driver.vcenter.VCenter;
import io.coppice.engine.check.CheckCommand;
import io.coppice.harness.Commands;
import io.coppice.harness.ProviderJar;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A provider keeps its pool on two files. It is stopped, one of them is written into as `dd`
/// would, then one is lost and replaced by an empty file: hosts read what they wrote all the time,
/// and the administrator is told.
class MirroredPoolIT {

  private static final String INITIATOR = "iqn.2026-11.test.host:one";
  private static final int BLOCK = 4096;
  private static final int BLOCKS = 256;

  @TempDir private Path folder;
  private Path first;
  private Path second;

  @BeforeEach
  void name() {
    first = folder.resolve("home").resolve("pool").resolve("pool");
    second = folder.resolve("second");
  }

  private String[] settings(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "--coppice.pool.capacity=1GB",
                "--coppice.pool.mirror=" + second,
                "--coppice.pool.scrub.device-time-percent=100",
                "--coppice.vasa.alarms.period=1s"));
    settings.addAll(List.of(more));
    return settings.toArray(String[]::new);
  }

  @Test
  void whatOneOfTwoFilesLosesIsReadFromTheOtherAndWrittenAnew() throws Exception {
    try (RunningProvider provider = RunningProvider.start(folder, settings())) {
      ProviderProcess process = provider.process();
      awaitBothHoldEverything(process);
      Unit unit = Unit.exported(provider);
      try (IscsiPath path = unit.open(process)) {
        writeAll(unit.on(path));
      }
      process.stop();
      assertThat(damageAll(first)).isGreaterThanOrEqualTo(BLOCKS);
      assertThat(check().exitCode()).isEqualTo(1);

      startAndRead(process, unit);
      assertScrubWritesAnew(process, "on the first device");
      process.stop();
      assertIsClean();

      Files.delete(second);
      assertStartIsRefused(process);
      withOneAfterTheOther(process, unit);
      assertIsClean();
    }
  }

  private static void startAndRead(ProviderProcess process, Unit unit) {
    process.start();
    process.awaitReady(RunningProvider.START_LIMIT);
    try (IscsiPath path = unit.open(process)) {
      assertAllReads(unit.on(path));
    }
  }

  private static void assertScrubWritesAnew(ProviderProcess process, String device) {
    RestClient rest = rest(process);
    rest.post("scrub/start", "");
    await(() -> !rest.get("scrub").get("running").asBoolean());
    JsonNode scrub = rest.get("scrub");
    assertThat(scrub.get("badBlocks").asInt()).isZero();
    assertThat(scrub.get("findings")).isNotEmpty();
    assertThat(scrub.get("findings"))
        .allSatisfy(finding -> assertThat(finding.get("replaced").asBoolean()).isTrue());
    assertThat(scrub.get("findings").toString()).contains(device);
    await(() -> rest.get("events").toString().contains("io.coppice.event.DamagedStructure"));
    awaitBothHoldEverything(process);
  }

  private void assertStartIsRefused(ProviderProcess process) throws IOException {
    process.start();
    await(() -> console(process).contains("Expected the second device of pool"));
    process.close();
    assertThat(console(process)).contains("it may have gone on alone");
    assertThat(second).doesNotExist();
    assertThat(doctor(process)).contains("is kept once only");
  }

  /// The first file alone, until an empty second one has been filled; then what that one holds.
  private void withOneAfterTheOther(ProviderProcess process, Unit unit) throws IOException {
    try (VCenter vcenter = new VCenter("vcenter", ClientOptions.defaults(), new CallLog())) {
      try (ProviderProcess alone =
          process.restartedWith(List.of(settings("--coppice.pool.start-degraded=true")))) {
        startAndRead(alone, unit);
        JsonNode mirror = rest(alone).get("system").get("mirror");
        assertThat(mirror.get("first").asString()).isEqualTo("WHOLE");
        assertThat(mirror.get("second").asString()).isEqualTo("ABSENT");
        assertThat(mirror.get("sentence").asString()).contains("second device", "missing");
        assertThat(doctor(alone)).contains("is kept once only");
        vcenter.register(alone.vasa().resolve("/vasa/version.xml"), "vasa", alone.vasaPassword());
        awaitAlarm(vcenter, "Red");
      }
      Files.createFile(second);
      process.start();
      process.awaitReady(RunningProvider.START_LIMIT);
      awaitBothHoldEverything(process);
      vcenter.reconnect();
      vcenter.openSession();
      awaitAlarm(vcenter, "Green");
    }
    assertThat(damageAll(first)).isGreaterThanOrEqualTo(BLOCKS);
    try (IscsiPath path = unit.open(process)) {
      assertAllReads(unit.on(path));
    }
    assertScrubWritesAnew(process, "on the first device");
    process.stop();
  }

  /// Of the pool that is kept once only, as a vCenter is told.
  private static void awaitAlarm(VCenter vcenter, String status) {
    await(
        () -> {
          List<StorageAlarm> alarms =
              vcenter.client().events().getAlarms(-1).stream()
                  .filter(a -> "io.coppice.alarm.PoolDegraded".equals(a.messageId()))
                  .toList();
          return !alarms.isEmpty() && alarms.getLast().status().equals(status);
        });
  }

  // ---- tools

  private record Unit(String target, Lun lun) {

    static Unit exported(RunningProvider provider) {
      String[] url = provider.exportPlainVolume("plain", 16L << 20, INITIATOR).split("/");
      return new Unit(url[3], Lun.flat(Integer.parseInt(url[4])));
    }

    IscsiPath open(ProviderProcess process) {
      return IscsiPath.open(
          process.portal(), target, LoginSettings.of(INITIATOR, 1), new WireCounters());
    }

    LogicalUnit on(IscsiPath path) {
      return new LogicalUnit(path, lun);
    }
  }

  private static RestClient rest(ProviderProcess process) {
    return new RestClient(process.management(), process.adminToken());
  }

  private static void writeAll(LogicalUnit disk) {
    for (int block = 0; block < BLOCKS; block++) {
      disk.write(8L * block, 8, content(block));
    }
  }

  private static void assertAllReads(LogicalUnit disk) {
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(disk.read(8L * block, 8, 512)).isEqualTo(content(block));
    }
  }

  private static void awaitBothHoldEverything(ProviderProcess process) {
    RestClient rest = rest(process);
    await(
        () -> {
          JsonNode mirror = rest.get("system").get("mirror");
          return "WHOLE".equals(mirror.get("first").asString())
              && "WHOLE".equals(mirror.get("second").asString());
        });
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(120).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("120 s are over").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private static String console(ProviderProcess process) {
    try {
      return Files.readString(process.log());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String doctor(ProviderProcess process) {
    List<String> command = ProviderJar.tool("doctor");
    command.addAll(process.settings());
    return Commands.run(120, command).output();
  }

  private void assertIsClean() {
    Commands.Outcome checked = check();
    assertThat(checked.exitCode()).as(checked.output()).isZero();
  }

  private Commands.Outcome check() {
    return Commands.run(
        120,
        List.of(
            java(),
            "-cp",
            System.getProperty("java.class.path"),
            CheckCommand.class.getName(),
            first.toString(),
            second.toString()));
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static ByteBuffer content(int block) {
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
    SplittableRandom random = new SplittableRandom(block);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.flip();
  }

  /// Damages every block behind the superblocks that holds anything.
  ///
  /// @return how many those are
  private static int damageAll(Path pool) throws IOException {
    int damaged = 0;
    byte[] piece = new byte[1 << 20];
    try (RandomAccessFile file = new RandomAccessFile(pool.toFile(), "rw")) {
      for (long at = 1 << 20; at < file.length(); at += piece.length) {
        file.seek(at);
        file.readFully(piece);
        for (int block = 0; block < piece.length; block += BLOCK) {
          if (isUsed(piece, block)) {
            file.seek(at + block + 1000);
            file.write(piece[block + 1000] ^ 16);
            damaged++;
          }
        }
      }
    }
    return damaged;
  }

  private static boolean isUsed(byte[] bytes, int from) {
    for (int i = from; i < from + BLOCK; i++) {
      if (bytes[i] != 0) {
        return true;
      }
    }
    return false;
  }
}
