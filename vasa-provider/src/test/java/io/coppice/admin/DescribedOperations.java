package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// The operations of the API's description.
final class DescribedOperations {

  private DescribedOperations() {}

  /// Those that change something, such as `POST /volumes`: no GET, and no preview.
  static Set<String> changing(AdminServer server) {
    Set<String> operations = new TreeSet<>();
    JsonNode paths = server.get("openapi").json().get("paths");
    for (String path : paths.propertyNames()) {
      for (String method : paths.get(path).propertyNames()) {
        boolean asks = paths.get(path).get(method).path("x-changes-nothing").asBoolean(false);
        if (!asks && List.of("post", "put", "patch", "delete").contains(method)) {
          operations.add(method.toUpperCase(Locale.ROOT) + " " + path.replace("/api/v1", ""));
        }
      }
    }
    assertThat(operations).hasSizeGreaterThan(30);
    return operations;
  }
}
