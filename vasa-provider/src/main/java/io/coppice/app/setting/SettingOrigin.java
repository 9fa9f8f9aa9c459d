package io.coppice.app.setting;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.SystemEnvironmentOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

/// The origin of a setting in words: `default`, `command line`, an environment variable or system
/// property with its name, or a file with the line.
final class SettingOrigin {

  private static final String DEFAULT = "default";

  private SettingOrigin() {}

  static String of(@Nullable Origin origin) {
    return switch (origin) {
      case null -> DEFAULT;
      case SystemEnvironmentOrigin variable ->
          "environment variable %s".formatted(variable.getProperty());
      case TextResourceOrigin text -> ofText(text);
      case PropertySourceOrigin source -> ofSource(source);
      default -> origin.toString();
    };
  }

  private static String ofSource(PropertySourceOrigin origin) {
    Origin within = origin.getOrigin();
    if (within instanceof SystemEnvironmentOrigin || within instanceof TextResourceOrigin) {
      return of(within);
    }
    String source = origin.getPropertySource().getName();
    return switch (source) {
      case CommandLinePropertySource.COMMAND_LINE_PROPERTY_SOURCE_NAME -> "command line";
      case StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME ->
          "system property %s".formatted(origin.getPropertyName());
      default -> origin.toString();
    };
  }

  private static String ofText(TextResourceOrigin text) {
    Resource resource = text.getResource();
    TextResourceOrigin.Location location = text.getLocation();
    int line = location == null ? 1 : location.getLine() + 1;
    try {
      return resource == null || isOurs(resource)
          ? DEFAULT
          : "%s, line %d".formatted(resource.getFile(), line);
    } catch (IOException e) { // no file
      return text.toString();
    }
  }

  /// Whether it is the file that the program carries.
  private static boolean isOurs(Resource resource) throws IOException {
    return resource.getURI().equals(new ClassPathResource(SettingSources.DEFAULTS).getURI());
  }
}
