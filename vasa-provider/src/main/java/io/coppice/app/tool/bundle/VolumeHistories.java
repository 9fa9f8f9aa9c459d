package io.coppice.app.tool.bundle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The histories of a day of the volumes that move most: a line of JSON for each, the busiest
/// first, behind one that says how they were chosen. Busy is who was asked to move most bytes since
/// it is reached, because that is what the provider counts for all volumes at once.
final class VolumeHistories {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /// Parts of the list of volumes that are asked for, of a thousand each.
  private static final int MOST_PAGES = 20;

  private static final String TRAFFIC = "/api/v1/traffic?limit=1000";
  private static final String HISTORY = "/api/v1/vvols/%s/history?window=24h&step=10m";

  private final Answers provider;
  private final int most;

  /// @param most volumes whose histories are asked for
  VolumeHistories(Answers provider, int most) {
    this.provider = provider;
    this.most = most;
  }

  private record Busy(String volume, String name, long bytes) {}

  /// @throws IOException if the volumes cannot be had
  String lines() throws IOException {
    try {
      List<Busy> all = busy();
      List<Busy> shown = all.subList(0, Math.min(most, all.size()));
      ObjectNode head = JSON.createObjectNode();
      head.put("chosenBy", "bytes asked for since each volume is reached");
      head.put("volumesWithTraffic", all.size());
      head.put("shown", shown.size());
      StringBuilder lines = new StringBuilder(head.toString()).append('\n');
      shown.forEach(one -> lines.append(line(one)).append('\n'));
      return lines.toString();
    } catch (JacksonException e) {
      throw new IOException("the provider's answer is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  private List<Busy> busy() throws IOException {
    List<Busy> busy = new ArrayList<>();
    String path = TRAFFIC;
    for (int page = 0; page < MOST_PAGES && path != null; page++) {
      JsonNode answer = JSON.readTree(provider.ask(path));
      for (JsonNode one : answer.path("items")) {
        long bytes = one.at("/read/bytes").asLong(0) + one.at("/write/bytes").asLong(0);
        if (bytes > 0) {
          busy.add(new Busy(one.path("vvol").asString(""), one.path("name").asString(""), bytes));
        }
      }
      String next = answer.path("next").asString("");
      path = next.isEmpty() ? null : TRAFFIC + "&cursor=" + next;
    }
    busy.sort(Comparator.comparingLong(Busy::bytes).reversed().thenComparing(Busy::volume));
    return busy;
  }

  /// One that cannot be had does not take the others away.
  private String line(Busy one) {
    ObjectNode line = JSON.createObjectNode();
    line.put("volume", one.volume());
    line.put("name", one.name());
    line.put("bytes", one.bytes());
    try {
      line.set("history", JSON.readTree(provider.ask(HISTORY.formatted(one.volume()))));
    } catch (IOException e) {
      line.put("leftOut", String.valueOf(e.getMessage()));
    }
    return line.toString();
  }
}
