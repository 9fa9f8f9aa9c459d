package io.coppice.cli.output;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// The surroundings of a command: variables, folder, input and output.
///
/// @param environment variables
/// @param folder that relative paths start from
/// @param terminal whether a person sees what `err` gets
public record Surroundings(
    Map<String, String> environment,
    Path folder,
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean terminal) {

  /// Those of this process. Output is UTF-8 whatever the locale is.
  public static Surroundings ofProcess() {
    return new Surroundings(
        System.getenv(),
        Path.of(""),
        System.in,
        stream(java.io.FileDescriptor.out),
        stream(java.io.FileDescriptor.err),
        isTerminal(2));
  }

  /// The value of a variable; empty if it is not set.
  public String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  /// Asks a person.
  ///
  /// @param hidden whether what is typed stays invisible
  /// @return the answer without its line break; empty if nobody can be asked
  public String ask(String question, boolean hidden) {
    Console console = System.console();
    if (console != null && console.isTerminal()) {
      if (!hidden) {
        String line = console.readLine("%s", question);
        return line == null ? "" : line;
      }
      char[] typed = console.readPassword("%s", question);
      return typed == null ? "" : new String(typed);
    }
    return "";
  }

  private static PrintStream stream(java.io.FileDescriptor descriptor) {
    return new PrintStream(
        new java.io.BufferedOutputStream(new java.io.FileOutputStream(descriptor), 1 << 14),
        false,
        StandardCharsets.UTF_8);
  }

  /// Whether a descriptor of this process is a terminal. Without `System.console()`, which wants
  /// the input to be one, too.
  public static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
