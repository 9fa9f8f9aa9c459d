package io.coppice.demo;

import io.coppice.harness.Causes;
import io.coppice.harness.Folders;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import io.coppice.kit.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// `coppice demo`: exit 0 and `PASS`, or the first thing that differed.
public final class Demo {

  private static final String ACCOUNT = "demo";

  private Demo() {}

  public static void main(String[] arguments) throws IOException {
    Tool.main("coppice demo", new DemoOptions(), arguments, Demo::run);
  }

  private static int run(DemoOptions options) throws IOException {
    Path folder = Files.createTempDirectory("coppice-demo");
    Report report = new Report(System.out);
    ProviderProcess provider =
        new ProviderProcess(
            options.providerJar(),
            folder.resolve("home"),
            List.of("--coppice.pool.capacity=16GB", "--coppice.pool.buffered-io=true"));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stopUnlessKept(provider, options)));
    String verdict = verdict(options, provider, folder, report);
    Path json = options.json();
    if (json != null) {
      report.writeJson(json, verdict);
    }
    if (options.keep()) {
      System.out.printf(
          "the provider runs on: VASA %s/vasa/version.xml, REST %s/api/v1, iSCSI %s, files in %s%n",
          provider.vasa(), provider.management(), provider.portal(), provider.home());
      if (verdict.equals("PASS")) {
        System.out.printf(
            "the story in the web UI: %s/, log in as %s with the password %s%n",
            provider.management(), ACCOUNT, account(provider));
      }
    } else {
      provider.stop();
      if (verdict.equals("PASS")) {
        Folders.delete(folder);
      }
    }
    System.out.println(verdict);
    return verdict.equals("PASS") ? 0 : 1;
  }

  /// Makes an account to look around with.
  ///
  /// @return its password, which is nowhere else
  private static String account(ProviderProcess provider) {
    String password = UUID.randomUUID().toString();
    new RestClient(provider.management(), provider.adminToken())
        .post(
            "accounts",
            "{\"name\": \"%s\", \"password\": \"%s\", \"role\": \"admin\"}"
                .formatted(ACCOUNT, password));
    return password;
  }

  private static String verdict(
      DemoOptions options, ProviderProcess provider, Path folder, Report report) {
    try {
      System.out.println("starting a provider on a throw-away pool in " + folder);
      provider.start();
      Duration portal = provider.awaitPortal(Duration.ofSeconds(60));
      Duration ready = portal.plus(provider.awaitReady(Duration.ofSeconds(120)));
      report.fact("milliseconds from start to the iSCSI portal", portal.toMillis());
      report.fact("milliseconds from start to all ports", ready.toMillis());
      report.header();
      RestClient rest = new RestClient(provider.management(), provider.adminToken());
      try (Story story = new Story(options, provider, rest, folder, report)) {
        story.run();
      }
      report.latencies();
      return "PASS";
    } catch (RuntimeException e) {
      if (!(e instanceof Mismatch)) {
        System.out.println("the demo could not go on: " + Causes.of(e));
      }
      System.out.println("the provider's last words stand in " + provider.log());
      return "FAIL: " + e.getMessage();
    }
  }

  private static void stopUnlessKept(ProviderProcess provider, DemoOptions options) {
    if (!options.keep()) {
      provider.stop();
    }
  }
}
