package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Help and version of `./coppice`, and how it finds a JDK. None of this builds or starts anything.
class LauncherTest {

  private record Said(int status, String text) {}

  @Test
  void everyCommandTellsOfItselfAndDoesNothingElse() throws Exception {
    var commands = new TreeSet<String>();
    Matcher line = Pattern.compile("(?m)^  ([a-z-]+)").matcher(run(Map.of(), "--help").text());
    while (line.find()) {
      commands.add(line.group(1));
    }

    assertThat(commands).contains("up", "doctor", "test", "bench", "version");
    for (String command : commands) {
      for (String flag : List.of("--help", "-h")) {
        Said said = run(Map.of(), command, flag);

        assertThat(said.status()).as(command).isZero();
        assertThat(said.text().lines()).as(command).first().asString().startsWith("  " + command);
        assertThat(said.text()).as(command).doesNotContain("Usage:");
      }
    }
  }

  @Test
  void theVersionIsSaid() throws Exception {
    Said said = run(Map.of(), "version");

    assertThat(said.status()).isZero();
    assertThat(said.text().strip()).matches("coppice \\d+\\.\\d+\\.\\d+");
  }

  @Test
  void composeAndThePageForOperatorsNameFilesOfThisVersion() throws Exception {
    String version = run(Map.of(), "version").text().strip().replaceFirst("^coppice ", "");

    assertThat(Repository.read(Repository.root().resolve("docker/compose.yaml")))
        .contains("image: coppice:" + version + "\n", "coppice-" + version + "-image.tar");
    assertThat(Repository.read(Repository.root().resolve("docs/operations.md")))
        .contains("coppice_" + version + "_amd64.deb", "coppice-" + version + "-image.tar");
  }

  @Test
  void anUnknownCommandIsRefusedWithOrWithoutHelp() throws Exception {
    for (String[] command : new String[][] {{"upp"}, {"upp", "--help"}}) {
      Said said = run(Map.of(), command);

      assertThat(said.status()).isEqualTo(2);
      assertThat(said.text()).startsWith("coppice: unknown command 'upp'");
    }
  }

  @Test
  void optionsOfJavaInTheEnvironmentDoNotHideTheJdk() throws Exception {
    String function = "eval \"$(sed -n '/^is_jdk25()/,/^}/p' coppice)\"; is_jdk25 \"$1\"";

    Said said =
        bash(
            Map.of("JAVA_TOOL_OPTIONS", "-Dx=y", "_JAVA_OPTIONS", "-Dx=y"),
            "-c",
            function,
            "bash",
            System.getProperty("java.home"));

    assertThat(said.status()).as(said.text()).isZero();
  }

  /// Maven does not make a jar anew for a comment.
  @Test
  void aSourceFromBeforeTheLastBuildMakesNoClientOld(@TempDir Path root) throws Exception {
    Path sources = root.resolve("vasa-provider/src/main/java/io/coppice");
    Path source = Files.createDirectories(sources.resolve("cli")).resolve("Verb.java");
    Files.createDirectories(sources.resolve("api"));
    Files.createFile(root.resolve("coppice-1.0-cli.jar"));
    Path built = Files.createFile(root.resolve("built"));
    Instant now = Files.getLastModifiedTime(built).toInstant();
    Files.createFile(source);
    Files.setLastModifiedTime(source, FileTime.from(now.plusSeconds(10)));

    Files.setLastModifiedTime(built, FileTime.from(now.plusSeconds(20)));
    assertThat(clientIsOld(root)).as("built after the change").isFalse();
    Files.setLastModifiedTime(source, FileTime.from(now.plusSeconds(30)));
    assertThat(clientIsOld(root)).as("changed after that").isTrue();
    Files.delete(built);
    assertThat(clientIsOld(root)).as("never built by the launcher").isTrue();
  }

  private static boolean clientIsOld(Path root) throws Exception {
    String function =
        "root=$1 client=$1 built=$1/built; eval \"$(sed -n '/^client_is_old()/,/^}/p' coppice)\"; client_is_old";
    Said said = bash(Map.of(), "-c", function, "bash", root.toString());
    assertThat(said.text()).isEmpty();
    return said.status() == 0;
  }

  @Test
  void withoutItsToolsTheTestOfTheRestApiSaysWhatToInstall(@TempDir Path programs)
      throws Exception {
    Path dirname = programs.resolve("dirname"); // all that the launcher needs before it asks
    Files.writeString(dirname, "#!/bin/sh\nexec /usr/bin/dirname \"$@\"\n");
    Files.setPosixFilePermissions(dirname, PosixFilePermissions.fromString("rwxr-xr-x"));

    Said said = run(Map.of("PATH", programs.toString()), "test", "openapi");

    assertThat(said.status()).as(said.text()).isEqualTo(1);
    assertThat(said.text()).contains("the fuzzer needs", "python3-venv", "npm");
  }

  @Test
  void aMavenThatIsNotTheOneThatIsNamedIsNotRun(@TempDir Path home) throws Exception {
    HttpServer repository = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    repository.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("another archive".getBytes(StandardCharsets.US_ASCII));
          exchange.close();
        });
    repository.start();
    try {
      Said said =
          bash(
              Map.of(
                  "MVNW_REPOURL",
                  "http://127.0.0.1:" + repository.getAddress().getPort(),
                  "MAVEN_USER_HOME",
                  home.toString(),
                  "JAVA_HOME",
                  System.getProperty("java.home")),
              "./mvnw",
              "--version");

      assertThat(said.status()).isEqualTo(1);
      assertThat(said.text()).contains("Failed to validate Maven distribution SHA-256");
    } finally {
      repository.stop(0);
    }
  }

  private static Said run(Map<String, String> environment, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("./coppice"));
    all.addAll(List.of(arguments));
    return bash(environment, all.toArray(String[]::new));
  }

  private static Said bash(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bash"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(Repository.root().toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Said(process.exitValue(), text);
  }
}
