package io.coppice.bench.start;

import io.coppice.bench.iscsi.Arguments;
import io.coppice.harness.Folders;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import io.coppice.load.LoadSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// `coppice bench start`: from the start of a process to its first answers, and the lists after it.
public final class StartBench {

  private static final Map<String, String> OPTIONS =
      Map.ofEntries(
          Map.entry("provider-jar", ""),
          Map.entry("volumes", "10000"),
          Map.entry("snapshots", "10000"),
          Map.entry("rounds", "5"),
          Map.entry("home", ""),
          Map.entry("folder", System.getProperty("java.io.tmpdir")));

  private static final List<String> SETTINGS = List.of("--coppice.pool.capacity=32GB");

  private final Arguments options;
  private final Path jar;
  private final int rounds;

  private StartBench(Arguments options) {
    this.options = options;
    this.jar = Path.of(options.text("provider-jar"));
    this.rounds = options.number("rounds", 1);
  }

  public static void main(String[] arguments) throws IOException {
    try {
      new StartBench(new Arguments(arguments, OPTIONS)).run();
    } catch (IllegalArgumentException e) {
      System.err.println("coppice bench start: " + e.getMessage());
      System.exit(2);
    }
  }

  private void run() throws IOException {
    Path folder = Files.createTempDirectory(Path.of(options.text("folder")), "coppice-bench");
    try {
      System.out.printf("| Start | iSCSI login | VASA port | Control plane answers |%n");
      System.out.printf("|---|---|---|---|%n");
      starts("empty", folder.resolve("empty"), true);
      Path full =
          options.text("home").isEmpty() ? folder.resolve("full") : Path.of(options.text("home"));
      if (!Files.exists(full)) {
        fill(full);
      }
      starts("full", full, false);
      lists(full);
    } finally {
      Folders.delete(folder);
    }
  }

  private void fill(Path home) throws IOException {
    try (LoadSite site = new LoadSite(jar, home, SETTINGS, false)) {
      new FullHome(site).fill(options.number("volumes", 2), options.number("snapshots", 0));
    }
  }

  private void starts(String what, Path home, boolean first) {
    ProviderProcess provider = new ProviderProcess(jar, home, SETTINGS);
    if (first) {
      row("the very first, which makes pool and database", List.of(start(provider)));
    }
    List<StartTimes> times = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      times.add(start(provider));
    }
    row("again, " + what, times);
  }

  private static StartTimes start(ProviderProcess provider) {
    try (provider) {
      return StartTimes.of(provider);
    }
  }

  private static void row(String what, List<StartTimes> times) {
    System.out.printf(
        "| %s | %s | %s | %s |%n",
        what,
        median(times, StartTimes::iscsi),
        median(times, StartTimes::vasa),
        median(times, StartTimes::rest));
  }

  private static String median(List<StartTimes> times, ToDoubleFunction<StartTimes> figure) {
    List<Double> sorted =
        times.stream().map(figure::applyAsDouble).sorted(Comparator.naturalOrder()).toList();
    double median = sorted.get(sorted.size() / 2);
    return times.size() == 1
        ? "%.2f s".formatted(median)
        : "%.2f s (%.2f-%.2f)".formatted(median, sorted.getFirst(), sorted.getLast());
  }

  private void lists(Path home) {
    try (ProviderProcess provider = new ProviderProcess(jar, home, SETTINGS)) {
      StartTimes.of(provider);
      var lists = new ListTimes(new RestClient(provider.management(), provider.adminToken()));
      lists.measure();
      lists.print(System.out);
    }
  }
}
