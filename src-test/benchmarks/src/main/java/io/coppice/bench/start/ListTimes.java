package io.coppice.bench.start;

import io.coppice.harness.RestClient;
import io.coppice.kit.Markdown;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Times that the pages of every list of REST take, one client, one page after the other.
final class ListTimes {

  private static final int[] LIMITS = {100, 1000};
  private static final double AIM_MILLIS = 100;

  private final RestClient rest;
  private final List<Line> lines = new ArrayList<>();

  ListTimes(RestClient rest) {
    this.rest = rest;
  }

  /// Milliseconds of the pages of one list.
  ///
  /// @param cold the first call of all, which compiles what it needs
  /// @param pages from the first to the last, in a second walk
  private record Line(String list, int limit, double cold, int items, List<Double> pages) {

    double worst() {
      return pages.stream().mapToDouble(page -> page).max().orElseThrow();
    }
  }

  /// Walks through every list twice.
  void measure() {
    for (String list : lists()) {
      for (int limit : LIMITS) {
        String first = list + (list.contains("?") ? "&" : "?") + "limit=" + limit;
        long begin = System.nanoTime();
        rest.get(first);
        double cold = millisSince(begin);
        walk(first, new ArrayList<>());
        List<Double> pages = new ArrayList<>();
        int items = walk(first, pages);
        lines.add(new Line(list, limit, cold, items, pages));
      }
    }
  }

  /// Every path of the API's own description that takes a limit and needs no parameter, and the
  /// lists of one object.
  private List<String> lists() {
    List<String> found = new ArrayList<>();
    JsonNode paths = rest.get("openapi").get("paths");
    paths
        .propertyStream()
        .filter(path -> !path.getKey().contains("{") && isList(path.getValue()))
        .map(path -> path.getKey().replaceFirst("^/api/v1/", ""))
        .sorted()
        .forEach(found::add);
    JsonNode volume = rest.get("vvols?limit=1").get("items").get(0);
    String id = volume.get("id").asString();
    String machine = volume.get("vm").asString();
    found.add("vvols/" + id + "/snapshots");
    found.add("vms/" + machine + "/snapshots");
    found.add("vvols?vm=" + machine);
    found.add("vvols?compliance=compliant");
    found.add("vvols?compliance=nonCompliant");
    found.add("vvols?type=Data");
    found.add("vms?container=" + volume.get("container").asString());
    found.add("snapshots?vvol=" + id);
    found.add("snapshots?vm=" + machine);
    found.add("snapshots?kind=manual");
    found.add("snapshots?kind=scheduled");
    found.add("bindings?vvol=" + id);
    found.add("events?after=0");
    return found;
  }

  private static boolean isList(JsonNode path) {
    JsonNode get = path.get("get");
    if (get == null || !get.has("parameters")) {
      return false;
    }
    List<JsonNode> parameters = get.get("parameters").valueStream().toList();
    return parameters.stream().anyMatch(one -> one.path("name").asString("").equals("limit"))
        && parameters.stream().noneMatch(one -> one.path("required").asBoolean(false));
  }

  private int walk(String first, List<Double> pages) {
    int items = 0;
    String page = first;
    while (!page.isEmpty()) {
      long begin = System.nanoTime();
      JsonNode answer = rest.get(page);
      pages.add(millisSince(begin));
      items += answer.get("items").size();
      JsonNode next = answer.get("next");
      page = next == null || next.isNull() ? "" : first + "&cursor=" + next.asString();
    }
    return items;
  }

  private static double millisSince(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }

  void print(PrintStream out) {
    out.print(
        "\n"
            + Markdown.header(
                "List",
                "Limit",
                "Items",
                "Very first call",
                "First page",
                "Middle",
                "Last",
                "Worst"));
    for (Line line : lines) {
      out.print(
          Markdown.row(
              "`/%s`".formatted(line.list()),
              line.limit(),
              line.items(),
              millis(line.cold()),
              millis(line.pages().getFirst()),
              millis(line.pages().get(line.pages().size() / 2)),
              millis(line.pages().getLast()),
              millis(line.worst()) + (line.worst() > AIM_MILLIS ? ", **lost**" : "")));
    }
  }

  private static String millis(double length) {
    return "%.0f ms".formatted(length);
  }
}
