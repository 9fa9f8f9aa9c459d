package io.coppice.bench.start;

import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import io.coppice.kit.Markdown;
import io.coppice.kit.Spread;
import io.coppice.kit.Tool;
import io.coppice.load.LoadSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// `coppice bench start`: from the start of a process to its first answers, and the lists after it.
public final class StartBench {

  private static final List<String> SETTINGS = List.of("--coppice.pool.capacity=32GB");

  private final StartOptions options;
  private final Path jar;
  private final int rounds;

  private StartBench(StartOptions options) {
    this.options = options;
    this.jar = options.providerJar();
    this.rounds = options.rounds();
  }

  public static void main(String[] arguments) throws IOException {
    Tool.main(
        "coppice bench start",
        new StartOptions(),
        arguments,
        options -> options.inFolder(folder -> new StartBench(options).run(folder)));
  }

  private int run(Path folder) throws IOException {
    System.out.print(Markdown.header("Start", "iSCSI login", "VASA port", "Control plane answers"));
    starts("empty", folder.resolve("empty"), true);
    Path full = options.home().isEmpty() ? folder.resolve("full") : Path.of(options.home());
    if (!Files.exists(full)) {
      fill(full);
    }
    starts("full", full, false);
    lists(full);
    return 0;
  }

  private void fill(Path home) throws IOException {
    try (LoadSite site = new LoadSite(jar, home, SETTINGS, false)) {
      new FullHome(site).fill(options.volumes(), options.snapshots());
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
    System.out.print(
        Markdown.row(
            what,
            median(times, StartTimes::iscsi),
            median(times, StartTimes::vasa),
            median(times, StartTimes::rest)));
  }

  private static String median(List<StartTimes> times, ToDoubleFunction<StartTimes> figure) {
    List<Double> all = times.stream().map(figure::applyAsDouble).toList();
    return Spread.text(all.size() == 1 ? "%.2f s" : "%.2f s (%.2f-%.2f)", all);
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
