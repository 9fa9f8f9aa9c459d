package io.coppice.app.setting;

import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/// The names of the settings in [CoppiceProperties], and the refusal of others. An ignored setting
/// would leave a pool without its mirror, or a port open.
public final class KnownSettings {

  private static final String PREFIX = "coppice.";

  /// Properties of the frameworks that may be set as well.
  private static final Pattern FRAMEWORKS =
      Pattern.compile("(spring|springdoc|server|logging|management)\\..+");

  /// Variables that the launcher, the images and the tests read themselves.
  private static final Set<String> NO_SETTINGS =
      Set.of(
          "COPPICE_JAVA_HOME",
          "COPPICE_JAVA_OPTIONS",
          "COPPICE_DB_PASSWORD",
          "COPPICE_DOCKER_DIR",
          "COPPICE_DB_PASSWORD_FILE",
          "COPPICE_HOST",
          "COPPICE_BIND",
          "COPPICE_TEST_JDBC_URL");

  /// Variables that Kubernetes sets for a service whose name begins with ours.
  private static final Pattern SERVICE_LINK =
      Pattern.compile("COPPICE(_.*)?_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\\d+_(TCP|UDP)(_.*)?)");

  private static final Pattern INDEX = Pattern.compile("\\[\\d+]$|_\\d+_?$");

  private static final Map<String, Class<?>> TYPES = types(CoppiceProperties.class, PREFIX);
  private static final Set<String> NAMES = Collections.unmodifiableSet(TYPES.keySet());

  private KnownSettings() {}

  /// All names, such as `coppice.pool.map-memory`.
  public static Set<String> names() {
    return NAMES;
  }

  /// Whether a setting is a text. No number, time or switch is a secret, whatever its name is.
  static boolean isText(String name) {
    return TYPES.get(name) == String.class;
  }

  /// @throws StartupException if a source of settings has an unknown name
  public static void require(ConfigurableEnvironment environment) {
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof SystemEnvironmentPropertySource variables) {
        for (String name : variables.getPropertyNames()) {
          requireVariable(name, String.valueOf(variables.getProperty(name)));
        }
      } else if (source instanceof EnumerablePropertySource<?> properties) {
        for (String name : properties.getPropertyNames()) {
          requireProperty(name);
        }
      }
    }
  }

  /// @throws StartupException if one is not `--NAME=VALUE` with the name of a setting
  public static void requireArguments(List<String> arguments) {
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      if (!name.startsWith("--") || name.length() == 2) {
        throw new StartupException(
            "expected arguments of the form --coppice.KEY=VALUE, got \"%s\"".formatted(name));
      }
      String property = name.substring(2);
      if (!FRAMEWORKS.matcher(property).matches()) {
        requireProperty(property.startsWith(PREFIX) ? property : PREFIX + property, name);
        if (!property.startsWith(PREFIX)) {
          throw unknown(name, "--" + nearest(PREFIX + property));
        }
      }
      if (equals < 0) {
        throw new StartupException(
            "%s: expected a value, as in %s=VALUE, got none".formatted(name, name));
      }
    }
  }

  private static void requireProperty(String name) {
    if (name.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
      requireProperty(name, name);
    }
  }

  private static void requireProperty(String name, String shown) {
    if (!isKnown(INDEX.matcher(name).replaceFirst(""), KnownSettings::bare)) {
      throw unknown(shown, (shown.startsWith("--") ? "--" : "") + nearest(name));
    }
  }

  private static void requireVariable(String name, String value) {
    if (!name.startsWith("COPPICE_")
        || NO_SETTINGS.contains(name)
        || isKnown(INDEX.matcher(name).replaceFirst(""), KnownSettings::bareVariable)
        || SERVICE_LINK.matcher(name).matches()
        || name.endsWith("_PORT") && value.matches("(tcp|udp)://.*")) {
      return;
    }
    throw unknown(name, variable(nearest(name.toLowerCase(Locale.ROOT).replace('_', '.'))));
  }

  private static StartupException unknown(String name, String nearest) {
    return new StartupException(
        "%s: expected the name of a setting, got one that there is not; the nearest is %s"
            .formatted(name, nearest));
  }

  private static boolean isKnown(String name, UnaryOperator<String> bare) {
    return NAMES.stream().map(bare).anyMatch(bare.apply(name)::equals);
  }

  /// A name in its common form: `map-memory`, `mapMemory` and `map_memory` are one.
  private static String bare(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
  }

  private static String bareVariable(String name) {
    return name.toUpperCase(Locale.ROOT).replaceAll("[-_.]", "");
  }

  private static String variable(String name) {
    return name.toUpperCase(Locale.ROOT).replace("-", "").replace('.', '_');
  }

  private static String nearest(String name) {
    return NAMES.stream().min(Comparator.comparing(each -> distance(each, name))).orElseThrow();
  }

  /// The number of letters to insert, remove or replace.
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }

  private static Map<String, Class<?>> types(Class<?> type, String prefix) {
    Map<String, Class<?>> types = new TreeMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      String name = prefix + name(type, component);
      types.putAll(
          component.getType().isRecord() && component.getType().getName().startsWith("io.coppice.")
              ? types(component.getType(), name + ".")
              : Map.of(name, component.getType()));
    }
    return types;
  }

  private static String name(Class<?> type, RecordComponent component) {
    try {
      return Optional.ofNullable(
              type.getDeclaredField(component.getName()).getAnnotation(Name.class))
          .map(Name::value)
          .orElseGet(
              () -> component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("a record has a field for each component", e);
    }
  }
}
