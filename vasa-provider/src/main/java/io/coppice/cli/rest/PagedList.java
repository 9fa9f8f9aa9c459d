package io.coppice.cli.rest;

import io.coppice.cli.output.Notation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The parts of a list as one.
///
/// @param items in the server's order
/// @param next cursor of the rest, if a limit cut it off; else null
public record PagedList(List<JsonNode> items, @Nullable String next) {

  private static final int LARGEST_PART = 1000;

  public PagedList {
    items = List.copyOf(items);
  }

  /// Asks for one part after the other.
  ///
  /// @param limit most items, 1 or more; null for all
  public static PagedList read(RestConnection connection, RestCall call, @Nullable Integer limit) {
    List<JsonNode> items = new ArrayList<>();
    String next = null;
    do {
      int wanted = limit == null ? LARGEST_PART : Math.min(LARGEST_PART, limit - items.size());
      RestCall part = call.with("limit", wanted);
      JsonNode answer = connection.send(next == null ? part : part.with("cursor", next));
      answer.path("items").forEach(items::add);
      JsonNode cursor = answer.path("next");
      next = cursor.isString() ? cursor.asString() : cursor.isNumber() ? cursor.toString() : null;
    } while (next != null && (limit == null || items.size() < limit));
    return new PagedList(items, next);
  }

  /// The list as the API writes a part of it.
  public JsonNode asJson() {
    Map<String, @Nullable Object> page = new LinkedHashMap<>();
    page.put("items", items);
    page.put("next", next);
    return Notation.tree(page);
  }
}
