package io.coppice.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.api.system.SettingInForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The settings that are in force, as a start with some arguments finds them.
class SettingSourcesTest {

  private static Map<String, SettingInForce> read(String... arguments) {
    return SettingSources.of(SettingsReader.environment(List.of(arguments))).stream()
        .collect(Collectors.toMap(SettingInForce::name, Function.identity()));
  }

  @Test
  void aSettingHasItsValueWithSourceAndDefault() {
    Map<String, SettingInForce> settings = read("--coppice.pool.map-memory=64MB");

    SettingInForce changed = settings.get("coppice.pool.map-memory");
    assertThat(changed.value()).isEqualTo("64MB");
    assertThat(changed.defaultValue()).isEqualTo("256MB");
    assertThat(changed.origin()).isEqualTo("command line");
    assertThat(changed.secret()).isFalse();
    SettingInForce usual = settings.get("coppice.pool.device-deadline");
    assertThat(usual.value()).isEqualTo("30s").isEqualTo(usual.defaultValue());
    assertThat(usual.origin()).isEqualTo("default");
    assertThat(settings).hasSizeGreaterThan(100);
  }

  @Test
  void theOriginOfWhatAFileSaysIsItsLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("application.yaml");
    Files.writeString(file, "coppice:\n  pool:\n    map-memory: 32MB\n");

    SettingInForce changed =
        read("--spring.config.additional-location=" + folder.toUri())
            .get("coppice.pool.map-memory");

    assertThat(changed.value()).isEqualTo("32MB");
    assertThat(changed.origin()).isEqualTo("%s, line 3".formatted(file));
  }

  @Test
  void elementsOfAListStandForThemselves() {
    Map<String, SettingInForce> settings =
        read(
            "--coppice.iscsi.portals[0]=192.0.2.1:3260",
            "--coppice.iscsi.portals[1]=192.0.2.2:3260");

    assertThat(settings.get("coppice.iscsi.portals[1]").value()).isEqualTo("192.0.2.2:3260");
    assertThat(settings.get("coppice.iscsi.portals[1]").defaultValue()).isNull();
    assertThat(settings).doesNotContainKey("coppice.iscsi.portals");
    assertThat(read()).containsKey("coppice.iscsi.portals");
  }

  @Test
  void noSecretIsAmongTheValues() {
    Map<String, SettingInForce> settings =
        read(
            "--coppice.database.password=PLANT-1",
            "--coppice.database.url=jdbc:postgresql://joe:PLANT-2@127.0.0.1:1/x?password=PLANT-3",
            "--coppice.database.password-file=/run/secrets/database");

    assertThat(settings.get("coppice.database.password").value()).isNull();
    assertThat(settings.get("coppice.database.password").secret()).isTrue();
    assertThat(settings.get("coppice.database.url").value()).contains("127.0.0.1:1/x");
    assertThat(settings.get("coppice.database.password-file").value())
        .isEqualTo("/run/secrets/database");
    assertThat(settings.values().toString()).doesNotContain("PLANT");
    assertThat(read().get("coppice.database.password").value()).as("not set").isEmpty();
    assertThat(read().values().stream().filter(SettingInForce::secret))
        .as("numbers and times are none, such as iscsi.copy-tokens.most")
        .extracting(SettingInForce::name)
        .containsExactly("coppice.database.password");
  }
}
