package io.coppice.bench.iscsi;

import io.coppice.bench.subject.Load;
import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/// A profile of the target under a load: samples of CPU time of its Java threads, of which those
/// inside the kernel count for the function that called it, and the kernel's own count for each
/// kind of thread.
final class Profile {

  private static final int FUNCTIONS = 12;
  private static final String SETTINGS =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0">
        <event name="jdk.CPUTimeSample">
          <setting name="enabled">true</setting>
          <setting name="throttle">2ms</setting>
        </event>
      </configuration>
      """;

  private final Client client;
  private final Side side;
  private final Duration time;
  private final Path report;
  private final StringBuilder text = new StringBuilder();

  Profile(Client client, Side side, Duration time, Path report) {
    this.client = client;
    this.side = side;
    this.time = time;
    this.report = report;
  }

  /// Profiles one load, prints what was found, and adds it to the report; the recording stands
  /// beside that.
  void row(Load load) throws IOException {
    client.run(side, load, time.dividedBy(2));
    Path recording =
        report.resolveSibling(
            report.getFileName() + "." + load.name().replaceAll("[^A-Za-z0-9]+", "-") + ".jfr");
    Path settings = Files.writeString(Path.of(recording + ".jfc"), SETTINGS);
    command("JFR.start", "name=bench", "settings=" + settings.toAbsolutePath());
    ThreadCosts before = ThreadCosts.of(side.pid());
    Client.Run run = client.run(side, load, time);
    ThreadCosts costs = ThreadCosts.of(side.pid()).since(before);
    command("JFR.stop", "name=bench", "filename=" + recording.toAbsolutePath());
    Files.delete(settings);
    int start = text.length();
    print(load, run, costs);
    print(recording);
    System.out.print(text.substring(start));
    Files.writeString(report, text);
  }

  private void command(String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    command.add(Long.toString(side.pid()));
    command.addAll(List.of(words));
    Commands.Outcome outcome = Commands.run(60, command);
    if (outcome.exitCode() != 0 || outcome.output().contains("Exception")) {
      throw new Mismatch("expected %s to succeed, got: %s".formatted(command, outcome.output()));
    }
  }

  private void print(Load load, Client.Run run, ThreadCosts costs) {
    ThreadCosts.Cost all = costs.all();
    double ended = run.ended();
    line("%n### %s%n", load.name());
    line(
        "%.0f per second; for each I/O %.1f µs of CPU, %.2f waits, %.2f preemptions.%n",
        run.perSecond(), all.micros() / ended, all.waits() / ended, all.preemptions() / ended);
    line("| Threads | Share of CPU | Waits per I/O |%n|---|---|---|");
    costs.groups().entrySet().stream()
        .filter(each -> each.getValue().micros() >= all.micros() / 100)
        .sorted(Comparator.comparingDouble(each -> -each.getValue().micros()))
        .forEach(
            each ->
                line(
                    "| %s | %.0f %% | %.2f |",
                    each.getKey(),
                    100 * each.getValue().micros() / all.micros(),
                    each.getValue().waits() / ended));
  }

  private void print(Path recording) throws IOException {
    Map<Part, Long> parts = new EnumMap<>(Part.class);
    Map<String, Long> functions = new HashMap<>();
    long samples = 0;
    long lost = 0;
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        if (!event.getEventType().getName().equals("jdk.CPUTimeSample")) {
          continue;
        }
        RecordedStackTrace stack = event.getStackTrace();
        if (event.getBoolean("failed") || stack == null || stack.getFrames().isEmpty()) {
          lost++;
          continue;
        }
        samples++;
        parts.merge(Part.of(stack), 1L, Long::sum);
        functions.merge(Part.function(stack), 1L, Long::sum);
      }
    }
    Map<String, Long> titles = new HashMap<>();
    parts.forEach((part, count) -> titles.put(part.title(), count));
    table("Part", samples, titles.entrySet());
    table("Function", samples, functions.entrySet());
    line("%n%d samples, %d more without a stack.", samples, lost);
  }

  private void table(String what, long samples, Collection<Map.Entry<String, Long>> counts) {
    line("%n| %s | Share of samples |%n|---|---|", what);
    counts.stream()
        .sorted(Comparator.comparingLong(each -> -each.getValue()))
        .limit(FUNCTIONS)
        .forEach(
            each -> line("| %s | %.1f %% |", each.getKey(), 100.0 * each.getValue() / samples));
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
