package io.coppice.load;

import io.coppice.harness.RestClient;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Bindings as the provider serves them, which is what its pool holds.
record ServedBindings(Map<Ledger.Bound, Integer> counts) {

  static ServedBindings of(RestClient rest) {
    Map<Ledger.Bound, Integer> counts = new HashMap<>();
    String query = "bindings?limit=1000";
    String cursor = "";
    do {
      JsonNode page = rest.get(query + cursor);
      for (JsonNode item : page.get("items")) {
        counts.put(
            new Ledger.Bound(item.get("host").asString(), "rfc4122." + item.get("vvol").asString()),
            item.get("count").asInt());
      }
      cursor = page.get("next").isNull() ? "" : "&cursor=" + page.get("next").asString();
    } while (!cursor.isEmpty());
    return new ServedBindings(counts);
  }
}
