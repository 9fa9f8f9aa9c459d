package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The page of metrics: type and labels of each, such as `counter op`, by name.
record MetricsPage(Map<String, String> all, Map<String, String> units) {

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z0-9_]+)` \\| ([a-z]+) \\|([^|]*)\\|([^|]*)\\|");
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Pattern PART = Pattern.compile("_(bucket|sum|count)$");

  static MetricsPage read(Path file) throws IOException {
    Map<String, String> all = new TreeMap<>();
    Map<String, String> units = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(file));
    while (row.find()) {
      Set<String> labels = new TreeSet<>();
      Matcher label = Pattern.compile("`([a-z_]+)`").matcher(row.group(4));
      while (label.find()) {
        labels.add(label.group(1));
      }
      assertThat(all).as("rows of the page, each metric once").doesNotContainKey(row.group(1));
      all.put(row.group(1), (row.group(2) + " " + String.join(" ", labels)).strip());
      units.put(row.group(1), row.group(3).strip());
    }
    return new MetricsPage(all, units);
  }

  Map<String, String> ofCoppice() {
    return onlyOfCoppice(all);
  }

  static Map<String, String> onlyOfCoppice(Map<String, String> families) {
    Map<String, String> own = new TreeMap<>(families);
    own.keySet().removeIf(name -> !name.startsWith("coppice_"));
    return own;
  }

  /// The names that end with another unit than the page says.
  List<String> wrongUnits() {
    List<String> wrong = new ArrayList<>();
    units.forEach(
        (name, unit) -> {
          boolean bytes = name.matches(".*_bytes(_.*)?");
          boolean seconds = name.matches(".*_seconds(_.*)?");
          if (bytes != unit.equals("bytes") || seconds != unit.equals("seconds")) {
            wrong.add(name + " in " + unit);
          }
        });
    return wrong;
  }

  /// Type and labels of what was scraped, by name.
  static Map<String, String> families(String scrape) {
    Map<String, String> types = new TreeMap<>();
    Map<String, Set<String>> labels = new TreeMap<>();
    scrape
        .lines()
        .forEach(
            line -> {
              Matcher type = TYPE.matcher(line);
              if (type.matches()) {
                types.put(type.group(1), type.group(2));
              } else if (!line.startsWith("#")) {
                labels.computeIfAbsent(family(line, types), _ -> new TreeSet<>()).addAll(of(line));
              }
            });
    Map<String, String> families = new TreeMap<>();
    types.forEach(
        (name, type) ->
            families.put(
                name,
                (type + " " + String.join(" ", labels.getOrDefault(name, Set.of()))).strip()));
    return families;
  }

  private static String family(String line, Map<String, String> types) {
    String name = line.split("[{ ]", 2)[0];
    String whole = PART.matcher(name).replaceFirst("");
    return types.containsKey(name) || !types.containsKey(whole) ? name : whole;
  }

  private static Set<String> of(String line) {
    Set<String> labels = new TreeSet<>();
    Matcher label = LABEL.matcher(line);
    while (label.find()) {
      labels.add(label.group(1));
    }
    labels.removeAll(Set.of("le", "quantile"));
    return labels;
  }
}
