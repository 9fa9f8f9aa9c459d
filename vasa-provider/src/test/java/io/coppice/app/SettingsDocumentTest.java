package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ClassPathResource;

/// The page of settings, and the file that holds them.
class SettingsDocumentTest {

  private static final Path PAGE = Path.of("../docs/settings.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z0-9.-]+)` \\| ([^|]+) \\|");
  private static final String PREFIX = "coppice.";

  @Test
  void thePageNamesEverySettingWithItsDefaultAndNoOther() throws IOException {
    assertThat(documented()).isEqualTo(defaults());
  }

  private static Map<String, String> documented() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(PAGE));
    while (row.find()) {
      String value = row.group(2).replace("`", "");
      documented.put(PREFIX + row.group(1), value.equals("empty") ? "" : value);
    }
    return documented;
  }

  private static Map<String, String> defaults() {
    var file = new YamlPropertiesFactoryBean();
    file.setResources(new ClassPathResource("application.yaml"));
    Map<String, String> defaults = new TreeMap<>();
    Objects.requireNonNull(file.getObject())
        .forEach(
            (key, value) -> {
              if (key.toString().startsWith(PREFIX)) {
                defaults.put(key.toString(), value.toString());
              }
            });
    return defaults;
  }
}
