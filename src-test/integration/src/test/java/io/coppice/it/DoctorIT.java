package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.driver.iscsi.IscsiSession;
import io.coppice.driver.iscsi.LoginRefusedException;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.pki.CertificateAuthority;
import io.coppice.driver.pki.CertificateAuthority.Validity;
import io.coppice.driver.pki.Identity;
import io.coppice.driver.pki.Pem;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.UsageContext;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.VasaFault;
import io.coppice.harness.Commands;
import io.coppice.harness.ProviderJar;
import io.coppice.harness.ProviderProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What `doctor` says, and the status that it ends with, beside set-ups that are broken.
class DoctorIT {

  private static final String GONE = "--coppice.database.url=jdbc:postgresql://127.0.0.1:1/gone";
  private static final String INITIATOR = "iqn.2026-11.test:doctor";
  private static final Duration NO_SKEW = Duration.ZERO;

  @TempDir private Path folder;

  @Test
  void besideARunningProviderTheFirstCauseIsNamed() throws Exception {
    try (RunningProvider provider = RunningProvider.start(folder, "--coppice.pool.capacity=1GB")) {
      ProviderProcess process = provider.process();
      says(process, 0, "Nothing keeps this provider from being online.");
      says(process, 18, "coppice.invalid does not resolve", "--name", "coppice.invalid");
      says(process, 22, "not for 127.0.0.2", "--name=127.0.0.2");
      Identity foreign = CertificateAuthority.create("elsewhere").issueServer("localhost", "::1");
      try (FakeVcenter vcenter = new FakeVcenter(foreign, NO_SKEW)) {
        says(process, 27, "has not registered this provider", "--vcenter", vcenter.address());
      }
      try (FakeVcenter vcenter = new FakeVcenter(foreign, Duration.ofHours(2))) {
        says(process, 17, " s behind that of the vCenter", "--vcenter", vcenter.address());
      }
      says(process, 26, "cannot be reached", "--vcenter", "localhost:1");
      brokenDatabases(process);
      trust(provider, foreign);
      assertThatABundleHasWhatTheProviderKnows(process);
    }
  }

  private void assertThatABundleHasWhatTheProviderKnows(ProviderProcess process)
      throws IOException {
    Path bundle = folder.resolve("bundle.zip");
    List<String> command = ProviderJar.tool("support-bundle");
    command.add(bundle.toString());
    command.addAll(process.settings());
    Commands.Outcome outcome = Commands.run(120, command);
    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    try (ZipFile zip = new ZipFile(bundle.toFile())) {
      for (String part :
          List.of("system", "alerts", "events", "sessions", "history", "forecast", "jobs")) {
        ZipEntry entry = zip.getEntry("provider/%s.json".formatted(part));
        assertThat(entry).as("%s of %s", part, zip.stream().toList()).isNotNull();
      }
      ZipEntry history = zip.getEntry("provider/history.json");
      JsonNode day = new JsonMapper().readTree(zip.getInputStream(history).readAllBytes());
      assertThat(day.path("step").asString()).as(day.toString()).isEqualTo("1m");
      assertThat(text(zip, "check.txt")).startsWith("The pool is open, so the checker did not");
      assertThat(text(zip, "provider/volume-histories.jsonl")).contains("volumesWithTraffic");
    }
  }

  private static String text(ZipFile zip, String entry) throws IOException {
    return new String(
        zip.getInputStream(zip.getEntry(entry)).readAllBytes(), StandardCharsets.UTF_8);
  }

