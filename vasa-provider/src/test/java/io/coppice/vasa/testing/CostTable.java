package io.coppice.vasa.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.testing.CountedDatabase.Cost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A table of `docs/benchmarks.md` that says what something costs the database, and what was seen
/// of it: the two must agree. A row names, in code, everything that costs the same.
public final class CostTable {

  private static final Pattern ROW = Pattern.compile("\\| (`[^|]+) \\| ([0-9]+) \\| ([0-9,]+) \\|");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  private final Map<String, Cost> said = new TreeMap<>();
  private final Map<String, Cost> seen = new TreeMap<>();

  /// @param heading of the section that it stands in, without `###`
  public CostTable(String heading) {
    boolean inside = false;
    for (String line : lines()) {
      if (line.startsWith("#")) {
        inside = line.equals("### " + heading);
      }
      Matcher row = ROW.matcher(line);
      if (inside && row.matches()) {
        long read = Long.parseLong(row.group(3).replace(",", ""));
        Cost cost = new Cost(Long.parseLong(row.group(2)), 0, read);
        NAME.matcher(row.group(1)).results().forEach(name -> say(name.group(1), cost));
      }
    }
  }

  private void say(String name, Cost cost) {
    assertThat(said.put(name, cost)).as("%s stands in two rows", name).isNull();
  }

  private static Iterable<String> lines() {
    Path beside = Path.of("docs/benchmarks.md");
    try {
      return Files.readAllLines(Files.exists(beside) ? beside : Path.of("../docs/benchmarks.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What the dearest one of a name cost.
  public void saw(String name, Cost cost) {
    seen.merge(
        name,
        cost,
        (a, b) ->
            new Cost(
                Math.max(a.statements(), b.statements()),
                Math.max(a.rows(), b.rows()),
                Math.max(a.read(), b.read())));
  }

  /// Each name stands in the table, and no other one does; its statements are those that were seen
  /// and its rows no less.
  public void agrees() {
    assertThat(seen.keySet()).as("what was seen: %s", seen).isEqualTo(said.keySet());
    seen.forEach(
        (name, cost) -> {
          Cost most = said.get(name);
          assertThat(cost.statements())
              .as("statements of %s: %s", name, seen)
              .isEqualTo(most.statements());
          assertThat(cost.read())
              .as("rows read for %s: %s", name, seen)
              .isLessThanOrEqualTo(most.read());
        });
  }
}
