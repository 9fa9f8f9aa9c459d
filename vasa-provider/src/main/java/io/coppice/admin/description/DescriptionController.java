package io.coppice.admin.description;

import io.coppice.admin.access.WithinContainers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.json.JsonMapper;

/// The description that the server serves of itself. Needs no database. It is made at the first
/// request and kept: the operations do not change while the process runs.
@RestController
final class DescriptionController {

  private final ObjectProvider<RequestMappingHandlerMapping> mappings;
  private final JsonMapper json;
  private volatile @Nullable Map<String, Object> made;

  DescriptionController(ObjectProvider<RequestMappingHandlerMapping> mappings, JsonMapper json) {
    this.mappings = mappings;
    this.json = json;
  }

  @GetMapping(path = "/openapi", produces = MediaType.APPLICATION_JSON_VALUE)
  @WithinContainers
  Map<String, Object> description() {
    Map<String, Object> known = made;
    if (known == null) {
      known = new ApiDescription(json).of(served());
      made = known;
    }
    return known;
  }

  private List<ServedOperation> served() {
    List<ServedOperation> operations = new ArrayList<>();
    mappings.forEach(mapping -> operations.addAll(ServedOperation.all(mapping)));
    return operations;
  }
}
