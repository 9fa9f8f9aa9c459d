package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.access.OwnAccount;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.request.ApiFilter;
import java.lang.annotation.Annotation;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

/// The marks by which programs know who may call an operation, in the description of the API.
class AccessMarksTest {

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

  @Test
  void whatATokenBoundToContainersMayCallIsMarked() {
    assertThat(marked("x-within-containers"))
        .isEqualTo(annotated(WithinContainers.class))
        .contains("GET /api/v1/volumes")
        .doesNotContain("GET /api/v1/vms");
  }

  @Test
  void whatEveryAccountMayCallInItsSessionIsMarked() {
    assertThat(marked("x-own-account"))
        .isEqualTo(annotated(OwnAccount.class))
        .contains("POST /api/v1/tokens")
        .doesNotContain("POST /api/v1/accounts");
  }

  @Test
  void whatNeedsNoLoginHasNoMark() {
    JsonNode open = description.at("/paths/~1api~1v1~1session~1sources/get");

    assertThat(open.propertyNames())
        .contains("security")
        .doesNotContain("x-required-role", "x-within-containers", "x-own-account");
  }

  private static Set<String> marked(String mark) {
    Set<String> operations = new TreeSet<>();
    JsonNode paths = description.get("paths");
    for (String path : paths.propertyNames()) {
      for (String method : paths.get(path).propertyNames()) {
        JsonNode said = paths.get(path).get(method).path(mark);
        if (!said.isMissingNode()) {
          assertThat(said.isBoolean() && said.asBoolean())
              .as("%s of %s %s is true or left out", mark, method, path)
              .isTrue();
          operations.add(method.toUpperCase(Locale.ROOT) + " " + path);
        }
      }
    }
    return operations;
  }

  private static Set<String> annotated(Class<? extends Annotation> mark) {
    Set<String> operations = new TreeSet<>();
    server
        .bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
        .getHandlerMethods()
        .forEach(
            (info, java) -> {
              if (java.hasMethodAnnotation(mark)) {
                info.getPatternValues().stream()
                    .filter(path -> path.startsWith(ApiFilter.ROOT))
                    .forEach(
                        path ->
                            info.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> operations.add(method + " " + path)));
              }
            });
    return operations;
  }
}
