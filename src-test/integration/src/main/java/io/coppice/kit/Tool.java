package io.coppice.kit;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/// A program of the command line: its options are read by picocli into the annotated fields of an
/// object.
public final class Tool {

  private static final int REFUSED = 2;

  private Tool() {}

  /// Work with the options that were given.
  public interface Work<T> {

    /// @return the exit status
    /// @throws IllegalArgumentException if the options do not fit each other or this machine
    int run(T options) throws IOException;
  }

  /// Reads a command line, does the work and ends the process with its status: 2, and a sentence,
  /// if the options are refused.
  ///
  /// @param name of the command, as it is typed
  /// @param options whose fields have picocli's annotations
  public static <T> void main(String name, T options, String[] arguments, Work<T> work)
      throws IOException {
    System.exit(run(name, options, arguments, work));
  }

  private static <T> int run(String name, T options, String[] arguments, Work<T> work)
      throws IOException {
    try {
      read(options, arguments);
      return work.run(options);
    } catch (IllegalArgumentException e) {
      System.err.println(name + ": " + e.getMessage());
      return REFUSED;
    }
  }

  /// Sets the fields of `options`.
  ///
  /// @throws IllegalArgumentException for an option that there is not, and for a value that does
  ///   not fit its field or its [Least]
  static void read(Object options, String... arguments) {
    try {
      CommandLine line =
          new CommandLine(options).setOverwrittenOptionsAllowed(true).setExpandAtFiles(false);
      line.parseArgs(arguments);
      line.getCommandSpec().options().forEach(Tool::requireLeast);
    } catch (ParameterException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static void requireLeast(OptionSpec option) {
    Least least =
        option.userObject() instanceof AnnotatedElement field
            ? field.getAnnotation(Least.class)
            : null;
    if (least != null && option.<Integer>getValue() < least.value()) {
      throw new IllegalArgumentException(
          "expected %d or more after %s, got %d"
              .formatted(least.value(), option.longestName(), option.<Integer>getValue()));
    }
  }
}
