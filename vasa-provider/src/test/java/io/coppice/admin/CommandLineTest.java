package io.coppice.admin;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.request.ApiFilter;
import io.coppice.cli.noun.Nouns;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.Verb;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The command line beside the server's description of itself: each operation has a verb.
class CommandLineTest {

  /// Operations that no verb calls, and why.
  private static final Map<String, String> WITHOUT_A_VERB =
      Map.ofEntries(
          entry("GET /openapi", "the description itself, for programs"),
          entry("POST /session", "for browsers: the command line has tokens"),
          entry("GET /session", "as POST /session"),
          entry("DELETE /session", "as POST /session"),
          entry("PUT /me/password", "as POST /session"),
          entry("POST /replication/pairings", "for the other pool, at which peer add was typed"),
          entry("GET /session/sources", "for login pages"),
          entry(
              "GET /livez",
              "for supervisors, without a token: coppice doctor and health probes ask it"),
          entry("GET /readyz", "as /livez"),
          entry("GET /readyz/data-plane", "as /livez"),
          entry("GET /readyz/control-plane", "as /livez"),
          entry(
              "GET /support-bundle",
              "for browsers: on the machine of the provider there is coppice support-bundle"));

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

  /// Filters and orders of lists, as options of the verbs.
  @Test
  void everyListIsFilteredAndSortedByOptions() {
    Map<String, Set<String>> described = new TreeMap<>();
    Map<String, Set<String>> sorts = new TreeMap<>();
    try (AdminServer server = new AdminServer()) {
      var paths = server.get("openapi").json().get("paths");
      for (String path : paths.propertyNames()) {
        Map<String, JsonNode> schemas = new TreeMap<>();
        for (JsonNode one : paths.get(path).at("/get/parameters")) {
          if (one.path("in").asString().equals("query")) {
            schemas.put(one.get("name").asString(), one.get("schema"));
          }
        }
        if (schemas.containsKey("sort")) {
          String list = "GET " + path.substring(ApiFilter.ROOT.length());
          sorts.put(
              anonymous(list),
              schemas
                  .get("sort")
                  .get("enum")
                  .valueStream()
                  .map(JsonNode::asString)
                  .filter(sort -> !sort.startsWith("-"))
                  .collect(Collectors.toCollection(TreeSet::new)));
          schemas.keySet().removeAll(Set.of("limit", "cursor", "total"));
          described.put(anonymous(list), new TreeSet<>(schemas.keySet()));
        }
      }
    }
    assertThat(described).hasSizeGreaterThan(20);
    for (Noun noun : Nouns.all()) {
      for (Verb verb : noun.verbs()) {
        String call = verb.calls().size() == 1 ? anonymous(verb.calls().getFirst()) : "";
        if (described.containsKey(call)) {
          assertThat(queries(verb)).as(call).isEqualTo(described.get(call));
          assertThat(choices(verb)).as(call).isEqualTo(sorts.get(call));
        }
      }
    }
  }

  private static Set<String> queries(Verb verb) {
    return verb.flags().stream()
        .map(Flag::query)
        .filter(Objects::nonNull)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> choices(Verb verb) {
    return verb.flags().stream()
        .filter(flag -> flag.name().equals("--sort"))
        .flatMap(flag -> flag.choices().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Beside both `apply` and `protection-policy change`, which read the tag themselves.
  @Test
  void everyVerbOfAnObjectWithATagShowsOrTakesIt() {
    Set<String> shown = new TreeSet<>();
    Set<String> taken = new TreeSet<>(Set.of("PUT /policies/{}", "PUT /protection-policies/{}"));
    Nouns.all()
        .forEach(
            noun ->
                noun.verbs()
                    .forEach(
                        verb -> {
                          List<String> flags = verb.flags().stream().map(Flag::name).toList();
                          if (showsTag(verb)) {
                            shown.add(anonymous(verb.calls().getFirst()));
                          }
                          if (flags.contains("--if-match")) {
                            taken.add(anonymous(verb.calls().getFirst()));
                          }
                        }));

    assertThat(shown).isEqualTo(having("IfNoneMatch")).hasSizeGreaterThan(10);
    assertThat(taken).isEqualTo(having("IfMatch")).hasSizeGreaterThan(15);
  }

  /// A `--tag` with a value is something else: the tag of a replica.
  private static boolean showsTag(Verb verb) {
    return verb.flags().stream()
        .anyMatch(flag -> flag.name().equals("--tag") && flag.label() == null);
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

  /// The operations with a parameter of the description.
  private static Set<String> having(String parameter) {
    Set<String> operations = new TreeSet<>();
    try (AdminServer server = new AdminServer()) {
      var paths = server.get("openapi").json().get("paths");
      for (String path : paths.propertyNames()) {
        for (String method : paths.get(path).propertyNames()) {
          boolean has =
              paths
                  .get(path)
                  .get(method)
                  .path("parameters")
                  .valueStream()
                  .anyMatch(one -> one.path("$ref").asString("").endsWith("/" + parameter));
          if (has) {
            String own = path.substring(ApiFilter.ROOT.length());
            operations.add(anonymous(method.toUpperCase(Locale.ROOT) + " " + own));
          }
        }
      }
    }
    return operations;
  }

  private static String anonymous(String operation) {
    return operation.replaceAll("\\{[^}]*}", "{}");
  }
}
