package io.coppice.wsdl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One line of a table of operations. A `request` or `reply` of null is an empty body.
record Operation(
    String name, @Nullable List<Child> request, @Nullable List<Child> reply, Set<String> faults) {

  private static final Set<String> FAULTS_OF_ALL = Set.of("InvalidSession", "StorageFault");

  /// A child element of a wrapper; `max` is 1 or [Integer#MAX_VALUE].
  record Child(String name, String type, int min, int max, boolean nillable) {

    static Child parse(String name, String text) {
      boolean nillable = text.endsWith("~");
      String rest = nillable ? text.substring(0, text.length() - 1) : text;
      char mark = rest.charAt(rest.length() - 1);
      String type = "?*+".indexOf(mark) < 0 ? rest : rest.substring(0, rest.length() - 1);
      return new Child(
          name,
          type,
          mark == '?' || mark == '*' ? 0 : 1,
          mark == '*' || mark == '+' ? Integer.MAX_VALUE : 1,
          nillable);
    }
  }

  static List<Operation> table() {
    return table("operations.table");
  }

  static List<Operation> table(String resource) {
    try (InputStream in = Operation.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Operation::parse)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether CXF makes a method with plain parameters of it, not one with a bean.
  boolean isWrapped() {
    return request != null && reply != null;
  }

  private static Operation parse(String line) {
    String[] cells = line.split("\\|", -1);
    Set<String> faults = new TreeSet<>(FAULTS_OF_ALL);
    Arrays.stream(cells[3].strip().split(" ")).filter(f -> !f.isEmpty()).forEach(faults::add);
    return new Operation(
        cells[0].strip(), children(cells[1].strip()), reply(cells[2].strip()), faults);
  }

  private static @Nullable List<Child> children(String cell) {
    return cell.equals("-")
        ? null
        : Arrays.stream(cell.split(", "))
            .map(c -> c.split(" "))
            .map(c -> Child.parse(c[0], c[1]))
            .toList();
  }

  private static @Nullable List<Child> reply(String cell) {
    return cell.equals("-") ? null : List.of(Child.parse("return", cell));
  }
}
