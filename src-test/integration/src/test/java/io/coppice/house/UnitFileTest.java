package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.harness.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The unit of the package, as systemd reads it.
class UnitFileTest {

  private static final String COMMAND = "/usr/bin/coppice up";

  @TempDir private Path folder;

  @BeforeEach
  void systemdIsThere() {
    assumeTrue(
        Commands.exists("systemd-analyze"), "systemd-analyze is not installed (package systemd)");
  }

  @Test
  void systemdHasNothingToSayAboutTheUnit() throws IOException {
    Commands.Outcome outcome = verify(unit());

    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
  }

  @Test
  void aMisspeltLineWouldBeNoticed() throws IOException {
    Commands.Outcome outcome = verify(unit().replace("NoNewPrivileges=", "NoNewPriviliges="));

    assertThat(outcome.output()).contains("NoNewPriviliges");
  }

  private static String unit() {
    String unit = Repository.read(Repository.root().resolve("docker/package/coppice.service"));
    assertThat(unit).contains("ExecStart=" + COMMAND);
    return unit;
  }

  /// @param unit with a program that is there in place of an installed Coppice
  private Commands.Outcome verify(String unit) throws IOException {
    Path file = folder.resolve("coppice.service");
    Files.writeString(file, unit.replace(COMMAND, "/bin/true"));
    return Commands.run(60, List.of("systemd-analyze", "verify", "--man=no", file.toString()));
  }
}
