package io.coppice.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.driver.soap.ClientOptions;
import io.coppice.harness.Commands;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The web UI in a real browser. The tests themselves are those of `src-test/ui`, and have a report
/// of their own beside those of JUnit, so that each of them counts.
class UiIT {

  /// Parts of the names of the files to be run, with commas between; empty for all.
  private static final String ONLY = System.getProperty("ui.tests", "");

  private static final int LIMIT_SECONDS = 1800;
  private static final Path SCRIPT = Path.of("../ui/run.sh").toAbsolutePath().normalize();
  private static final Path WORK = Path.of("target/ui").toAbsolutePath();
  private static final Path REPORT =
      Path.of("target/failsafe-reports/TEST-web-ui.xml").toAbsolutePath();

  @TempDir private Path folder;

  @Test
  void everyTestInTheBrowserPasses() {
    assumeTrue(Commands.exists("npm"), "Node.js 20.19 or newer with npm is not installed");
    assumeTrue(Commands.exists("chromium"), "Chromium is not installed (package chromium)");
    assumeTrue(Commands.exists("openssl"), "openssl is not installed (package openssl)");
    // Wrong passwords are among the tests, and the next login is not to wait for them.
    try (RunningProvider provider =
            RunningProvider.start(folder, "--coppice.accounts.longest-wait=0s");
        RegisteredSite site = new RegisteredSite(provider, ClientOptions.defaults());
        WorkingMachine _ = WorkingMachine.start(site, "web server");
        DirectedMachine _ =
            DirectedMachine.create(site, "file server", folder.resolve("machine"))) {
      List<String> command =
          new ArrayList<>(
              List.of(
                  SCRIPT.toString(),
                  WORK.toString(),
                  provider.process().management().toString(),
                  provider.process().home().toString(),
                  REPORT.toString()));
      command.addAll(ONLY.isEmpty() ? List.of() : List.of(ONLY.split(",")));
      Commands.require(LIMIT_SECONDS, command.toArray(String[]::new));
    }
  }
}
