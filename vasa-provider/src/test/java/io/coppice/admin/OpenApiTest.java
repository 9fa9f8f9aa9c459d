package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.admin.description.DescriptionFile;
import io.coppice.admin.request.ApiFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The description that the server serves of itself, and the one in the documentation.
class OpenApiTest {

  private static final Pattern ROW = Pattern.compile("\\| (`/[^|]*) \\| ([A-Z, ]+) \\|.*");
  private static final int ROOT = ApiFilter.ROOT.length();
  private static final Pattern PATH = Pattern.compile("`(/[^`]*)`");

  @Test
  void itDescribesWhatTheDocumentationDescribesAndNothingElse() throws IOException {
    try (AdminServer server = new AdminServer()) {
      Answer openapi = server.get("openapi");

      assertThat(openapi.status()).as(openapi.toString()).isEqualTo(200);
      assertThat(openapi.text("/openapi")).startsWith("3.1");
      assertThat(served(openapi)).isEqualTo(documented());
      assertThat(server.callAs("", "GET", "openapi", null).status()).isEqualTo(401);
      assertThat(openapi.json().at("/components/schemas/NewContainer/properties").propertyNames())
          .containsExactlyInAnyOrder("name", "quota", "binTime");
    }
  }

  /// The build of the web UI takes its types from the file.
  @Test
  void theFileHasWhatTheServerServes(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("new/openapi.json");
    DescriptionFile.main(file.toString());

    try (AdminServer server = new AdminServer()) {
      assertThat(new JsonMapper().readTree(Files.readString(file)))
          .isEqualTo(server.get("openapi").json());
    }
  }

  @Test
  void everyOperationIsDescribed() {
    try (AdminServer server = new AdminServer()) {
      JsonNode document = server.get("openapi").json();
      Set<String> ids = new HashSet<>();
      List<String> bare = new ArrayList<>();
      Set<String> tags = Set.copyOf(texts(document.at("/tags"), "name"));
      operations(document)
          .forEach(
              (name, operation) -> {
                boolean unique = ids.add(operation.path("operationId").asString());
                boolean named = operation.path("operationId").asString().matches("[a-z][A-Za-z]+");
                boolean tagged = tags.contains(operation.at("/tags/0").asString());
                boolean summed = operation.path("summary").asString().matches("[A-Z][^.]+[^.]");
                if (!unique || !named || !tagged || !summed || !hasErrors(name, operation)) {
                  bare.add(name);
                }
              });

      assertThat(ids).hasSizeGreaterThan(60);
      assertThat(bare)
          .as("operations without an id of their own, a tag, a summary or refusals: openapi/*.yaml")
          .isEmpty();
    }
  }

  private static boolean hasErrors(String name, JsonNode operation) {
    return !name.contains(ApiFilter.ROOT)
        || Stream.of("400", "401", "500").allMatch(operation.get("responses")::has)
            && operation
                .get("responses")
                .valueStream()
                .flatMap(response -> response.path("x-problem-codes").valueStream())
                .findAny()
                .isPresent();
  }

  @Test
  void everyCodeParameterAndPropertyHasItsMeaning() {
    try (AdminServer server = new AdminServer()) {
      JsonNode document = server.get("openapi").json();
      Set<String> bare = new TreeSet<>();
      operations(document)
          .forEach(
              (name, operation) -> {
                for (JsonNode parameter : operation.path("parameters")) {
                  if (!parameter.has("$ref") && !isExplained(parameter, parameter.get("schema"))) {
                    bare.add(name + "?" + parameter.get("name").asString());
                  }
                }
                for (JsonNode response : operation.get("responses")) {
                  if (response.get("description").asString().matches(".*`: *[;.].*")) {
                    bare.add(name + ": " + response.get("description").asString());
                  }
                }
              });
      JsonNode schemas = document.at("/components/schemas");
      for (String schema : schemas.propertyNames()) {
        if (schemas.get(schema).path("description").asString().isEmpty()) {
          bare.add(schema);
        }
        JsonNode properties = schemas.get(schema).get("properties");
        for (String property : properties.propertyNames()) {
          if (!isExplained(properties.get(property), properties.get(property))) {
            bare.add(schema + "." + property);
          }
        }
      }

      assertThat(bare).as("things without a meaning or an example: openapi/*.yaml").isEmpty();
    }
  }

  private static boolean isExplained(JsonNode thing, JsonNode schema) {
    boolean shown =
        Stream.of("examples", "enum", "$ref", "oneOf").anyMatch(schema::has)
            || schema.path("type").toString().contains("boolean")
            || schema.path("items").has("$ref")
            || schema.path("additionalProperties").has("$ref");
    return !thing.path("description").asString().isEmpty() && shown;
  }

  private static List<String> texts(JsonNode list, String property) {
    return list.valueStream().map(one -> one.get(property).asString()).toList();
  }

  private static Map<String, JsonNode> operations(JsonNode document) {
    Map<String, JsonNode> operations = new TreeMap<>();
    JsonNode paths = document.get("paths");
    for (String path : paths.propertyNames()) {
      for (String method : paths.get(path).propertyNames()) {
        operations.put(method + " " + path, paths.get(path).get(method));
      }
    }
    return operations;
  }

  private static Set<String> served(Answer openapi) {
    Set<String> operations = new TreeSet<>();
    var paths = openapi.json().get("paths");
    for (String path : paths.propertyNames()) {
      for (String method : paths.get(path).propertyNames()) {
        operations.add(
            method.toUpperCase(java.util.Locale.ROOT)
                + " "
                + anonymous(path.startsWith(ApiFilter.ROOT) ? path.substring(ROOT) : path));
      }
    }
    return operations;
  }

  private static Set<String> documented() throws IOException {
    Set<String> operations = new TreeSet<>();
    for (String line : Files.readAllLines(document())) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        Matcher path = PATH.matcher(row.group(1));
        while (path.find()) {
          for (String method : row.group(2).split(", ")) {
            operations.add(method.strip() + " " + anonymous(path.group(1)));
          }
        }
      }
    }
    return operations;
  }

  private static Path document() {
    Path beside = Path.of("docs/rest.md");
    return Files.exists(beside) ? beside : Path.of("../docs/rest.md");
  }

  private static String anonymous(String path) {
    return path.replaceAll("\\{[^}]*}", "{}");
  }
}
