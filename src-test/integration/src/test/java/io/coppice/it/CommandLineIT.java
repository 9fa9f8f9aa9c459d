package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.api.host.Container;
import io.coppice.api.policy.Policy;
import io.coppice.api.protection.ContinuousTier;
import io.coppice.api.protection.PointRule;
import io.coppice.api.protection.ProtectionPolicyView;
import io.coppice.api.volume.Vvol;
import io.coppice.cli.output.Notation;
import io.coppice.cli.rest.Certificates;
import io.coppice.harness.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher's client against a provider, as a person or a script runs it.
class CommandLineIT {

  private static final String INITIATOR = "iqn.2008-11.org.linux-kvm";
  private static final Path LAUNCHER = Path.of("../../coppice").toAbsolutePath().normalize();

  @TempDir private static Path shared;
  private static RunningProvider provider;

  @TempDir private Path folder;

  private record Said(int status, String out, String err) {}

  @BeforeAll
  static void start() {
    provider = RunningProvider.start(shared);
  }

  @AfterAll
  static void stop() {
    provider.close();
  }

  @BeforeEach
  void login() {
    assertThat(tryLogin(fingerprint()).status()).isZero();
  }

  @Test
  void aCertificateThatIsNotTheConfirmedOneIsNotPinned() throws IOException {
    Path other = folder.resolve("config/coppice/profiles");
    coppice("logout");

    Said refused = tryLogin(other(fingerprint()));

    assertThat(refused.status()).isEqualTo(5);
    assertThat(refused.err()).contains("expected a root certificate", fingerprint());
    try (var left = Files.list(other)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aDiskIsMadeNamedSnapshottedClonedAndRead() {
    done("container", "create", "first", "--quota", "4GiB");
    done("volume", "create", "disk", "--size", "64M", "--container", "first");
    done("volume", "grow", "disk", "128MiB");
    done("volume", "snapshot", "disk", "before");
    String clone = done("volume", "clone", "disk", "copy", "-o", "name").strip();
    done("volume", "set-limits", "disk", "--max-iops", "100000", "--max-bandwidth", "1GiB");

    assertThat(done("volume", "list", "--container", "first").lines().map(CommandLineIT::firstWord))
        .containsExactlyInAnyOrder("NAME", "disk", "copy");
    Vvol disk =
        Notation.as(Notation.read(done("volume", "show", "disk", "-o", "json")), Vvol.class);
    assertThat(disk.size()).isEqualTo(128L << 20);
    assertThat(done("volume", "show", "copy", "-o", "name").strip()).isEqualTo(clone);
    assertThat(done("snapshot", "list", "--vvol", "disk")).contains("before");
    assertThat(done("volume", "limits", "disk")).contains("100000", "1.0 GiB");
    assertThat(done("status")).contains("provider", "portals");

    done("export", "create", "disk", "--initiator", INITIATOR, "--lun", "0");
    assertThat(coppice("volume", "delete", "disk").status())
        .as("exported: a conflict")
        .isEqualTo(8);
    assumeTrue(Commands.exists("qemu-io"), "qemu-io is not installed (package qemu-utils)");
    String target =
        Notation.read(done("export", "show", "disk", "-o", "json")).get("target").asString();
    String url =
        "iscsi://127.0.0.1:%d/%s/0".formatted(provider.process().portal().getPort(), target);
    assertThat(
            Commands.require(
                60,
                "qemu-io",
                "-f",
                "raw",
                "-c",
                "write -P 0xa5 0 4k",
                "-c",
                "read -P 0xa5 0 4k",
                url))
        .contains("read 4096/4096")
        .doesNotContain("Pattern verification failed");
    done("export", "delete", "disk");
    done("volume", "delete", "disk");
  }

  @Test
  void theLineOfADryRunDoesTheSameInAShell() throws Exception {
    String line =
        done("container", "create", "it's \"mine\" $HOME", "--quota", "1GiB", "--dry-run").strip();
    assertThat(done("container", "list")).doesNotContain("mine");
    assertThat(line).startsWith("curl ").doesNotContain(provider.process().adminToken());

    assumeTrue(Commands.exists("curl"), "curl is not installed");
    Said said = run(List.of("bash", "-c", line));

    assertThat(said.status()).as(said.err()).isZero();
    Container made = Notation.as(Notation.read(said.out()), Container.class);
    assertThat(made.name()).isEqualTo("it's \"mine\" $HOME");
    assertThat(made.quota()).isEqualTo(1L << 30);
  }

  @Test
  void aPolicyIsAppliedTwiceFromAFile() throws IOException {
    Files.writeString(
        folder.resolve("gold.yaml"),
        "name: gold\nmaxIops: 100\nsnapshotInterval: 1h\nsnapshotRetention: 1d\n");
    done("policy", "apply", "-f", "gold.yaml");
    Files.writeString(folder.resolve("gold.yaml"), "name: gold\nmaxIops: 200\n");
    done("policy", "apply", "-f", "gold.yaml");

    Policy gold =
        Notation.as(Notation.read(done("policy", "show", "gold", "-o", "json")), Policy.class);

    assertThat(gold.maxIops()).isEqualTo(200);
    assertThat(gold.generation()).isGreaterThan(1);
    assertThat(done("policy", "list", "-o", "yaml")).contains("name: gold");
  }

  @Test
  void aProtectionPolicyIsAppliedTwiceFromAFile() throws IOException {
    Path file = folder.resolve("protect.yaml");
    Files.writeString(file, "name: hours\nrules:\n  - hourly keep 24\n");
    done("protection-policy", "apply", "-f", "protect.yaml");
    Files.writeString(
        file,
        "name: hours\nrules:\n  - hourly keep 48\n"
            + "  - {name: quick, kind: every, interval: 15m, keepFor: 1d}\n"
            + "continuous: 5s for 1h, 1m for 1d\n");
    assertThat(done("protection-policy", "apply", "-f", "protect.yaml", "--dry-run"))
        .contains("-X PUT")
        .contains("If-Match");
    done("protection-policy", "apply", "-f", "protect.yaml");

    ProtectionPolicyView hours =
        Notation.as(
            Notation.read(done("protection-policy", "show", "hours", "-o", "json")),
            ProtectionPolicyView.class);

    assertThat(hours.generation()).isEqualTo(2);
    assertThat(hours.rules()).extracting(PointRule::keepFor).containsExactly(null, "P1D");
    assertThat(hours.rules()).extracting(PointRule::keepCount).containsExactly(48, null);
    assertThat(hours.continuous())
        .containsExactly(new ContinuousTier("PT5S", "PT1H"), new ContinuousTier("PT1M", "P1D"));
  }

  @Test
  void aChangeByAnEarlierTagIsRefused() {
    done("container", "create", "tagged", "--quota", "1GiB");
    String tag = done("container", "show", "tagged", "--tag").strip();
    done("container", "change", "tagged", "--quota", "2GiB", "--if-match", tag);

    Said late = coppice("container", "change", "tagged", "--quota", "3GiB", "--if-match", tag);

    assertThat(late.status()).isEqualTo(8);
    assertThat(late.err()).contains(tag, "read it again");
    done("container", "delete", "tagged");
  }

  @Test
  void exitStatusesComeFromTheRealServer() throws IOException {
    assertThat(coppice("volume", "show", "missing").status()).isEqualTo(3);
    assertThat(coppice("container", "create", "x", "--quota", "0").status()).isEqualTo(1);
    assertThat(coppice("volume", "lst").status()).isEqualTo(2);
    Path wrong = Files.writeString(folder.resolve("wrong"), "no-token");
    assertThat(coppice("volume", "list", "--token-file", wrong.toString()).status()).isEqualTo(4);
    assertThat(coppice("volume", "list", "--home", "missing").status()).isEqualTo(4);
  }

  @Test
  void beneathAHomeNoLoginIsNeeded() throws IOException {
    coppice("logout");
    Files.createSymbolicLink(folder.resolve(".coppice"), provider.process().home());

    Said said = coppice("system", "whoami", "--url", provider.process().management().toString());

    assertThat(said.status()).as(said.err()).isZero();
    assertThat(said.out()).contains("role", "admin");
  }

  private Said tryLogin(String fingerprint) {
    return coppice(
        "login",
        provider.process().management().toString(),
        "--name",
        "test",
        "--token-file",
        provider.process().home().resolve("admin.token").toString(),
        "--fingerprint",
        fingerprint);
  }

  private static String fingerprint() {
    return Certificates.fingerprint(
        Certificates.read(provider.process().home().resolve("tls/root.crt")));
  }

  /// A fingerprint that differs in its first digit.
  private static String other(String fingerprint) {
    return (fingerprint.startsWith("0") ? "1" : "0") + fingerprint.substring(1);
  }

  private static String firstWord(String line) {
    return line.split(" ", 2)[0];
  }

  private String done(String... args) {
    Said said = coppice(args);
    assertThat(said.status()).as("%s: %s", List.of(args), said.err()).isZero();
    return said.out();
  }

  private Said coppice(String... args) {
    List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
    command.addAll(List.of(args));
    try {
      return run(command);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Said run(List<String> command) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "XDG_CONFIG_HOME", folder.resolve("config").toString(),
                "COPPICE_JAVA_HOME", System.getProperty("java.home")));
    Process process = builder.start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(command.toString()).isTrue();
    return new Said(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
