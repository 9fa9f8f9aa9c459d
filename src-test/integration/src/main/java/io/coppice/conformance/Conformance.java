package io.coppice.conformance;

import io.coppice.harness.Commands;
import io.coppice.harness.Folders;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.kit.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/// `coppice test conformance`: libiscsi's suite over two paths against each unit of a [Site]. Exit
/// status 0 if nothing failed and nothing was skipped without a reason; the last line counts.
public final class Conformance {

  /// Tests whose premises hold only with other settings than ours, so that they run against the
  /// same units when the provider has been started again with those (docs/scsi.md): the first
  /// expects a descriptor that begins a physical block behind the block asked for, where a physical
  /// block is not one logical block; the others are skipped by the tool unless WRITE SAME of 0
  /// blocks goes to the end.
  private static final Set<String> WITH_OTHER_SETTINGS =
      Set.of("GetLBAStatus.UnmapSingle", "WriteSame10.ZeroBlocks", "WriteSame16.ZeroBlocks");

  private static final List<String> OTHER_SETTINGS =
      List.of("--coppice.iscsi.physical-block-size=512", "--coppice.iscsi.write-same-to-end=true");

  /// Generous: a machine under load takes its time to start a database.
  private static final Duration START = Duration.ofMinutes(5);

  private final ProviderProcess provider;
  private final SuiteTool tool;

  private Conformance(ProviderProcess provider, SuiteTool tool) {
    this.provider = provider;
    this.tool = tool;
  }

  public static void main(String[] arguments) throws IOException {
    Tool.main("coppice test conformance", new ConformanceOptions(), arguments, Conformance::judge);
  }

  private static int judge(ConformanceOptions options) throws IOException {
    if (!Commands.exists(SuiteTool.PROGRAM)) {
      throw new IllegalArgumentException("iscsi-test-cu is not installed (package libiscsi-bin)");
    }
    Path folder = Files.createTempDirectory("coppice-conformance");
    Path logs = Objects.requireNonNullElse(options.logs(), folder.resolve("logs"));
    List<Tally> tallies;
    try {
      tallies = run(options.providerJar(), folder, logs);
    } catch (Mismatch e) {
      System.out.println("coppice test conformance: " + e.getMessage());
      return 1;
    }
    Tally all = new Tally("all", tallies.stream().flatMap(t -> t.verdicts().stream()).toList());
    boolean good = all.count(Verdict.Outcome.FAILED) == 0 && all.unexpectedSkips().isEmpty();
    if (good) {
      Folders.delete(folder);
    } else {
      System.out.println("the output of the tool is in " + logs);
    }
    System.out.println(all.summary());
    return good ? 0 : 1;
  }

  /// Runs everything on a throw-away pool.
  ///
  /// @param logs folder for the output of the tool
  public static List<Tally> run(Path jar, Path folder, Path logs) {
    try (ProviderProcess provider =
        new ProviderProcess(jar, folder.resolve("home"), List.of("--coppice.pool.capacity=8GB"))) {
      return new Conformance(provider, new SuiteTool(logs)).run();
    }
  }

  private List<Tally> run() {
    Map<String, List<String>> suites = SuiteTool.tests();
    Map<Subject, List<Verdict>> verdicts;
    provider.start();
    provider.awaitReady(START);
    try (Site site = new Site(provider)) {
      List<Subject> subjects =
          List.of(site.plain(), site.subsidiary(), site.withDigests(), site.withChap());
      verdicts = onEach(subjects, subject -> runAll(subject, suites));
      provider.stop();
      Map<Subject, List<Verdict>> rest = runWithOtherSettings(subjects);
      verdicts.forEach((subject, found) -> found.addAll(rest.get(subject)));
      System.out.printf("digests of the target checked: %d PDUs%n", site.digestsChecked());
    }
    List<Tally> tallies = new ArrayList<>();
    verdicts.forEach((subject, found) -> tallies.add(new Tally(subject.name(), found)));
    for (Tally tally : tallies) {
      System.out.println(tally.name());
      tally.lines().forEach(System.out::println);
    }
    return tallies;
  }

  /// All units at the same time: the suite mostly waits for one command after the other.
  private static Map<Subject, List<Verdict>> onEach(
      List<Subject> subjects, Function<Subject, List<Verdict>> work) {
    Map<Subject, List<Verdict>> found = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<Subject, Future<List<Verdict>>> running = new LinkedHashMap<>();
      subjects.forEach(s -> running.put(s, threads.submit(() -> work.apply(s))));
      for (Map.Entry<Subject, Future<List<Verdict>>> one : running.entrySet()) {
        found.put(one.getKey(), one.getValue().get());
      }
      return found;
    } catch (ExecutionException e) {
      throw new Mismatch("the suite could not be run: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted while the suite ran", e);
    }
  }

  private List<Verdict> runAll(Subject subject, Map<String, List<String>> suites) {
    List<Verdict> found = new ArrayList<>();
    suites.forEach(
        (suite, tests) ->
            tool.run(subject, suite, tests).stream()
                .filter(v -> !WITH_OTHER_SETTINGS.contains(v.test()))
                .forEach(found::add));
    return found;
  }

  private Map<Subject, List<Verdict>> runWithOtherSettings(List<Subject> subjects) {
    System.out.printf("with %s: %s%n", OTHER_SETTINGS, WITH_OTHER_SETTINGS);
    try (ProviderProcess other = provider.restartedWith(OTHER_SETTINGS)) {
      other.start();
      other.awaitReady(START);
      return onEach(
          subjects,
          subject ->
              WITH_OTHER_SETTINGS.stream()
                  .flatMap(test -> tool.run(subject, "SCSI." + test, List.of(test)).stream())
                  .toList());
    }
  }
}
