package io.coppice.app.tool.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.setting.SettingsReader;
import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Findings about an embedded database that is stopped.
class DatabaseCheckTest {

  @TempDir private Path home;

  @Test
  void aMissingPasswordIsFoundBeforeAStartMissesIt() throws IOException {
    for (String file : List.of("PG_VERSION", "global/pg_control", "postgresql.conf")) {
      Path whole = home.resolve("database").resolve(file);
      Files.createDirectories(whole.getParent());
      Files.createFile(whole);
    }

    Report without = look();
    Files.writeString(home.resolve("database.password"), "secret");
    Report with = look();

    assertThat(without.exitStatus()).isEqualTo(Cause.DATABASE.exitStatus());
    assertThat(without.text()).contains("database.password is gone");
    assertThat(with.exitStatus()).isZero();
    assertThat(with.text()).doesNotContain("secret");
  }

  private Report look() {
    List<String> settings = List.of("--coppice.home=" + home);
    var options = DoctorOptions.parse(settings);
    var report = new Report();
    try (var site = new DoctorSubject(SettingsReader.read(settings), options, Clock.systemUTC())) {
      new DatabaseCheck().look(site, report);
    }
    return report;
  }
}
