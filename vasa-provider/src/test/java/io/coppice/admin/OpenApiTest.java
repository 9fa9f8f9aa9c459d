package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.admin.request.ApiFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

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
          .containsExactlyInAnyOrder("name", "quota");
    }
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