  /// Every write beyond a size that no file may have fails, as on a disk that is broken.
  @Test
  void aPoolThatHasStoppedIsSaidEverywhere() throws Exception {
    assumeTrue(Commands.exists("prlimit"), "skipped: prlimit (util-linux) is not installed");
    try (RunningProvider provider = RunningProvider.start(folder, "--coppice.pool.capacity=1GB")) {
      ProviderProcess process = provider.process();
      String target = provider.exportPlainVolume("plain", 16L << 20, INITIATOR).split("/")[3];
      String limit = "--fsize=0:" + Long.MAX_VALUE;
      Commands.run(10, List.of("prlimit", "--pid", Long.toString(process.pid()), limit));
      assertThatThrownBy(
              () -> provider.rest().post("containers", "{\"name\": \"c\", \"quota\": 4194304}"))
          .hasMessageContaining("The pool stopped because its log could not be written");

      JsonNode status = provider.rest().get("system").get("status");
      assertThat(status.get("state").asString()).isEqualTo("STOPPED");
      assertThat(status.get("reason").asString()).contains("The pool stopped because");
      says(process, 30, "No volume is served since " + status.get("since").asString());
      assertThatThrownBy(
              () ->
                  IscsiSession.login(
                      process.portal(), target, LoginSettings.of(INITIATOR, 1), new WireCounters()))
          .isInstanceOfSatisfying(
              LoginRefusedException.class, e -> assertThat(e.status()).isEqualTo(0x0301));
      awaitEvent(provider, "io.coppice.event.PoolStopped");
    }
  }

