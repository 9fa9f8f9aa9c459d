package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.harness.Commands;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The package in a clean Debian: installed, used, upgraded, removed and purged. The service runs
/// as its unit starts it, but without systemd.
class PackageIT {

  private static final String SETTINGS = "/etc/coppice/application.yaml";

  @TempDir private Path folder;

  /// Ports that nobody uses.
  private ProviderProcess ports;

  @Test
  void anInstalledCoppiceIsUsedUpgradedAndRemovedAndItsDataStays() throws Exception {
    ports = new ProviderProcess(Path.of("unused"), folder, List.of());
    try (DebianRoot root = DebianRoot.make(folder.resolve("debian"))) {
      install(root, Packages.deb(), Packages.version());
      String settings = chosenSettings();
      Files.writeString(root.file(SETTINGS), settings);
      try (Service service = new Service(root)) {
        rest(root).post("containers", "{\"name\": \"kept\", \"quota\": 16777216}");
        assertThat(root.require("coppice", "health")).contains("the ports answer");
        client(root);
        saved(root);
        service.stop();
      }

      install(root, Packages.nextDeb(), Packages.nextVersion());
      assertThat(root.file(SETTINGS)).hasContent(settings.strip());
      try (Service service = new Service(root)) {
        assertThat(rest(root).get("containers").get("items").toString()).contains("kept");
        service.stop();
      }
      restored(root);

      removed(root);
    }
  }

  /// The same content gives the same files, bytes and times, whenever it is packed.
  @Test
  void twoPackagesOfOneBuildHoldTheSame() {
    assumeTrue(Commands.exists("dpkg-deb"), "dpkg-deb is not installed (package dpkg)");

    assertThat(contentDigest(Packages.deb())).isEqualTo(contentDigest(Packages.nextDeb()));
  }

  private static String contentDigest(Path deb) {
    return Commands.require(
        120, "sh", "-c", "dpkg-deb --fsys-tarfile \"$1\" | sha256sum", "sh", deb.toString());
  }

  private static void install(DebianRoot root, Path deb, String version) throws IOException {
    Files.copy(deb, root.file("/tmp/coppice.deb"));
    String said = root.require("dpkg", "-i", "/tmp/coppice.deb");
    Files.delete(root.file("/tmp/coppice.deb"));

    assertThat(said).doesNotContain("warning", "error");
    assertThat(root.require("dpkg-query", "-W", "-f", "${Status} ${Version}", "coppice"))
        .isEqualTo("install ok installed " + version);
    assertThat(root.require("dpkg", "--verify", "coppice").lines())
        .allMatch(line -> line.endsWith(SETTINGS));
    assertThat(root.require("coppice", "version").strip())
        .isEqualTo("coppice " + Packages.version());
    assertThat(access(root, "/var/lib/coppice")).isEqualTo("coppice:coppice 700");
    assertThat(access(root, "/etc/coppice")).isEqualTo("root:coppice 750");
    assertThat(access(root, SETTINGS)).isEqualTo("root:coppice 640");
    assertThat(root.require("getent", "passwd", "coppice")).contains("/usr/sbin/nologin");
  }

  private static String access(DebianRoot root, String file) {
    return root.require("stat", "-c", "%U:%G %a", file).strip();
  }

  private String chosenSettings() {
    return """
        coppice:
          pool: {capacity: 256MB, thin: true}
          iscsi: {address: 127.0.0.1, port: %d}
          vasa: {address: 127.0.0.1, port: %d}
          management: {address: 127.0.0.1, port: %d}
          tls: {names: [localhost, 127.0.0.1]}
        """
        .formatted(ports.portal().getPort(), ports.vasa().getPort(), ports.management().getPort());
  }

  private RestClient rest(DebianRoot root) throws IOException {
    String token = Files.readString(root.file("/var/lib/coppice/admin.token")).strip();
    return new RestClient(ports.management(), token);
  }

