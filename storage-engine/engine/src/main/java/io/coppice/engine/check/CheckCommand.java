package io.coppice.engine.check;

import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.check.finding.NotCheckable;
import io.coppice.engine.check.finding.ReportText;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ReadOnlyFile;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The command `check POOL [MIRROR] [--fast] [--json]`. It checks the pool in a directory or a
/// file, and its second copy.
///
/// Ends with 0 if all is well, 1 if there are findings, 2 if it could not be checked.
public final class CheckCommand {

  private static final int CLEAN = 0;
  private static final int FOUND = 1;
  private static final int NOT_CHECKED = 2;

  private CheckCommand() {}

  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  /// @return the exit code
  static int run(List<String> args, PrintStream out, PrintStream err) {
    List<String> rest = new ArrayList<>(args);
    boolean fast = rest.remove("--fast");
    boolean json = rest.remove("--json");
    if (rest.isEmpty() || rest.size() > 2 || rest.stream().anyMatch(a -> a.startsWith("--"))) {
      err.println(
          "Usage: check POOL [MIRROR] [--fast] [--json], where POOL is a directory or its file, and"
              + " MIRROR the file of its second copy.");
      return NOT_CHECKED;
    }
    try {
      Path file = poolFile(Path.of(rest.getFirst()));
      if (file == null) {
        err.printf("Expected a pool in %s, found none.%n", rest.getFirst());
        return NOT_CHECKED;
      }
      CheckReport report;
      try (ReadOnlyFile device = ReadOnlyFile.open(file)) {
        report = rest.size() == 1 ? PoolChecker.check(device, fast) : both(device, rest, fast);
      }
      out.print(json ? ReportText.json(report) : ReportText.lines(report));
      out.flush();
      return report.isClean() ? CLEAN : FOUND;
    } catch (NotCheckable e) {
      err.println(e.getMessage());
      return NOT_CHECKED;
    } catch (DeviceException e) {
      err.printf("The pool could not be checked: %s.%n", e.getMessage());
      return NOT_CHECKED;
    }
  }

  private static CheckReport both(ReadOnlyFile first, List<String> given, boolean fast) {
    try (ReadOnlyFile second = ReadOnlyFile.open(Path.of(given.getLast()))) {
      return PoolChecker.check(first, second, fast);
    }
  }

  /// The pool's file, also for the home directory that the pool's directory lies in.
  private static @Nullable Path poolFile(Path given) {
    for (Path file : List.of(given, given.resolve("pool"), given.resolve("pool/pool"))) {
      if (Files.exists(file) && !Files.isDirectory(file)) {
        return file;
      }
    }
    return null;
  }
}
