package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The description of today beside the one of the last release.
class CompatibilityTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /// Differences from 0.1.0 that were decided (docs/decisions/0041). Its description named neither
  /// what may be null, nor what is demanded, nor any limit; it numbered its operations as they
  /// came, and told of 200 where the answer was 201.
  private static final List<Pattern> ACCEPTED =
      List.of(
          Pattern.compile(".*: operationId is another"),
          Pattern.compile(
              "post /api/v1/(containers|exports|policies|protocol-endpoints|tokens|volumes): status 200 is gone"),
          Pattern.compile(".*: null may come now"),
          Pattern.compile("post /api/v1/policies body.generation: property is gone"),
          Pattern.compile(".*: property is demanded now"),
          Pattern.compile(".*: (pattern|multipleOf) is another"),
          Pattern.compile(".*: enum has fewer values"),
          Pattern.compile(".*: (minLength|minimum|minItems) is higher"),
          Pattern.compile(".*: (maxLength|maximum|maxItems) is lower"));

  private static final String SMALL =
      """
      {"paths": {"/a": {"post": {"operationId": "makeA",
        "parameters": [{"name": "q", "in": "query", "schema": {"type": "string", "maxLength": 9}}],
        "requestBody": {"content": {"j": {"schema": {"type": "object", "required": ["n"],
          "properties": {"n": {"type": "integer", "minimum": 1}, "k": {"enum": ["x", "y"]}}}}}},
        "responses": {"200": {"content": {"j": {"schema": {"type": "object", "required": ["id"],
          "properties": {"id": {"type": "string"}}}}}}}}}}}""";

  @Test
  void nothingThatClientsOfTheLastReleaseUseHasChanged() throws IOException {
    try (AdminServer server = new AdminServer()) {
      Set<String> broken =
          new TreeSet<>(DescriptionChanges.between(released(), server.get("openapi").json()));
      int all = broken.size();
      broken.removeIf(
          change -> ACCEPTED.stream().anyMatch(known -> known.matcher(change).matches()));

      assertThat(all).as("changes that were decided").isPositive();
      assertThat(broken)
          .as("changes that break clients of 0.1.0: undo them, or decide and accept them here")
          .isEmpty();
    }
  }

  @Test
  void theSameDescriptionIsCompatible() {
    assertThat(DescriptionChanges.between(JSON.readTree(SMALL), JSON.readTree(SMALL))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "\"/a\"|\"/b\"|post /a: operation is gone",
        "\"makeA\"|\"createA\"|post /a: operationId is another",
        "\"name\": \"q\"|\"name\": \"p\"|post /a: query q is gone",
        "\"in\": \"query\",|\"in\": \"query\", \"required\": true,|post /a: query q is demanded now",
        "\"maxLength\": 9|\"maxLength\": 8|post /a query q: maxLength is lower",
        "\"minimum\": 1|\"minimum\": 2|post /a body.n: minimum is higher",
        "\"x\", \"y\"|\"x\"|post /a body.k: enum has fewer values",
        "[\"n\"]|[\"n\", \"k\"]|post /a body.k: property is demanded now",
        "\"integer\"|\"string\"|post /a body.n: type [integer] is [string] now",
        "\"200\"|\"201\"|post /a: status 200 is gone",
        "{\"id\":|{\"key\":|post /a 200.id: property is gone",
        "[\"id\"]|[]|post /a 200.id: property may be missing now",
        "{\"type\": \"string\"}}|{\"type\": [\"string\", \"null\"]}}|post /a 200.id: null may come now",
      })
  void whatBreaksAClientIsFound(String part, String other, String found) {
    JsonNode changed = JSON.readTree(SMALL.replace(part, other));

    assertThat(DescriptionChanges.between(JSON.readTree(SMALL), changed)).contains(found);
  }

  private static JsonNode released() throws IOException {
    try (InputStream in = CompatibilityTest.class.getResourceAsStream("/openapi/0.1.0.json")) {
      return JSON.readTree(in);
    }
  }
}
