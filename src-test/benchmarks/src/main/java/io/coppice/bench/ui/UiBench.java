package io.coppice.bench.ui;

import io.coppice.harness.ProviderProcess;
import io.coppice.kit.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// `coppice bench ui`: how long a table of 10,000 rows takes in Chromium, how smoothly it scrolls,
/// and what a page costs that nobody touches. The figures are taken by `src-test/ui/scale`.
public final class UiBench {

  private static final Duration START = Duration.ofMinutes(2);
  private static final List<String> SETTINGS =
      List.of("--coppice.pool.capacity=32GB", "--coppice.accounts.longest-wait=0s");

  private UiBench() {}

  public static void main(String[] arguments) throws IOException {
    Tool.main(
        "coppice bench ui",
        new UiOptions(),
        arguments,
        options -> options.inFolder(folder -> run(options, folder)));
  }

  private static int run(UiOptions options, Path folder) throws IOException {
    Path work = folder.resolve("work");
    try (ProviderProcess provider =
        new ProviderProcess(options.providerJar(), folder.resolve("home"), SETTINGS)) {
      provider.start();
      provider.awaitReady(START);
      ProcessBuilder script =
          new ProcessBuilder(
                  options.tests().resolve("run.sh").toString(),
                  work.toString(),
                  provider.management().toString(),
                  provider.home().toString(),
                  work.resolve("report.xml").toString(),
                  "--config",
                  "scale.config.ts")
              .inheritIO();
      script.environment().put("UI_SCALE", Integer.toString(options.many()));
      int status = script.start().waitFor();
      if (status == 0) {
        System.out.print(Files.readString(work.resolve("scale.md")));
      }
      return status;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }
}
