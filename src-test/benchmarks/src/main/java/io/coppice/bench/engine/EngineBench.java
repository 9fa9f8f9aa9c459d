package io.coppice.bench.engine;

import io.coppice.bench.Leftovers;
import io.coppice.bench.engine.journal.JournalIo;
import io.coppice.bench.engine.journal.JournalPace;
import io.coppice.bench.engine.journal.JournalPoints;
import io.coppice.bench.engine.stage.DiskCounter;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Sizes;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Report;
import io.coppice.bench.report.Row;
import io.coppice.harness.Causes;
import io.coppice.harness.Commands;
import io.coppice.harness.Folders;
import io.coppice.kit.Tool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// `coppice bench engine`: every figure that the engine is to reach, beside its baseline.
public final class EngineBench {

  private static final List<Group> GROUPS =
      List.of(
          new IoGroup(),
          new LapGroup(),
          new FullGroup(),
          new SnapshotGroup(),
          new JournalIo(),
          new JournalPace(),
          new JournalPoints(),
          new MixGroup(),
          new RangeGroup(),
          new RecoveryGroup(),
          new AllocationGroup(),
          new ReplicationGroup(),
          new LargeGroup(),
          new WatchGroup());

  private EngineBench() {}

  public static void main(String[] arguments) throws IOException {
    Tool.main("coppice bench engine", new EngineBenchOptions(), arguments, EngineBench::run);
  }

  private static int run(EngineBenchOptions options) throws IOException {
    return run(options.only(), options.isQuick());
  }

  /// Measures the groups whose names hold `only`.
  ///
  /// @param quick whether it is enough to see that everything runs
  /// @return how many groups failed
  public static int run(String only, boolean quick) throws IOException {
    List<Group> groups = GROUPS.stream().filter(g -> g.name().contains(only)).toList();
    if (groups.isEmpty()) {
      List<String> names = GROUPS.stream().map(Group::name).toList();
      throw new IllegalArgumentException(
          "expected --only with a part of one of %s".formatted(names));
    }
    if (!Commands.exists("fio")) {
      throw new IllegalArgumentException("needs fio for the baselines; install it (package fio)");
    }
    return measure(groups, quick ? Sizes.quick() : Sizes.standard());
  }

  /// @return how many groups failed
  private static int measure(List<Group> groups, Sizes sizes) throws IOException {
    int failed = 0;
    try (Leftovers leftovers = new Leftovers()) {
      Path folder = Files.createTempDirectory("coppice-bench");
      leftovers.add("remove " + folder, () -> Folders.delete(folder));
      Report report = new Report(System.out, target());
      Stage stage = new Stage(folder, sizes, DiskCounter.of(folder), report, leftovers);
      for (Group group : groups) {
        long start = System.nanoTime();
        try {
          group.run(stage);
        } catch (IOException | RuntimeException e) {
          if (leftovers.isEnding()) {
            break;
          }
          failed++;
          System.err.println(
              "coppice bench engine: %s failed: %s".formatted(group.name(), Causes.of(e)));
          report.row(Row.notMeasured("the rest of this group", String.valueOf(e.getMessage())));
        }
        report.progress(
            "%s took %d s".formatted(group.name(), (System.nanoTime() - start) / 1_000_000_000));
      }
      report.progress("written to %s and %s".formatted(report.markdown(), report.plot()));
    }
    return failed;
  }

  /// The folder that the build puts its results into.
  private static Path target() {
    Path code =
        Path.of(
            URI.create(
                EngineBench.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    return Objects.requireNonNull(code.getParent(), "the folder of the bench");
  }
}
