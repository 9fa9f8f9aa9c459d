package io.coppice.bench.vasa;

import io.coppice.bench.iscsi.Arguments;
import io.coppice.harness.Folders;
import io.coppice.load.LoadReport;
import io.coppice.load.LoadSettings;
import io.coppice.load.LoadSite;
import io.coppice.load.VasaLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// `coppice bench vasa`: a vCenter with many hosts and machines against the control plane, with
/// `--kills N` while the provider is killed. Exit 1 if there was an error, an orphan or a loss.
public final class VasaBench {

  private static final Map<String, String> OPTIONS =
      Map.ofEntries(
          Map.entry("provider-jar", ""),
          Map.entry("minutes", "10"),
          Map.entry("seconds", "0"),
          Map.entry("hosts", "32"),
          Map.entry("sessions", "4"),
          Map.entry("vms", "120"),
          Map.entry("at-once", "16"),
          Map.entry("kills", "0"),
          Map.entry("seed", "1"),
          Map.entry("only", "load"),
          Map.entry("rate", "100"),
          Map.entry("volumes", "10000"),
          Map.entry("slow", "50"),
          Map.entry("pollers", "256"),
          Map.entry("folder", System.getProperty("java.io.tmpdir")));

  private VasaBench() {}

  public static void main(String[] arguments) throws IOException {
    try {
      System.exit(run(new Arguments(arguments, OPTIONS)));
    } catch (IllegalArgumentException e) {
      System.err.println("coppice bench vasa: " + e.getMessage());
      System.exit(2);
    }
  }

  private static int run(Arguments options) throws IOException {
    return switch (options.text("only")) {
      case "load" -> load(options);
      case "rate" ->
          onSite(
              options,
              site ->
                  new RateBench(
                          site,
                          options.number("hosts", 1),
                          options.number("rate", 1),
                          options.number("at-once", 1),
                          length(options))
                      .run());
      case "size" ->
          onSite(
              options,
              site ->
                  new SizeBench(site, options.number("slow", 1))
                      .run(options.number("volumes", 100)));
      case "poll" ->
          onSite(
              options, site -> PollBench.run(site, options.number("pollers", 1), length(options)));
      default ->
          throw new IllegalArgumentException(
              "expected load, rate, size or poll after --only, got " + options.text("only"));
    };
  }

  private interface Work {
    boolean run(LoadSite site) throws IOException;
  }

  private static int onSite(Arguments options, Work work) throws IOException {
    Path folder = Files.createTempDirectory(Path.of(options.text("folder")), "coppice-bench");
    try (LoadSite site =
        new LoadSite(
            Path.of(options.text("provider-jar")),
            folder.resolve("home"),
            List.of("--coppice.pool.capacity=32GB"),
            false)) {
      return work.run(site) ? 0 : 1;
    } finally {
      Folders.delete(folder);
    }
  }

  private static Duration length(Arguments options) {
    int seconds = options.number("seconds", 0);
    return seconds > 0
        ? Duration.ofSeconds(seconds)
        : Duration.ofMinutes(options.number("minutes", 1));
  }

  private static int load(Arguments options) throws IOException {
    int hosts = options.number("hosts", 1);
    LoadSettings settings =
        new LoadSettings(
            Path.of(options.text("provider-jar")),
            length(options),
            hosts,
            Math.min(hosts, options.number("sessions", 0)),
            options.number("vms", 1),
            options.number("at-once", 1),
            options.number("kills", 0),
            options.number("seed", 0),
            List.of("--coppice.pool.capacity=32GB"));
    Path folder = Files.createTempDirectory(Path.of(options.text("folder")), "coppice-bench");
    LoadReport report = VasaLoad.run(settings, folder, System.out::println);
    report.print(System.out);
    if (report.good()) {
      Folders.delete(folder);
      return 0;
    }
    System.out.println("pool, database and the provider's last words stand in " + folder);
    return 1;
  }
}
