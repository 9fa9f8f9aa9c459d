package io.coppice.app.backup;

import io.coppice.app.CoppiceProperties;
import io.coppice.app.SettingsReader;
import io.coppice.app.StartupException;
import io.coppice.app.database.DatabaseException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// `backup FILE [--home DIR] [--coppice.KEY=VALUE ...]` and the same of `restore`.
final class CommandLine {

  private static final int DONE = 0;
  private static final int REFUSED = 1;
  private static final int USAGE = 2;
  private static final String USAGE_TEXT =
      "Usage: %s FILE [--home DIR] [--coppice.KEY=VALUE ...]%n";

  private CommandLine() {}

  /// What a command does.
  @FunctionalInterface
  interface Work {

    /// @return one sentence: what was done
    String run(Path file, CoppiceProperties settings, Path home) throws IOException, SQLException;
  }

  /// @return the exit status: 0 done, 1 refused, 2 wrong arguments
  static int run(String verb, List<String> args, PrintStream out, PrintStream err, Work work) {
    if (args.contains("--help") || args.contains("-h")) {
      out.printf(USAGE_TEXT, verb);
      return DONE;
    }
    List<String> files = new ArrayList<>();
    List<String> settings = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (arg.equals("--home") && i + 1 < args.size()) {
        settings.add("--coppice.home=" + args.get(++i));
      } else if (arg.startsWith("--home=")) {
        settings.add("--coppice." + arg.substring(2));
      } else if (arg.startsWith("--coppice.") || arg.startsWith("--spring.config.")) {
        settings.add(arg);
      } else {
        files.add(arg);
      }
    }
    if (files.size() != 1 || files.getFirst().startsWith("--")) {
      err.printf(USAGE_TEXT, verb);
      return USAGE;
    }
    try {
      CoppiceProperties read = SettingsReader.read(settings);
      Path home = Path.of(read.home()).toAbsolutePath().normalize();
      out.println("coppice: " + work.run(Path.of(files.getFirst()).toAbsolutePath(), read, home));
      return DONE;
    } catch (StartupException e) {
      err.println("coppice: " + e.getMessage());
      return USAGE;
    } catch (RefusedException | DatabaseException e) {
      err.println("coppice: " + e.getMessage());
    } catch (IOException | UncheckedIOException | SQLException e) {
      err.println("coppice: the %s failed: %s".formatted(verb, e.getMessage()));
    }
    return REFUSED;
  }
}
