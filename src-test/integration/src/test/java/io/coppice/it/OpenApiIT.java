package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.harness.Commands;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The OpenAPI description of a running provider, judged by the tools that clients use: a linter, a
/// generator of clients and a fuzzer. `./coppice test openapi` is the fuzzer at its full size.
class OpenApiIT {

  private static final int INSTALL_SECONDS = 300;
  private static final int CHECK_SECONDS = 300;
  private static final Path SCRIPTS = Path.of("../openapi").toAbsolutePath().normalize();
  private static final Path TOOLS = Path.of("target/openapi").toAbsolutePath();

  @TempDir private static Path folder;

  private static RunningProvider provider;

  @BeforeAll
  static void start() {
    assumeTrue(Commands.exists("npm"), "npm is not installed (package npm)");
    assumeTrue(
        Commands.exists("python3"), "python3 is not installed (packages python3, python3-venv)");
    assumeTrue(Commands.exists("curl"), "curl is not installed");
    Commands.require(INSTALL_SECONDS, SCRIPTS.resolve("install.sh").toString(), TOOLS.toString());
    // The fuzzer tries wrong tokens by the hundred, and is to see how each is refused.
    provider = RunningProvider.start(folder, "--coppice.accounts.longest-wait=0s");
  }

  @AfterAll
  static void stop() {
    if (provider != null) {
      provider.close();
    }
  }

  @Test
  void theLinterFindsNothing() {
    assertThat(check("lint")).contains("No results with a severity of 'hint' or higher found");
  }

  @Test
  void aGeneratedClientMakesEverythingUpToAnExport() {
    assertThat(check("client")).contains("calls of the generated client, each with a typed answer");
  }

  @Test
  void theFuzzerFindsNothing() {
    assertThat(check("fuzz", "--max-examples", "3", "--seed", "17", "--max-time", "90"))
        .containsPattern("[1-9][0-9]* passed");
  }

  private static String check(String what, String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                SCRIPTS.resolve("check.sh").toString(),
                what,
                TOOLS.toString(),
                provider.process().management().toString(),
                provider.process().home().toString()));
    command.addAll(List.of(options));
    return Commands.require(CHECK_SECONDS, command.toArray(String[]::new));
  }
}
