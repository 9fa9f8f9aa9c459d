package io.coppice.app.tool.bundle;

import io.coppice.app.setting.KnownSettings;
import io.coppice.app.setting.SettingsReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;

/// Every setting with its value and where that comes from. Values of secrets are left out by their
/// names.
final class SettingsReport {

  /// Elements of a list that are shown.
  private static final int MOST_ELEMENTS = 64;

  private SettingsReport() {}

  /// @param arguments `--coppice.KEY=VALUE`
  static String of(List<String> arguments) {
    return of(SettingsReader.environment(arguments));
  }

  private static String of(ConfigurableEnvironment environment) {
    Map<String, String> lines = new TreeMap<>();
    for (String name : KnownSettings.names()) {
      List<String> names = new ArrayList<>(List.of(name));
      for (int i = 0; i < MOST_ELEMENTS; i++) {
        names.add("%s[%d]".formatted(name, i));
      }
      for (String one : names) {
        ConfigurationProperty found = find(environment, one);
        if (found == null && !one.equals(name)) {
          break;
        }
        if (found != null) {
          lines.put(one, line(one, found));
        }
      }
    }
    return String.join("\n", lines.values()) + "\n";
  }

  private static @org.jspecify.annotations.Nullable ConfigurationProperty find(
      ConfigurableEnvironment environment, String name) {
    ConfigurationPropertyName key = ConfigurationPropertyName.of(name);
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty found = source.getConfigurationProperty(key);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static String line(String name, ConfigurationProperty found) {
    String value = String.valueOf(found.getValue());
    boolean secret = Redactor.isSecret(name) && !value.isEmpty();
    return "%s: %s    (%s)"
        .formatted(name, secret ? Redactor.REDACTED : value, String.valueOf(found.getOrigin()));
  }
}
