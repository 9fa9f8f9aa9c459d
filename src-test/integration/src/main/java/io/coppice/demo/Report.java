package io.coppice.demo;

import io.coppice.kit.Latencies;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The demo's table: printed as it grows, written as JSON at the end.
final class Report {

  private static final String ROW = "%-34s %8s %5s %9s %9s %10s %10s %4s %10s %9s %10s  %s%n";

  private final PrintStream out;
  private final List<Step> steps = new ArrayList<>();
  private final Map<String, Object> facts = new LinkedHashMap<>();

  Report(PrintStream out) {
    this.out = out;
  }

  void header() {
    out.printf(
        ROW,
        "step",
        "time",
        "calls",
        "slowest",
        "iSCSI",
        "by copy",
        "device",
        "VMs",
        "provisned",
        "used",
        "free",
        "disk");
  }

  void add(Step step) {
    steps.add(step);
    Duration slowest =
        step.calls().stream()
            .map(Step.Call::latency)
            .max(Duration::compareTo)
            .orElse(Duration.ZERO);
    Step.ContainerState container = step.container();
    out.printf(
        ROW,
        step.name(),
        seconds(step.elapsed()),
        step.calls().size(),
        step.calls().isEmpty() ? "" : "%.1f ms".formatted(slowest.toNanos() / 1e6),
        bytes(step.wireBytes()),
        step.copyWireBytes().isPresent() ? bytes(step.copyWireBytes().getAsLong()) : "",
        bytes(step.deviceBytes()),
        container.vms(),
        bytes(container.provisioned()),
        bytes(container.used()),
        bytes(container.free()),
        step.digest().isEmpty() ? "" : step.digest().substring(0, 12));
    out.flush();
  }

  /// A figure that belongs to the whole run.
  void fact(String name, Object value) {
    facts.put(name, value);
    out.printf("  %s: %s%n", name, value);
  }

  /// Every VASA operation used, with how often and how long.
  void latencies() {
    Map<String, Latencies> byOperation = new TreeMap<>();
    for (Step step : steps) {
      for (Step.Call call : step.calls()) {
        byOperation
            .computeIfAbsent(call.operation(), _ -> Latencies.forOneThread())
            .record(call.latency().toNanos());
      }
    }
    out.printf("%n%-44s %6s %10s %10s%n", "VASA operation", "calls", "median", "slowest");
    byOperation.forEach(
        (operation, latencies) ->
            out.printf(
                "%-44s %6d %7.2f ms %7.2f ms%n",
                operation, latencies.total(), latencies.millis(50), latencies.millis(100)));
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }

  void writeJson(Path file, String verdict) {
    StringBuilder json = new StringBuilder("{\n  \"verdict\": " + quote(verdict) + ",\n");
    facts.forEach(
        (name, value) ->
            json.append("  ")
                .append(quote(name))
                .append(": ")
                .append(quote(String.valueOf(value)))
                .append(",\n"));
    json.append("  \"steps\": [\n");
    json.append(steps.stream().map(Report::json).collect(Collectors.joining(",\n")));
    json.append("\n  ]\n}\n");
    try {
      Files.writeString(file, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String json(Step step) {
    String calls =
        step.calls().stream()
            .map(
                call ->
                    "{\"operation\": %s, \"latencyMillis\": %.3f, \"outcome\": %s}"
                        .formatted(
                            quote(call.operation()),
                            call.latency().toNanos() / 1e6,
                            quote(call.outcome())))
            .collect(Collectors.joining(", "));
    Step.ContainerState container = step.container();
    return """
               {"step": %s, "seconds": %.3f, "wireBytes": %d, "copyWireBytes": %s, "deviceBytes": %d, "countedBytes": %d,
                "container": {"vms": %d, "provisionedBytes": %d, "usedBytes": %d, "freeBytes": %d},
                "sha256": %s, "calls": [%s]}"""
        .formatted(
            quote(step.name()),
            step.elapsed().toNanos() / 1e9,
            step.wireBytes(),
            step.copyWireBytes().isPresent() ? step.copyWireBytes().getAsLong() : "null",
            step.deviceBytes(),
            step.countedBytes(),
            container.vms(),
            container.provisioned(),
            container.used(),
            container.free(),
            quote(step.digest()),
            calls);
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        default -> quoted.append(c < ' ' ? "\\u%04x".formatted((int) c) : String.valueOf(c));
      }
    }
    return quoted.append('"').toString();
  }

  private static String seconds(Duration duration) {
    return "%.2f s".formatted(duration.toNanos() / 1e9);
  }

  /// A size with three significant digits, in binary units.
  static String bytes(long count) {
    if (count < 1024) {
      return count + " B";
    }
    String units = "KMGT";
    double value = count;
    int unit = -1;
    while (value >= 1024 && unit < units.length() - 1) {
      value /= 1024;
      unit++;
    }
    return (value < 100 ? "%.1f %siB" : "%.0f %siB").formatted(value, units.charAt(unit));
  }
}
