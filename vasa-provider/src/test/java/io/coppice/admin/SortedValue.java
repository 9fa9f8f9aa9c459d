package io.coppice.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The value that an item of a list is sorted by.
final class SortedValue {

  static final Comparator<Comparable<Object>> SMALLEST_WITHOUT =
      Comparator.nullsFirst(Comparator.naturalOrder());

  private SortedValue() {}

  /// What an item is sorted by; null if it has no such value.
  @SuppressWarnings("unchecked") // values of one field are of one type
  static Comparable<Object> of(JsonNode item, String field) {
    JsonNode value =
        Stream.of("/" + field, "/counts/total/" + field)
            .map(item::at)
            .filter(one -> !one.isMissingNode())
            .findFirst()
            .orElseThrow();
    Comparable<?> found;
    if (value.isNull()) {
      found = null;
    } else if (value.isNumber()) {
      found = value.asLong();
    } else if (field.equals("interval")) {
      found = Duration.parse(value.asString());
    } else if (value.asString().matches("\\d{4}-\\d\\d-\\d\\dT.*Z")) {
      found = Instant.parse(value.asString());
    } else {
      found = value.asString();
    }
    return (Comparable<Object>) found;
  }
}
