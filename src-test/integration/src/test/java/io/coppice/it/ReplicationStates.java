package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.soap.ReplicationCalls.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The table in `docs/conformance.md` that says how each operation of replication answers in each
/// state of a group.
final class ReplicationStates {

  private static final String HEADING = "### Answers by state";

  /// What a cell says of a call that changes something, or answers with replicas.
  private static final String DONE = "done";

  private final List<String> columns;
  private final Map<String, List<String>> rows;
  private final Set<String> seen = new LinkedHashSet<>();

  private ReplicationStates(List<String> columns, Map<String, List<String>> rows) {
    this.columns = columns;
    this.rows = rows;
  }

  static ReplicationStates read() {
    List<String> lines;
    try {
      lines = Files.readAllLines(Path.of("../../docs/conformance.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<List<String>> table = new ArrayList<>();
    for (String line : lines.subList(lines.indexOf(HEADING) + 1, lines.size())) {
      if (line.startsWith("|")) {
        table.add(Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList());
      } else if (!table.isEmpty()) {
        break;
      }
    }
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (List<String> row : table.subList(2, table.size())) {
      rows.put(row.getFirst().replace("`", ""), row.subList(1, row.size()));
    }
    return new ReplicationStates(table.getFirst().subList(1, table.getFirst().size()), rows);
  }

  private String expected(String operation, String state) {
    return rows.get(operation).get(columns.indexOf(state));
  }

  /// Calls every operation that changes nothing in this state, and compares.
  void check(String state, VasaGroupEnd end) {
    rows.keySet()
        .forEach(
            operation -> {
              String expected = expected(operation, state);
              boolean changes = expected.startsWith(DONE) && !operation.startsWith("query");
              if (!changes) {
                assertThat(end.call(operation).outcome())
                    .as("%s in state %s", operation, state)
                    .isEqualTo(expected);
                seen.add(operation + " " + state);
              }
            });
    assertThat(end.info().state()).isEqualTo(state.equals("PREPARED") ? "SOURCE" : state);
  }

  /// Compares the answer to a call that changes something.
  void assertDone(String operation, String state, Result result) {
    assertThat(expected(operation, state)).startsWith(DONE);
    assertThat(result.outcome())
        .as("%s in state %s: %s", operation, state, result.errors())
        .isEqualTo(DONE);
    seen.add(operation + " " + state);
  }

  void assertAllSeen() {
    List<String> all =
        rows.keySet().stream()
            .flatMap(operation -> columns.stream().map(state -> operation + " " + state))
            .toList();
    assertThat(seen).containsAll(all);
  }
}
