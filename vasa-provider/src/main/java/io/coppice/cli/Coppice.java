package io.coppice.cli;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.SafeText;
import io.coppice.cli.output.Surroundings;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Common;
import io.coppice.cli.verb.Typed;
import io.coppice.cli.verb.Verb;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import tools.jackson.core.JacksonException;

/// The entry point of the command line.
public final class Coppice {

  private Coppice() {}

  public static void main(String[] args) {
    Surroundings surroundings = Surroundings.ofProcess();
    int status = run(surroundings, args);
    surroundings.out().flush();
    surroundings.err().flush();
    // Not exit(): nothing is left to do.
    Runtime.getRuntime().halt(status);
  }

  /// Runs a command.
  ///
  /// @return the exit status, 0 to 8
  public static int run(Surroundings surroundings, String... args) {
    CommandLine commands = CommandTree.forWord(args.length == 0 ? "" : args[0]);
    try {
      ParseResult result = commands.parseArgs(args);
      ParseResult last = last(result);
      if (last.isUsageHelpRequested()) {
        last.commandSpec().commandLine().usage(surroundings.out());
        return ExitStatus.OK.code();
      }
      if (last.commandSpec().commandLine().getSubcommands().isEmpty()) {
        return run(surroundings, verb(last), typed(last));
      }
      last.commandSpec().commandLine().usage(surroundings.err());
      return ExitStatus.USAGE.code();
    } catch (ParameterException e) {
      surroundings.err().println("coppice: " + SafeText.of(String.valueOf(e.getMessage())));
      String known = e.getCommandLine().getCommandSpec().qualifiedName();
      surroundings.err().printf("coppice: %s --help describes it%n", known);
      return ExitStatus.USAGE.code();
    }
  }

  private static int run(Surroundings surroundings, Verb verb, Typed typed) {
    PrintStream err = surroundings.err();
    try (ClientSession session = new ClientSession(surroundings, Common.of(typed))) {
      verb.run(typed, session);
      return ExitStatus.OK.code();
    } catch (CommandFailedException e) {
      surroundings.out().flush();
      err.println("coppice: " + SafeText.of(String.valueOf(e.getMessage())));
      String details = e.details();
      if (details != null && typed.values().containsKey("--verbose")) {
        err.println("coppice: " + SafeText.of(details));
      }
      return e.status().code();
    } catch (JacksonException e) {
      surroundings.out().flush();
      err.println(
          "coppice: expected an answer of the API, got another: " + SafeText.of(e.toString()));
      return ExitStatus.SERVER_ERROR.code();
    }
  }

  private static ParseResult last(ParseResult result) {
    ParseResult last = result;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    return last;
  }

  private static Verb verb(ParseResult last) {
    return (Verb) last.commandSpec().userObject();
  }

  private static Typed typed(ParseResult last) {
    Map<String, List<String>> values = new HashMap<>();
    for (OptionSpec option : last.matchedOptions()) {
      values.put(option.longestName(), texts(option));
    }
    last.matchedPositionals().forEach(one -> values.put(one.paramLabel(), texts(one)));
    return new Typed(values);
  }

  /// The values as they were typed.
  private static List<String> texts(ArgSpec argument) {
    return new ArrayList<>(argument.stringValues());
  }
}
