package io.coppice.demo.sites;

import io.coppice.harness.Causes;
import io.coppice.harness.Folders;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import io.coppice.kit.Tool;
import io.coppice.sites.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/// `coppice demo --sites`: exit 0 and `PASS` with times, or a sentence about the first step that
/// failed.
public final class SitesDemo {

  private static final String ACCOUNT = "demo";
  private static final List<String> SETTINGS =
      List.of("--coppice.pool.capacity=2GB", "--coppice.pool.buffered-io=true");

  private SitesDemo() {}

  public static void main(String[] arguments) throws IOException {
    Tool.main("coppice demo --sites", new SitesOptions(), arguments, SitesDemo::run);
  }

  private static int run(SitesOptions options) throws IOException {
    Path folder = Files.createTempDirectory("coppice-sites");
    Site first = new Site(options.providerJar(), folder.resolve("a"), "a", SETTINGS);
    Site second = new Site(options.providerJar(), folder.resolve("b"), "b", SETTINGS);
    Thread end = new Thread(() -> end(folder, first, second));
    if (!options.keep()) {
      Runtime.getRuntime().addShutdownHook(end);
    }
    System.out.println("two providers on throw-away pools in " + folder);
    String verdict = verdict(first, second, options);
    if (options.keep()) {
      tell(first, verdict);
      tell(second, verdict);
    }
    System.out.println(verdict);
    return verdict.startsWith("PASS") ? 0 : 1;
  }

  private static String verdict(Site first, Site second, SitesOptions options) {
    try (SitesStory story = new SitesStory(first, second, options.diskMib(), System.out)) {
      return "PASS: " + story.run();
    } catch (RuntimeException e) {
      String why = e instanceof Mismatch ? e.getMessage() : Causes.of(e);
      return "FAIL: "
          + why
          + (options.keep()
              ? ""
              : " (with --keep, both providers and their console.log stay to be looked at)");
    }
  }

  private static void tell(Site site, String verdict) {
    ProviderProcess provider = site.process();
    System.out.printf(
        "%s runs on as process %d: VASA %s/vasa/version.xml, REST %s/api/v1, iSCSI %s, files in %s%n",
        site.name(),
        provider.pid(),
        provider.vasa(),
        provider.management(),
        provider.portal(),
        provider.home());
    if (verdict.startsWith("PASS")) {
      System.out.printf(
          "  in the web UI: %s/, log in as %s with the password %s%n",
          provider.management(), ACCOUNT, account(site.rest()));
    }
  }

  /// Makes an account to look around with.
  ///
  /// @return its password, which is nowhere else
  private static String account(RestClient rest) {
    String password = UUID.randomUUID().toString();
    rest.post(
        "accounts",
        "{\"name\": \"%s\", \"password\": \"%s\", \"role\": \"admin\"}"
            .formatted(ACCOUNT, password));
    return password;
  }

  /// Ends both providers and deletes all that they kept, also when the demo is told to end.
  private static void end(Path folder, Site first, Site second) {
    first.close();
    second.close();
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      System.err.println("coppice demo --sites: could not delete %s: %s".formatted(folder, e));
    }
  }
}
