package io.coppice.app.tool.bundle;

import io.coppice.api.system.SettingInForce;
import io.coppice.app.setting.Redactor;
import io.coppice.app.setting.SettingSources;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.core.env.ConfigurableEnvironment;

/// Every setting with its value and where that comes from. Values of secrets are left out by their
/// names.
final class SettingsReport {

  private SettingsReport() {}

  static String of(ConfigurableEnvironment environment) {
    return SettingSources.of(environment).stream()
        .map(SettingsReport::line)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String line(SettingInForce one) {
    return "%s: %s    (%s)"
        .formatted(
            one.name(), Objects.requireNonNullElse(one.value(), Redactor.REDACTED), one.origin());
  }
}
