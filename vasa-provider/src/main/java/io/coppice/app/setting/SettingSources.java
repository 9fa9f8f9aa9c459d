package io.coppice.app.setting;

import io.coppice.api.system.SettingInForce;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ClassPathResource;

/// The settings that are in force, each with its source and its default. Values of secrets are left
/// out by their names, and what looks like one in other values, as in a URL, is
/// [Redactor#REDACTED].
public final class SettingSources {

  /// Elements of a list that are shown.
  private static final int MOST_ELEMENTS = 64;

  static final String DEFAULTS = "application.yaml";
  private static final Redactor REDACTOR = new Redactor(List.of());

  private SettingSources() {}

  /// All settings that have a value, by name. Each element of a list stands for itself, such as
  /// `coppice.iscsi.portals[0]`.
  public static List<SettingInForce> of(ConfigurableEnvironment environment) {
    Map<String, String> defaults = defaults();
    Map<String, SettingInForce> all = new TreeMap<>();
    for (String name : KnownSettings.names()) {
      Map<String, ConfigurationProperty> found = elements(environment, name);
      ConfigurationProperty whole = find(environment, name);
      if (found.isEmpty() && whole != null) {
        found.put(name, whole);
      }
      boolean secret = KnownSettings.isText(name) && Redactor.isSecret(name);
      found.forEach(
          (one, property) -> all.put(one, setting(one, property, defaults.get(one), secret)));
    }
    return List.copyOf(all.values());
  }

  private static Map<String, ConfigurationProperty> elements(
      ConfigurableEnvironment environment, String name) {
    Map<String, ConfigurationProperty> found = new HashMap<>();
    for (int i = 0; i < MOST_ELEMENTS; i++) {
      String one = "%s[%d]".formatted(name, i);
      ConfigurationProperty element = find(environment, one);
      if (element == null) {
        break;
      }
      found.put(one, element);
    }
    return found;
  }

  private static @Nullable ConfigurationProperty find(
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

  private static SettingInForce setting(
      String name, ConfigurationProperty found, @Nullable String usual, boolean secret) {
    String value = String.valueOf(found.getValue());
    return new SettingInForce(
        name,
        secret && !value.isEmpty() ? null : REDACTOR.of(value),
        SettingOrigin.of(found.getOrigin()),
        usual,
        secret);
  }

  /// The values of the file that the jar carries.
  private static Map<String, String> defaults() {
    var file = new YamlPropertiesFactoryBean();
    file.setResources(new ClassPathResource(DEFAULTS));
    Map<String, String> defaults = new HashMap<>();
    Objects.requireNonNull(file.getObject(), DEFAULTS)
        .forEach((key, value) -> defaults.put(key.toString(), value.toString()));
    return defaults;
  }
}
