package io.coppice.admin.description;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// The part of the description that only a person knows: summaries, meanings, limits, examples and
/// the refusals that are peculiar to an operation. Read from resources, never changed afterwards.
final class DescriptionWords {

  private static final List<String> FILES =
      List.of(
          "common",
          "storage",
          "timeline",
          "bin",
          "protection",
          "replication",
          "runbooks",
          "hosts",
          "system",
          "history");

  private final Map<String, Object> sections = new LinkedHashMap<>();

  private DescriptionWords() {}

  static DescriptionWords load() {
    DescriptionWords words = new DescriptionWords();
    for (String file : FILES) {
      words.read("/openapi/%s.yaml".formatted(file)).forEach(words::add);
    }
    return words;
  }

  private Map<String, Object> read(String resource) {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    try (InputStream in = DescriptionWords.class.getResourceAsStream(resource)) {
      return map(new Yaml(new SafeConstructor(strict)).load(Objects.requireNonNull(in, resource)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(String section, Object content) {
    if (sections.get(section) instanceof Map<?, ?> before) {
      Map<String, Object> both = new LinkedHashMap<>(map(before));
      both.putAll(map(content));
      sections.put(section, both);
    } else {
      sections.put(section, content);
    }
  }

  /// A whole section; empty if there is none.
  Map<String, Object> section(String name) {
    return map(sections.get(name));
  }

  /// The tags, in the order in which they are shown.
  List<Object> tags() {
    return section("tags").entrySet().stream()
        .<Object>map(tag -> Map.of("name", tag.getKey(), "description", tag.getValue()))
        .toList();
  }

  /// What is said of an operation, such as `GET /containers`; empty if nothing is.
  Map<String, Object> operation(String key) {
    return map(section("operations").get(key));
  }

  /// What is said of a type; empty if nothing is.
  Map<String, Object> type(String name) {
    return map(section("schemas").get(name));
  }

  /// What is said of a property of a type, or of the properties of this name everywhere.
  Map<String, Object> property(String type, String name) {
    Object own = map(type(type).get("properties")).get(name);
    return spec(own == null ? section("fields").get(name) : own);
  }

  /// What is said of a parameter of an operation, or of the parameters of this name everywhere.
  Map<String, Object> parameter(String operation, String name) {
    Object own = map(operation(operation).get("parameters")).get(name);
    return spec(own == null ? section("parameters").get(name) : own);
  }

  /// What a problem's code means, as a sentence without its end.
  String code(String code) {
    return Objects.toString(section("codes").get(code), "");
  }

  private static Map<String, Object> spec(@Nullable Object said) {
    return said instanceof String text ? Map.of("description", text) : map(said);
  }

  @SuppressWarnings("unchecked") // YAML with text as keys
  static Map<String, Object> map(@Nullable Object node) {
    return node == null ? Map.of() : (Map<String, Object>) node;
  }
}
