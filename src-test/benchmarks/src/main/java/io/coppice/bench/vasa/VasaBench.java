package io.coppice.bench.vasa;

import io.coppice.harness.Folders;
import io.coppice.kit.Tool;
import io.coppice.load.LoadReport;
import io.coppice.load.LoadSettings;
import io.coppice.load.LoadSite;
import io.coppice.load.VasaLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// `coppice bench vasa`: a vCenter with many hosts and machines against the control plane, with
/// `--kills N` while the provider is killed. Exit 1 if there was an error, an orphan or a loss.
public final class VasaBench {

  private VasaBench() {}

  public static void main(String[] arguments) throws IOException {
    Tool.main("coppice bench vasa", new VasaOptions(), arguments, VasaBench::run);
  }

  private static int run(VasaOptions options) throws IOException {
    return switch (options.only()) {
      case "load" -> load(options);
      case "rate" ->
          onSite(
              options,
              site ->
                  new RateBench(
                          site, options.hosts(), options.rate(), options.atOnce(), options.length())
                      .run());
      case "size" ->
          onSite(options, site -> new SizeBench(site, options.slow()).run(options.volumes()));
      case "poll" ->
          onSite(options, site -> PollBench.run(site, options.pollers(), options.length()));
      default ->
          throw new IllegalArgumentException(
              "expected load, rate, size or poll after --only, got " + options.only());
    };
  }

  private interface Work {
    boolean run(LoadSite site) throws IOException;
  }

  private static int onSite(VasaOptions options, Work work) throws IOException {
    return options.inFolder(
        folder -> {
          try (LoadSite site =
              new LoadSite(
                  options.providerJar(),
                  folder.resolve("home"),
                  List.of("--coppice.pool.capacity=32GB"),
                  false)) {
            return work.run(site) ? 0 : 1;
          }
        });
  }

  private static int load(VasaOptions options) throws IOException {
    LoadSettings settings =
        new LoadSettings(
            options.providerJar(),
            options.length(),
            options.hosts(),
            options.sessions(),
            options.vms(),
            options.atOnce(),
            options.kills(),
            options.seed(),
            List.of("--coppice.pool.capacity=32GB"));
    Path folder = options.makeFolder();
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
