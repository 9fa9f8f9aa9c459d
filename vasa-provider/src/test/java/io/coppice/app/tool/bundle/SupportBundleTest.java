package io.coppice.app.tool.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.app.setting.Redactor;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Support bundles of a home whose provider is down, with secrets planted wherever one can be.
class SupportBundleTest {

  private static final String DATABASE = "PLANT-database/pass word\"1";
  private static final List<String> FILES =
      List.of("vasa.password", "admin.token", "chap.key", "audit.key", "alert.key");

  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    return SupportBundleCommand.run(
        List.of(args),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private static Map<String, String> content(Path file) throws IOException {
    Map<String, String> content = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
        content.put(
            entry.getName(),
            new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return content;
  }

  private Path home() throws Exception {
    Path home = Files.createDirectories(folder.resolve("home"));
    for (String name : FILES) {
      Files.writeString(home.resolve(name), "PLANT-file-" + name + "\n");
    }
    Path tls = Files.createDirectories(home.resolve("tls"));
    Issuer issuer = Issuer.create("Test", Instant.now(), Duration.ofDays(1));
    Files.writeString(
        tls.resolve("root.pem"), Pem.of(issuer.served().key()) + Pem.of(issuer.served().leaf()));
    return home;
  }

  /// Lines of a log, each with another secret, which begins with `PLANT`.
  private static List<String> lines(Path home) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String name : FILES) {
      String secret = Files.readString(home.resolve(name)).strip();
      lines.add("somebody logged " + secret + " as it is");
      lines.add("in base64 " + base64(secret));
      lines.add("GET /x?y=" + URLEncoder.encode(secret, StandardCharsets.UTF_8));
    }
    lines.add("the database said " + DATABASE);
    lines.add("password=PLANT-1");
    lines.add("Password: PLANT-2 and more");
    lines.add("\"secret\": \"PLANT-3 with \\\" a quote PLANT-3\", \"name\": \"kept-1\"");
    lines.add("{'mutualSecret': 'PLANT-4 two words'}");
    lines.add("Authorization: Bearer PLANT-5");
    lines.add("authorization=\"Basic PLANT-6\"");
    lines.add("curl -H 'Authorization: Bearer PLANT-7' https://array");
    lines.add("Cookie: session=PLANT-8; other=PLANT-8b");
    lines.add("Set-Cookie: id=PLANT-9; Secure");
    lines.add("jdbc:postgresql://joe:PLANT-10@db:5432/coppice");
    lines.add("https://user:PLANT-11@hooks.example.com/x");
    lines.add("jdbc:postgresql://db/coppice?user=joe&password=PLANT-12&ssl=true kept-2");
    lines.add("<vasa:password>PLANT-13</vasa:password><name>kept-3</name>");
    lines.add("<sessionId>PLANT-14</sessionId>");
    lines.add("COPPICE_TOKEN=PLANT-15 ./coppice volume list");
    lines.add("coppice.database.password: \"PLANT-16 quoted\"");
    lines.add("api_key=PLANT-17 apiKey: PLANT-18");
    lines.add("chapSecret = 'PLANT-19 x'");
    lines.add("X-Coppice-Signature: sha256=PLANT-20");
    lines.add(
        "-----BEGIN RSA PRIVATE KEY-----\nPLANT-21\nPLANT-21b\n-----END RSA PRIVATE KEY-----");
    lines.add("the volume gold of host kept-4 was made");
    lines.add("-----BEGIN PRIVATE KEY-----\nPLANT-22 cut off");
    return lines;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void noSecretIsInABundle() throws Exception {
    Path home = home();
    Path log = folder.resolve("provider.log");
    Files.write(log, lines(home));
    Files.createDirectories(home.resolve("log"));
    Files.write(home.resolve("log/postgres.log"), lines(home));
    Path bundle = folder.resolve("bundle.zip");
    Path passwordFile = Files.writeString(folder.resolve("db.secret"), "PLANT-from-file\n");
    String key =
        Files.readString(home.resolve("tls/root.pem")).lines().skip(1).findFirst().orElseThrow();

    int status =
        run(
            bundle.toString(),
            "--log",
            log.toString(),
            "--home",
            home.toString(),
            "--coppice.database.password=" + DATABASE,
            "--coppice.database.password-file=" + passwordFile,
            "--coppice.database.url=jdbc:postgresql://joe:PLANT-setting@127.0.0.1:1/x");

    assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isZero();
    Map<String, String> content = content(bundle);
    assertThat(content.keySet())
        .contains("index.txt", "settings.txt", "doctor.txt", "files.txt", "version.txt")
        .contains("log/1-provider.log", "log/postgres.log");
    String all = String.join("\n", content.values()) + String.join("\n", content.keySet());
    assertThat(all).doesNotContain("PLANT");
    assertThat(all).doesNotContain(DATABASE).doesNotContain(key);
    for (String name : FILES) {
      assertThat(all).doesNotContain(base64("PLANT-file-" + name));
    }
    assertThat(content.get("log/1-provider.log"))
        .contains("kept-1", "kept-2", "kept-3", "kept-4", "(redacted)");
    assertThat(content.get("settings.txt"))
        .contains("coppice.database.password: (redacted)")
        .contains("coppice.home: " + home)
        .containsPattern("coppice.alerts.period: 10s +\\(default\\)");
    assertThat(content.get("files.txt")).contains("admin.token");
    assertThat(content.get("index.txt"))
        .contains("provider/system.json  left out")
        .contains("settings.txt");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(bundle)))
        .isEqualTo("rw-------");
  }

  @Test
  void anExistingFileIsNotOverwritten() throws Exception {
    Path there = Files.writeString(folder.resolve("there.zip"), "mine");

    assertThat(run(there.toString(), "--home", home().toString())).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("expected a file that does not exist yet");
    assertThat(there).hasContent("mine");
  }

  @Test
  void aFailureLeavesNothing() throws Exception {
    Path file = folder.resolve("full.zip");

    assertThatThrownBy(
            () ->
                BundleFile.write(
                    file,
                    new Redactor(List.of()),
                    1000,
                    bundle -> {
                      bundle.add("first.txt", "something");
                      throw new IOException("No space left on device");
                    }))
        .isInstanceOf(IOException.class);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aFolderThatIsNotThereIsNotMade() throws Exception {
    assertThat(run(folder.resolve("nowhere/bundle.zip").toString(), "--home", home().toString()))
        .isEqualTo(1);
    assertThat(folder.resolve("nowhere")).doesNotExist();
  }

  @Test
  void whatIsTooMuchIsLeftOutAndLogsEndAtTheirNewestLines() throws Exception {
    Path file = folder.resolve("small.zip");
    BundleFile.write(
        file,
        new Redactor(List.of()),
        100,
        bundle -> {
          bundle.add("large.txt", "x".repeat(101));
          bundle.add("small.txt", "y".repeat(99));
        });

    assertThat(content(file).keySet()).containsExactly("small.txt", "index.txt");
    assertThat(content(file).get("index.txt")).contains("large.txt  left out: it has 101 bytes");
    Path log = Files.writeString(folder.resolve("a.log"), "first line\nsecond\nthird\n");
    assertThat(LogTail.of(log, 12)).isEqualTo("third\n");
    assertThat(LogTail.of(log, 1000)).startsWith("first line");
  }

  @Test
  void wrongArgumentsAreRefusedWithTheUsage() {
    assertThat(run()).isEqualTo(2);
    assertThat(run("a", "b")).isEqualTo(2);
    assertThat(run("--unknown")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("Usage: support-bundle FILE");
  }
}