  /// The command line as root and as somebody else, and its completion.
  private void client(DebianRoot root) {
    String url = "https://127.0.0.1:" + ports.management().getPort();

    assertThat(root.require("coppice", "--help")).contains("doctor [--vcenter", "volume", "export");
    assertThat(root.require("coppice", "container", "list", "--url", url)).contains("kept");
    assertThat(
            root.require(
                "coppice",
                "volume",
                "create",
                "disk",
                "--size",
                "1MiB",
                "--container",
                "kept",
                "-o",
                "name",
                "--url",
                url))
        .hasSize(37);
    Commands.Outcome refused =
        root.run(
            "setpriv",
            "--reuid=nobody",
            "--clear-groups",
            "coppice",
            "volume",
            "list",
            "--url",
            url);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.output()).contains("expected a token for " + url);
    assertThat(
            root.require(
                "bash",
                "-c",
                ". /usr/share/bash-completion/completions/coppice && COMP_WORDS=(coppice volume cre)"
                    + " COMP_CWORD=2 && _complete_coppice && echo \"${COMPREPLY[@]}\""))
        .contains("create");
  }

  /// A backup by root, into a folder where the service's account may not go.
  private static void saved(DebianRoot root) throws IOException {
    root.require("install", "-d", "-m", "700", "/srv/backups");

    String said = root.require("coppice", "backup", "/srv/backups/first");

    assertThat(said).contains("/srv/backups/first").doesNotContain("/tmp/");
    assertThat(access(root, "/srv/backups/first")).isEqualTo("root:root 600");
    assertThat(root.file("/srv/backups/first")).isNotEmptyFile();
    Commands.Outcome again = root.run("coppice", "backup", "/srv/backups/first");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.output()).contains("/srv/backups/first exists");
  }

  /// What root restores belongs to the service.
  private static void restored(DebianRoot root) {
    root.require("rm", "-rf", "/var/lib/coppice/database");

    Commands.Outcome doctor = root.run("coppice", "doctor");
    assertThat(doctor.exitCode()).isPositive();
    assertThat(doctor.output()).contains("\"coppice rebuild\"").doesNotContain("./coppice");
    assertThat(root.require("coppice", "restore", "/srv/backups/first"))
        .contains("systemctl start coppice")
        .doesNotContain("/tmp/");

    assertThat(access(root, "/var/lib/coppice/database")).isEqualTo("coppice:coppice 700");
    root.require("coppice", "check", "/var/lib/coppice");
    assertThat(root.require("find", "/var/lib/coppice", "!", "-user", "coppice")).isEmpty();
    assertThat(root.run("coppice", "no-such-command").exitCode()).isEqualTo(2);
  }

  private static void removed(DebianRoot root) {
    root.require("dpkg", "-r", "coppice");
    assertThat(root.file("/usr/bin/coppice")).doesNotExist();
    assertThat(root.file("/usr/lib/coppice")).doesNotExist();
    assertThat(root.file("/usr/share/bash-completion/completions/coppice")).doesNotExist();
    assertThat(root.file(SETTINGS)).exists();
    assertThat(root.file("/var/lib/coppice/pool/pool")).exists();

    String said = root.require("dpkg", "-P", "coppice");
    assertThat(said).contains("pool, database and keys stay in /var/lib/coppice");
    assertThat(root.file("/etc/coppice")).doesNotExist();
    assertThat(root.file("/var/lib/coppice/pool/pool")).exists();
    assertThat(root.file("/var/lib/coppice/database/PG_VERSION")).exists();
    assertThat(root.require("getent", "passwd", "coppice")).startsWith("coppice:");
  }

  /// The service, as systemd would start it from the unit, and told that it is ready.
  private static final class Service implements AutoCloseable {

    private final NotifyListener manager = new NotifyListener();
    private final Path log;
    private final Process process;

    Service(DebianRoot root) throws Exception {
      String unit = Files.readString(root.file("/usr/lib/systemd/system/coppice.service"));
      log = root.file("/tmp/service.log");
      List<String> command =
          new ArrayList<>(
              List.of(
                  "setpriv",
                  "--reuid=" + value(unit, "User"),
                  "--regid=" + value(unit, "Group"),
                  "--init-groups",
                  "--no-new-privs",
                  "--bounding-set=-all",
                  "env",
                  "NOTIFY_SOCKET=" + manager.address()));
      command.addAll(List.of(value(unit, "ExecStart").split(" ")));
      process =
          new ProcessBuilder(root.command(command))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      List<String> heard = new ArrayList<>();
      long end = System.nanoTime() + RunningProvider.START_LIMIT.toNanos();
      while (process.isAlive()
          && System.nanoTime() < end
          && heard.stream().noneMatch(message -> message.startsWith("READY=1"))) {
        heard.addAll(manager.upTo("READY=1", Duration.ofSeconds(1)));
      }
      assertThat(heard).as(Files.readString(log)).last().asString().startsWith("READY=1\n");
      assertThat(heard.getFirst()).isEqualTo("STATUS=The pool is being opened.");
      assertThat(heard.getLast()).contains("STATUS=Volumes are served. Calls are answered.");
    }

    private static String value(String unit, String key) {
      return unit.lines()
          .filter(line -> line.startsWith(key + "="))
          .findFirst()
          .orElseThrow()
          .substring(key.length() + 1);
    }

    void stop() throws Exception {
      process.destroy();

      assertThat(manager.upTo("STOPPING=1", Duration.ofSeconds(30)).getLast())
          .startsWith("STOPPING=1\n");
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(log)).isEqualTo(143);
    }

    /// In order if it can be: what is killed leaves its database running.
    @Override
    public void close() {
      process.destroy();
      try {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
      manager.close();
    }
  }
}
