package io.coppice.bench.engine;

import io.coppice.harness.Causes;
import io.coppice.harness.Commands;
import io.coppice.harness.Folders;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
          new MixGroup(),
          new RangeGroup(),
          new RecoveryGroup(),
          new AllocationGroup(),
          new LargeGroup());

  private EngineBench() {}

  /// @param only what a group's name must hold; empty for all groups
  private record Arguments(boolean isQuick, String only) {

    static Arguments of(String[] arguments) {
      boolean quick = false;
      String only = "";
      for (int i = 0; i < arguments.length; i++) {
        if (arguments[i].equals("--quick")) {
          quick = true;
        } else if (arguments[i].equals("--only") && i + 1 < arguments.length) {
          only = arguments[++i];
        } else {
          throw new IllegalArgumentException(
              "expected [--quick] [--only TEXT], got " + Arrays.toString(arguments));
        }
      }
      return new Arguments(quick, only);
    }
  }

  public static void main(String[] arguments) throws IOException, URISyntaxException {
    Arguments asked;
    try {
      asked = Arguments.of(arguments);
    } catch (IllegalArgumentException e) {
      System.exit(refused(String.valueOf(e.getMessage())));
      return;
    }
    List<Group> groups = GROUPS.stream().filter(g -> g.name().contains(asked.only())).toList();
    if (groups.isEmpty()) {
      List<String> names = GROUPS.stream().map(Group::name).toList();
      System.exit(refused("expected --only with a part of one of %s".formatted(names)));
    }
    if (!Commands.exists("fio")) {
      System.exit(refused("needs fio for the baselines; install it (package fio)"));
    }
    System.exit(measure(groups, asked.isQuick() ? Sizes.quick() : Sizes.standard()));
  }

  private static int refused(String why) {
    System.err.println("coppice bench engine: " + why);
    return 2;
  }

  /// @return how many groups failed
  private static int measure(List<Group> groups, Sizes sizes)
      throws IOException, URISyntaxException {
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
  private static Path target() throws URISyntaxException {
    Path code =
        Path.of(EngineBench.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Objects.requireNonNull(code.getParent(), "the folder of the bench");
  }
}
