package io.coppice.admin.description;

import io.coppice.admin.Readiness;
import io.coppice.admin.request.ApiFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.json.JsonMapper;

/// The description as a file, for the build of the web UI. It is made from the classes of the
/// controllers alone: no server runs, and no controller is made.
public final class DescriptionFile {

  private DescriptionFile() {}

  /// @param arguments the file to write; its folder is made if it is missing
  public static void main(String... arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException(
          "expected the file to write, got %d arguments".formatted(arguments.length));
    }
    JsonMapper json = new JsonMapper();
    Path file = Path.of(arguments[0]).toAbsolutePath();
    Files.createDirectories(file.getParent());
    Files.writeString(file, json.writeValueAsString(description(json)));
  }

  static Map<String, Object> description(JsonMapper json) {
    try (var context = new GenericApplicationContext()) {
      var controllers = new ClassPathScanningCandidateComponentProvider(false);
      controllers.addIncludeFilter(new AnnotationTypeFilter(RestController.class));
      for (var found : controllers.findCandidateComponents(Readiness.class.getPackageName())) {
        found.setLazyInit(true);
        context.registerBeanDefinition(String.valueOf(found.getBeanClassName()), found);
      }
      context.refresh();
      var mapping = new RequestMappingHandlerMapping();
      mapping.setPathPrefixes(Map.of(ApiFilter.ROOT, ApiFilter.CONTROLLERS));
      mapping.setApplicationContext(context);
      mapping.afterPropertiesSet();
      return new ApiDescription(json).of(ServedOperation.all(mapping));
    }
  }
}
