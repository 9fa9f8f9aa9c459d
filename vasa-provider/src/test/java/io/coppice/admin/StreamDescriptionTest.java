package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.event.ObjectType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The stream of events in the description of the API.
class StreamDescriptionTest {

  private static AdminServer server;
  private static JsonNode description;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    description = server.get("openapi").json();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// [io.coppice.vasa.event.NewChange] and [io.coppice.vasa.event.NewEvent] take no other types, so
  /// none can be written.
  @Test
  void theListOfTypesOfChangedObjectsIsTheOneOfWhatIsWritten() {
    List<String> described =
        description
            .at("/components/schemas/ChangedObject/properties/type/enum")
            .valueStream()
            .map(JsonNode::asString)
            .toList();

    assertThat(described)
        .containsExactlyElementsOf(
            Arrays.stream(ObjectType.values()).map(ObjectType::text).toList());
  }

  @Test
  void eachTypeOfEventHasItsSchema() {
    JsonNode events =
        description.at(
            "/paths/~1api~1v1~1events~1stream/get/responses/200/content/text~1event-stream/x-events");

    assertThat(events.propertyNames())
        .containsExactly("hello", "event", "changed", "job", "figures", "problem");
    for (JsonNode event : events) {
      String schema = event.get("$ref").asString().substring(1);
      assertThat(description.at(schema).get("properties")).as(schema).isNotEmpty();
    }
  }
}