  private static void awaitEvent(RunningProvider provider, String messageId) {
    long end = System.nanoTime() + RunningProvider.START_LIMIT.toNanos();
    while (!provider.rest().get("events?limit=1000").toString().contains(messageId)) {
      assertThat(System.nanoTime()).as("there is no event %s", messageId).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static void brokenDatabases(ProviderProcess process) throws Exception {
    try (Connection database = embedded(process)) {
      execute(database, "CREATE TABLE kept AS SELECT * FROM pool_link");
      execute(database, "UPDATE pool_link SET pool_id = gen_random_uuid()");
      says(process, 16, "The database belongs to the pool ");
      execute(database, "UPDATE pool_link SET pool_id = (SELECT pool_id FROM kept)");
      execute(database, "DROP TABLE kept");
      execute(
          database,
          "INSERT INTO flyway_schema_history SELECT 999, '999', 'later', 'SQL', 'V999__later.sql',"
              + " 1, 'x', now(), 1, true");
      says(process, 15, "has version 999, which this Coppice does not know");
      execute(database, "DELETE FROM flyway_schema_history WHERE version = '999'");
    }
  }

  private void trust(RunningProvider provider, Identity foreign) throws IOException {
    ProviderProcess process = provider.process();
    try (RegisteredSite site = new RegisteredSite(provider, ClientOptions.defaults())) {
      CertificateAuthority authority = site.vcenter().authority();
      try (FakeVcenter vcenter =
              new FakeVcenter(authority.issueServer("localhost", "127.0.0.1"), NO_SKEW);
          FakeVcenter other = new FakeVcenter(foreign, NO_SKEW)) {
        says(process, 0, "Nothing keeps", "--vcenter", vcenter.address());
        says(process, 28, "issued by CN=elsewhere", "--vcenter", other.address());
      }
      Identity stranger = CertificateAuthority.create("stranger").issueClient("intruder");
      try (VasaClient client = Wrong.client(site, stranger)) {
        assertThatThrownBy(() -> client.sessions().setContext(UsageContext.ofVcenter(Wrong.uuid())))
            .isInstanceOf(VasaFault.class);
      }
      String said = says(process, 29, "CN=intruder");
      assertThat(said).contains("CN=stranger", "valid until", "trusted now: CN=vcenter.test VMCA");
      assertThat(said).doesNotContain(process.adminToken(), process.vasaPassword());
    }
  }

  @Test
  void aProviderWithoutItsDatabaseAndThenItsPoolIsUnderstood() throws IOException {
    ProviderProcess process =
        new ProviderProcess(
            ProviderJar.served(),
            folder.resolve("home"),
            List.of("--coppice.pool.capacity=1GB", GONE));
    Path pool = process.home().resolve("pool");
    try (process) {
      process.start();
      awaitInLog(process, "waiting, the target goes on");
      says(
          process, 14, "The control plane has no database at jdbc:postgresql://127.0.0.1:1/gone: ");
    }
    try (FileChannel lock = FileChannel.open(pool.resolve("lock"), StandardOpenOption.WRITE);
        var held = lock.lock()) {
      assertThat(held.isValid()).isTrue();
      says(process, 12, "The pool is locked by process " + ProcessHandle.current().pid());
    }
    try (RandomAccessFile file = new RandomAccessFile(pool.resolve("pool").toFile(), "rw")) {
      file.write(new byte[512 << 10]);
    }
    says(process, 11, "found no superblock");
    Files.delete(pool.resolve("pool"));
    Files.createDirectory(process.home().resolve("database"));
    says(process, 11, "There is no pool in ");
  }

  @Test
  void whatWouldKeepAProviderOfflineIsSaidBeforeItStarts() throws IOException {
    ProviderProcess process =
        new ProviderProcess(ProviderJar.served(), folder.resolve("home"), List.of());
    says(process, 10, "the folder does not exist");
    Path tls = Files.createDirectories(process.home().resolve("tls"));
    says(process, 23, "The provider does not run");
    URI taken = process.vasa();
    try (ServerSocket socket =
        new ServerSocket(taken.getPort(), 1, InetAddress.getLoopbackAddress())) {
      says(
          process,
          13,
          "port %d (coppice.vasa.port) is taken by process %d"
              .formatted(socket.getLocalPort(), ProcessHandle.current().pid()));
    }
    CertificateAuthority authority = CertificateAuthority.create("company");
    Path file = tls.resolve("vasa.pem");
    Identity good = authority.issueServer("provider.example", "127.0.0.1");
    Identity old = authority.issueClient("old", Validity.EXPIRED);
    Identity later = authority.issueClient("later", Validity.FUTURE);
    Identity self = CertificateAuthority.create("other").issueServer("x.example", "::1");

    write(file, old, old.chain());
    says(process, 20, "CN=old,O=vsphere-driver ended on");
    write(file, later, later.chain());
    says(process, 20, "CN=later,O=vsphere-driver is not valid before it begins on");
    write(file, old, good.chain());
    says(process, 19, "The key in ");
    write(file, good, List.of(good.certificate(), self.chain().getLast()));
    says(process, 21, "is broken");
    write(file, good, good.chain());
    says(process, 22, "not for localhost, only for provider.example", "--name", "localhost");
    says(process, 2, "coppice.vasa.certificate", "--coppice.vasa.certificate=maybe");
    assertThat(says(process, 23, "\"cause\":\"stopped\"", "--json")).startsWith("{\"status\":23,");
  }

  private static void write(Path file, Identity key, List<java.security.cert.X509Certificate> chain)
      throws IOException {
    StringBuilder text = new StringBuilder(Pem.encode("PRIVATE KEY", key.key().getEncoded()));
    chain.forEach(certificate -> text.append(Pem.encode(certificate)));
    Files.writeString(file, text);
  }

  /// Asserts the exit status and the last line, and that what every check saw stands above it.
  private static String says(ProviderProcess process, int status, String expected, String... more) {
    List<String> command = ProviderJar.tool("doctor");
    command.addAll(process.settings());
    command.addAll(List.of(more));
    Commands.Outcome outcome = Commands.run(120, command);
    String verdict = outcome.output().strip().lines().reduce("", (_, last) -> last);
    System.out.printf("%d  %s%n", outcome.exitCode(), verdict);
    assertThat(verdict).as(outcome.output()).contains(expected);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(status);
    return outcome.output();
  }

  private static void awaitInLog(ProviderProcess process, String text) throws IOException {
    long end = System.nanoTime() + RunningProvider.START_LIMIT.toNanos();
    while (!Files.exists(process.log()) || !Files.readString(process.log()).contains(text)) {
      assertThat(System.nanoTime()).as("the log has no \"%s\"", text).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static Connection embedded(ProviderProcess process) throws IOException, SQLException {
    Path home = process.home();
    String port = Files.readAllLines(home.resolve("database/postmaster.pid")).get(3).strip();
    String password = Files.readString(home.resolve("database.password")).strip();
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/coppice", "coppice", password);
  }

  private static void execute(Connection database, String statement) throws SQLException {
    try (var sql = database.createStatement()) {
      sql.execute(statement);
    }
  }
}
