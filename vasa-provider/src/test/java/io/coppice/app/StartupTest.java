package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.app.pool.PoolFolder;
import io.coppice.app.setting.StartupException;
import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.superblock.NewPool;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.MemoryEngine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What keeps Coppice from starting: one sentence, and the disk as it was.
class StartupTest {

  private static final long CAPACITY = 256L << 20;

  /// Offset of the format version in a superblock (`docs/on-disk-format.md`).
  private static final int FORMAT_VERSION_AT = 8;

  @TempDir Path folder;

  @Test
  void portInUseIsNamedBeforeAnythingIsMade() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      for (String key : List.of("iscsi", "vasa", "management")) {
        assertRefused("coppice.%s.port=%d".formatted(key, port))
            .isEqualTo(
                "coppice.%s.port: expected a free port, but %d is in use at 127.0.0.1"
                    .formatted(key, port));
      }
    }
  }

  @Test
  void onePortForTwoServicesIsInUse() throws Exception {
    int port = freePort();

    assertRefused("coppice.vasa.port=" + port, "coppice.management.port=" + port)
        .isEqualTo(
            "coppice.management.port: expected a free port, but %d is in use at 127.0.0.1"
                .formatted(port));
  }

  @Test
  void addressOfAnotherMachineIsNamed() throws Exception {
    assertRefused("coppice.iscsi.address=192.0.2.1")
        .startsWith("coppice.iscsi: expected an address and port that can be listened at");
    assertRefused("coppice.vasa.address=no such host")
        .isEqualTo(
            "coppice.vasa.address: expected an address of this machine, got \"no such host\", which"
                + " is none");
  }

  @Test
  void settingOutOfRangeOrOfAnotherTypeIsNamedWithWhatIsExpected() throws Exception {
    assertRefused("coppice.pool.capacity=255MB")
        .startsWith("coppice.pool.capacity: expected 268435456B to ")
        .endsWith(", got 267386880B");
    assertRefused("coppice.iscsi.copy-tokens.most=5000")
        .isEqualTo("coppice.iscsi.copy-tokens.most: expected 1 to 4096, got 5000");
    assertRefused("coppice.iscsi.copy-tokens.timeout=11m")
        .isEqualTo("coppice.iscsi.copy-tokens.timeout: expected PT1S to PT10M, got PT11M");
    assertRefused("coppice.iscsi.copy-tokens.lifetime=8d")
        .isEqualTo("coppice.iscsi.copy-tokens.lifetime: expected PT10M to PT168H, got PT192H");
    assertRefused("coppice.vasa.name=" + "n".repeat(257))
        .isEqualTo("coppice.vasa.name: expected at most 256 characters, got 257");
    assertRefused("coppice.iscsi.port=70000")
        .isEqualTo("coppice.iscsi.port: expected 0 to 65535, got 70000");
    assertRefused("coppice.iscsi.port=any")
        .isEqualTo("coppice.iscsi.port: expected a whole number, got \"any\"");
    assertRefused("coppice.database.patience=soon")
        .isEqualTo("coppice.database.patience: expected a time such as 30s or 10m, got \"soon\"");
    assertRefused("coppice.vasa.certificate=lent")
        .isEqualTo(
            "coppice.vasa.certificate: expected one of retain, vcenter-signed, got \"lent\"");
  }

  @Test
  void settingThatThereIsNotIsRefusedWithTheNearest() throws Exception {
    assertRefused("coppice.pool.mirrorr=" + folder.resolve("second"))
        .isEqualTo(
            "--coppice.pool.mirrorr: expected the name of a setting, got one that there is not; the"
                + " nearest is --coppice.pool.mirror");
  }

  @Test
  void capacityThatTheFileSystemDoesNotHaveIsRefusedWithBothFigures() {
    assertThatThrownBy(
            () ->
                Application.start(
                        arguments("coppice.pool.capacity=64TB", "coppice.pool.thin=false"),
                        PoolFolder::open,
                        new PrintStream(OutputStream.nullOutputStream()))
                    .close())
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("70368744177664 bytes asked")
        .hasMessageContaining("bytes free");
    assertThat(folder.resolve("pool")).doesNotExist();
  }

  @Test
  void homeThatIsAFileIsRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("home"), "a file");

    assertRefused("coppice.home=" + file)
        .startsWith("coppice.home: expected a folder that can be made at " + file);
  }

  @Test
  void fileThatIsNoPoolIsRefused() throws Exception {
    Path pool = Files.createDirectories(folder.resolve("pool"));
    Files.writeString(pool.resolve("pool"), "letters ".repeat(1 << 17));
    Files.createFile(pool.resolve("lock"));

    assertRefused()
        .startsWith("the pool in " + pool + " cannot be used: ")
        .contains("no superblock");
  }

  private static StorageEngine openPool(Path pool) {
    NewPool asked = new NewPool(CAPACITY, true, null, PoolFormat.withDefaults(Instant.EPOCH));
    return PoolFolder.open(pool, asked, EngineOptions.defaults(), _ -> {});
  }

  @Test
  void poolWithPeersIsServedWithoutTheKeyOfTheirs() throws Exception {
    StorageEngine engine = new MemoryEngine();
    String sealed = "2026-11-29T06:00:00Z\nb:9444\nb\nAAAA\nAAAA\n";
    engine
        .records()
        .apply(
            OperationId.random(),
            List.of(new RecordChange.Put("replication/peer/" + UUID.randomUUID(), sealed)));

    try (var provider =
        TestProvider.start(
            folder,
            engine,
            "--coppice.database.url=jdbc:postgresql://127.0.0.1:" + freePort() + "/c",
            "--coppice.database.patience=250ms")) {
      provider.await("open ports", () -> provider.output().contains("ports are open"));

      assertThat(provider.output()).contains("iSCSI target serves");
    }
    assertThat(folder.resolve("chap.key")).doesNotExist();
  }

  @Test
  void poolOfAnotherFormatVersionIsRefused() throws Exception {
    Path pool = folder.resolve("pool");
    openPool(pool).close();
    setFormatVersion(pool.resolve("pool"), PoolLayout.VERSION + 6);

    assertRefused()
        .isEqualTo(
            ("the pool in %s cannot be used: Expected a pool of format version %d, found version %d."
                    + " A later Coppice has written it: start that one. Nothing was changed.")
                .formatted(pool, PoolLayout.VERSION, PoolLayout.VERSION + 6));
  }

  @Test
  void secondProviderOnAPoolEndsWithOneLineAndLeavesItAlone() throws Exception {
    Path pool = folder.resolve("pool");
    StorageEngine first = openPool(pool);
    try {
      Map<String, String> before = diskAtRest();

      Ended second = run(List.of());

      assertThat(second.code()).isEqualTo(1);
      assertThat(second.lines())
          .containsExactly(
              "coppice: the pool in %s cannot be used: Pool %s is in use by another process or engine."
                  .formatted(pool, pool));
      assertThat(disk()).isEqualTo(before);
    } finally {
      first.close();
    }
  }

  @Test
  void poolFolderThatCannotBeWrittenEndsWithOneLine() throws Exception {
    Path pool = Files.createDirectories(folder.resolve("pool"));
    Files.setPosixFilePermissions(pool, PosixFilePermissions.fromString("r-xr-xr-x"));
    List<String> bound = boundByPermissions(pool);
    Map<String, String> before = disk();

    Ended ended = run(bound);

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.lines()).hasSize(1);
    assertThat(ended.lines().getFirst())
        .startsWith("coppice: the pool in " + pool + " cannot be used: ")
        .contains("can be written");
    assertThat(disk()).isEqualTo(before);
  }

  @Test
  void unreachableDatabaseIsSaidOnceAndCallsAreAnsweredBusy() throws Exception {
    int port = freePort();
    try (var provider =
        TestProvider.start(
            folder,
            "--coppice.database.url=jdbc:postgresql://127.0.0.1:" + port + "/c?password=secret",
            "--coppice.database.patience=250ms")) {
      provider.await("the database is missed", () -> provider.output().contains("waiting"));
      var client = new VasaClient(provider.vasaPort(), null);

      assertThat(client.register("any", List.of("any"), List.of()).fault())
          .isEqualTo("VasaProviderBusy");
      var opening = client.openAsVcenter("vc");
      assertThat(opening.fault()).isEqualTo("StorageFault");
      assertThat(opening.value("faultstring"))
          .contains("the database cannot be reached: Connection to 127.0.0.1:" + port)
          .doesNotContain("\n");
      assertThat(provider.output().split("waiting, the target goes on: ", -1)).hasSize(2);
      assertThat(provider.output()).contains("iSCSI target serves").doesNotContain("secret");
      assertThat(folder.resolve("database")).doesNotExist();
    }
  }

  /// The sentence that a start with these settings ends in; the disk stays as it was.
  private org.assertj.core.api.AbstractStringAssert<?> assertRefused(String... settings)
      throws Exception {
    Map<String, String> before = disk();
    StartupException refused =
        catchThrowableOfType(
            StartupException.class,
            () ->
                Application.start(
                        arguments(settings),
                        PoolFolder::open,
                        new PrintStream(OutputStream.nullOutputStream()))
                    .close());
    assertThat(refused).as("a refusal of " + List.of(settings)).isNotNull();
    assertThat(refused.getMessage()).doesNotContain("\n");
    assertThat(disk()).isEqualTo(before);
    return assertThat(refused.getMessage());
  }

  private String[] arguments(String... settings) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "coppice.home=" + folder,
                "coppice.pool.capacity=256MB",
                "coppice.pool.thin=true",
                "coppice.tls.names=localhost",
                "coppice.iscsi.address=127.0.0.1",
                "coppice.iscsi.port=0",
                "coppice.vasa.address=127.0.0.1",
                "coppice.vasa.port=0",
                "coppice.management.address=127.0.0.1",
                "coppice.management.port=0"));
    for (String setting : settings) {
      String key = setting.substring(0, setting.indexOf('=') + 1);
      arguments.removeIf(each -> each.startsWith(key));
      arguments.add(setting);
    }
    return arguments.stream().map("--"::concat).toArray(String[]::new);
  }

  private record Ended(int code, List<String> lines) {}

  /// Coppice as a process of its own, until it ends; without the lines that say what it waits for.
  private Ended run(List<String> prefix) throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(
        List.of(
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:MaxDirectMemorySize=1024m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Application.class.getName()));
    command.addAll(List.of(arguments()));
    Path output = Files.createTempFile("coppice", ".err");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = process.waitFor(120, TimeUnit.SECONDS);
      process.destroyForcibly();
      assertThat(ended).as("it ends by itself; it said " + Files.readString(output)).isTrue();
      List<String> lines =
          Files.readAllLines(output).stream()
              .filter(line -> !line.matches("coppice: +[0-9.]+ s  waiting for .*"))
              .toList();
      return new Ended(process.exitValue(), lines);
    } finally {
      Files.delete(output);
    }
  }

  /// What stands before a command so that permissions bind it; the test is skipped where nothing
  /// does.
  private static List<String> boundByPermissions(Path unwritable) throws Exception {
    if (!Files.isWritable(unwritable)) {
      return List.of();
    }
    String dropped = "-dac_override,-dac_read_search";
    List<String> prefix = List.of("setpriv", "--inh-caps=" + dropped, "--bounding-set=" + dropped);
    List<String> probe = new ArrayList<>(prefix);
    probe.addAll(List.of("test", "-w", unwritable.toString()));
    try {
      assumeFalse(
          new ProcessBuilder(probe).start().waitFor() == 0,
          "root writes everywhere here, setpriv or not");
    } catch (IOException e) {
      assumeTrue(false, "run as root, and there is no setpriv to give that up: " + e.getMessage());
    }
    return prefix;
  }

  private static void setFormatVersion(Path pool, int version) throws IOException {
    try (var file = FileChannel.open(pool, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer slot = ByteBuffer.allocate(PoolLayout.BLOCK).order(ByteOrder.LITTLE_ENDIAN);
      for (long at = 0; at < PoolLayout.SUPERBLOCK_AREA; at += PoolLayout.BLOCK) {
        file.read(slot.clear(), at);
        if (Superblock.hasMagic(slot.flip())) {
          file.write(slot.putInt(FORMAT_VERSION_AT, version), at);
        }
      }
    }
  }

  /// A port where nobody listens, below those that the kernel gives to connections: whoever tries
  /// to connect to one of those may in the end be given the same port and meet itself.
  private static int freePort() {
    return new SecureRandom()
        .ints(20_000, 32_000)
        .filter(StartupTest::isFree)
        .findFirst()
        .orElse(0);
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /// Once the pool that is open has given its next zones their places, which changes the time of
  /// its file.
  private Map<String, String> diskAtRest() throws Exception {
    Map<String, String> before = disk();
    while (true) {
      TimeUnit.MILLISECONDS.sleep(500);
      Map<String, String> now = disk();
      if (now.equals(before)) {
        return now;
      }
      before = now;
    }
  }

  /// Every file with time and content, but the lock's: to close it would give up the lock that this
  /// process holds on it (POSIX fcntl).
  private Map<String, String> disk() throws Exception {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.filter(each -> !each.equals(folder)).toList()) {
        String name = folder.relativize(path).toString();
        if (Files.isDirectory(path) || name.equals("pool/lock")) {
          found.put(name, "");
        } else {
          byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(path));
          found.put(name, Files.getLastModifiedTime(path) + " " + HexFormat.of().formatHex(hash));
        }
      }
    }
    return found;
  }
}
