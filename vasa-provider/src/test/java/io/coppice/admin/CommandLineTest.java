package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.request.ApiFilter;
import io.coppice.cli.noun.Nouns;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The command line beside the server's description of itself: each operation has a verb.
class CommandLineTest {

  /// Operations that no verb calls, and why.
  private static final Map<String, String> WITHOUT_A_VERB =
      Map.of(
          "GET /openapi",
          "the description itself, for programs",
          "GET /livez",
          "for supervisors, without a token: coppice doctor and health probes ask it",
          "GET /readyz",
          "as /livez",
          "GET /readyz/data-plane",
          "as /livez",
          "GET /readyz/control-plane",
          "as /livez");

  /// Calls of verbs that a server may lack: the client then does without.
  private static final Set<String> OPTIONAL = Set.of("GET /events/stream");

  @Test
  void everyOperationHasAVerbAndEveryVerbAnOperation() {
    Set<String> called = new TreeSet<>();
    Nouns.all()
        .forEach(
            noun ->
                noun.verbs()
                    .forEach(verb -> verb.calls().forEach(one -> called.add(anonymous(one)))));
    Set<String> served = served();
    Set<String> exceptions = new TreeSet<>(WITHOUT_A_VERB.keySet());

    assertThat(served).hasSizeGreaterThan(60).containsAll(exceptions);
    Set<String> missing = new TreeSet<>(served);
    missing.removeAll(called);
    missing.removeAll(exceptions);
    assertThat(missing).as("operations without a verb").isEmpty();
    called.removeAll(served);
    called.removeAll(OPTIONAL);
    assertThat(called).as("calls of verbs that the server does not describe").isEmpty();
  }

  private static Set<String> served() {
    Set<String> operations = new TreeSet<>();
    try (AdminServer server = new AdminServer()) {
      var paths = server.get("openapi").json().get("paths");
      for (String path : paths.propertyNames()) {
        for (String method : paths.get(path).propertyNames()) {
          String own =
              path.startsWith(ApiFilter.ROOT) ? path.substring(ApiFilter.ROOT.length()) : path;
          operations.add(anonymous(method.toUpperCase(Locale.ROOT) + " " + own));
        }
      }
    }
    return operations;
  }

  private static String anonymous(String operation) {
    return operation.replaceAll("\\{[^}]*}", "{}");
  }
}
