package io.coppice.app.tool.backup;

import io.coppice.app.database.DatabaseException;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.SettingsReader;
import io.coppice.app.setting.StartupException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// `backup FILE [--home DIR] [--coppice.KEY=VALUE ...]`, and `restore`, which has one flag more.
final class CommandLine {

  private static final int DONE = 0;
  private static final int REFUSED = 1;
  private static final int USAGE = 2;
  private static final String USAGE_TEXT =
      "Usage: %s FILE [--home DIR] %s[--coppice.KEY=VALUE ...]%n";

  private final String verb;
  private final Set<String> flags;

  /// @param flags that the command takes
  CommandLine(String verb, String... flags) {
    this.verb = verb;
    this.flags = new TreeSet<>(List.of(flags));
  }

  /// The request in a command's arguments.
  ///
  /// @param flags that were given
  record Request(Path file, CoppiceProperties settings, Path home, Set<String> flags) {
    Request {
      flags = Set.copyOf(flags);
    }
  }

  /// The work of a command.
  @FunctionalInterface
  interface Work {

    /// @return sentences: what was done
    List<String> run(Request request) throws IOException, SQLException;
  }

  /// @return the exit status: 0 done, 1 refused, 2 wrong arguments
  int run(List<String> args, PrintStream out, PrintStream err, Work work) {
    if (args.contains("--help") || args.contains("-h")) {
      out.print(usage());
      return DONE;
    }
    Set<String> given = new TreeSet<>();
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
      } else if (flags.contains(arg)) {
        given.add(arg);
      } else {
        files.add(arg);
      }
    }
    if (files.size() != 1 || files.getFirst().startsWith("--")) {
      err.print(usage());
      return USAGE;
    }
    try {
      CoppiceProperties read = SettingsReader.read(settings);
      Path home = Path.of(read.home()).toAbsolutePath().normalize();
      Path file = Path.of(files.getFirst()).toAbsolutePath();
      work.run(new Request(file, read, home, given))
          .forEach(sentence -> out.println("coppice: " + sentence));
      return DONE;
    } catch (StartupException e) {
      err.println("coppice: " + e.getMessage());
      return USAGE;
    } catch (BackupRefusedException | DatabaseException e) {
      err.println("coppice: " + e.getMessage());
    } catch (IOException | UncheckedIOException | SQLException e) {
      err.println("coppice: the %s failed: %s".formatted(verb, e.getMessage()));
    }
    return REFUSED;
  }

  private String usage() {
    StringBuilder more = new StringBuilder();
    flags.forEach(flag -> more.append('[').append(flag).append("] "));
    return USAGE_TEXT.formatted(verb, more);
  }
}
