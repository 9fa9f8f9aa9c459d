package io.coppice.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;

/// Settings that nobody knows are refused, with the nearest that there is.
class KnownSettingsTest {

  @Test
  void whatTheFileDescribesIsWhatThereIs() {
    var file = new YamlPropertiesFactoryBean();
    file.setResources(new ClassPathResource("application.yaml"));
    Set<String> described = new TreeSet<>();
    for (Object key : file.getObject().keySet()) {
      if (key.toString().startsWith("coppice.")) {
        described.add(key.toString());
      }
    }

    assertThat(KnownSettings.names()).isEqualTo(described);
  }

  @ParameterizedTest
  @CsvSource({
    "coppice.pool.mirrorr, coppice.pool.mirror",
    "coppice.pool.mapmemry, coppice.pool.map-memory",
    "coppice.mirror, coppice.pool.mirror",
    "coppice.vasa.sessions.sessions-per-clients, coppice.vasa.sessions.sessions-per-client",
    "coppice.iscsi.portal[0], coppice.iscsi.portals",
    "coppice.database.paswword-file, coppice.database.password-file",
  })
  void anUnknownSettingIsRefusedWithTheNearest(String name, String nearest) {
    String sentence =
        "%s: expected the name of a setting, got one that there is not; the nearest is %s";

    assertThatThrownBy(() -> KnownSettings.require(with(name)))
        .isInstanceOf(StartupException.class)
        .hasMessage(sentence.formatted(name, nearest));
    assertThatThrownBy(() -> KnownSettings.requireArguments(List.of("--" + name + "=secret")))
        .isInstanceOf(StartupException.class)
        .hasMessage(sentence.formatted("--" + name, "--" + nearest));
    assertThatThrownBy(() -> SettingsReader.read(List.of("--" + name + "=secret")))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining(nearest)
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "coppice.pool.map-memory",
        "coppice.pool.mapMemory",
        "coppice.pool.map_memory",
        "coppice.vasa.version-3.offered",
        "coppice.iscsi.portals",
        "coppice.iscsi.portals[1]",
        "coppices.other",
        "server.port",
      })
  void whatThereIsIsTaken(String name) {
    assertThatCode(() -> KnownSettings.require(with(name))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "COPPICE_POOL_MIRRORR, COPPICE_POOL_MIRROR",
    "COPPICE_POOL_MAPMEMRY, COPPICE_POOL_MAPMEMORY",
    "COPPICE_VASA_PROT, COPPICE_VASA_PORT",
  })
  void anUnknownVariableIsRefusedWithTheNearest(String name, String nearest) {
    assertThatThrownBy(() -> KnownSettings.require(withVariable(name, "secret")))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith(name + ": ")
        .hasMessageEndingWith(" " + nearest);
  }

  @ParameterizedTest
  @CsvSource({
    "COPPICE_POOL_MAPMEMORY, 1",
    "COPPICE_POOL_MAP_MEMORY, 1",
    "COPPICE_ISCSI_PORTALS_0, 1",
    "COPPICE_DATABASE_PASSWORD_FILE, 1",
    "COPPICE_HOME, 1",
    "COPPICE_JAVA_OPTIONS, 1",
    "COPPICE_SERVICE_HOST, 1",
    "COPPICE_DB_SERVICE_PORT_PG, 1",
    "COPPICE_PORT_8443_TCP_ADDR, 1",
    "COPPICE_PORT, tcp://10.0.0.1:8443",
    "OTHER_COPPICE_X, 1",
  })
  void variablesOfOthersAreTaken(String name, String value) {
    assertThatCode(() -> KnownSettings.require(withVariable(name, value)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "up, 'expected arguments of the form --coppice.KEY=VALUE, got \"up\"'",
    "-x=secret, 'expected arguments of the form --coppice.KEY=VALUE, got \"-x\"'",
    "--coppice.pool.thin, '--coppice.pool.thin: expected a value, as in --coppice.pool.thin=VALUE, got none'",
    "--home=/x, '--home: expected the name of a setting, got one that there is not; the nearest is --coppice.home'",
    "--help, '--help: expected the name of a setting, got one that there is not; the nearest is --coppice.home'",
  })
  void anArgumentOfAnotherFormIsRefused(String argument, String sentence) {
    assertThatThrownBy(() -> KnownSettings.requireArguments(List.of(argument)))
        .isInstanceOf(StartupException.class)
        .hasMessage(sentence);
  }

  private static StandardEnvironment with(String name) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of(name, "1")));
    return environment;
  }

  private static StandardEnvironment withVariable(String name, String value) {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new SystemEnvironmentPropertySource("test", Map.of(name, value)));
    return environment;
  }
}
