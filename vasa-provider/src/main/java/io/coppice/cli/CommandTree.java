package io.coppice.cli;

import io.coppice.cli.command.LoginCommand;
import io.coppice.cli.command.ProfileCommands;
import io.coppice.cli.command.StatusCommand;
import io.coppice.cli.command.TopCommand;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.noun.Nouns;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Common;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.Verb;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Nouns and verbs as commands of the parser. Only what a command line needs is made: a noun by
/// itself, all of them for help and completion.
final class CommandTree {

  private static final Map<String, String> SHORT =
      Map.of("--output", "-o", "--verbose", "-v", "--file", "-f", "--follow", "-f");

  private CommandTree() {}

  /// Commands that are no nouns.
  static List<Verb> commands() {
    Verb events = Nouns.events();
    return List.of(
        LoginCommand.verb(),
        ProfileCommands.logout(),
        StatusCommand.verb(),
        TopCommand.verb(),
        new Verb(
            "events",
            events.help(),
            events.arguments(),
            events.flags(),
            events.calls(),
            events.action()),
        CompletionScript.verb());
  }

  /// All nouns, `profile` included.
  static List<Noun> nouns() {
    List<Noun> all = new ArrayList<>();
    Nouns.all().forEach(all::add);
    all.add(ProfileCommands.noun());
    return all;
  }

  /// The commands that a command line with this first word needs.
  static CommandLine forWord(String first) {
    Optional<Noun> noun =
        first.equals("profile") ? Optional.of(ProfileCommands.noun()) : Nouns.find(first);
    return noun.isPresent() ? root(List.of(), List.of(noun.get())) : whole();
  }

  /// Every command.
  static CommandLine whole() {
    return root(commands(), nouns());
  }

  private static CommandLine root(List<Verb> verbs, List<Noun> nouns) {
    CommandSpec root = CommandSpec.create().name("coppice");
    root.usageMessage()
        .description("A client of the REST API of a provider.")
        .synopsisSubcommandLabel("NOUN VERB")
        .footer(footer());
    root.addOption(help());
    for (Verb verb : verbs) {
      root.addSubcommand(verb.name(), spec(verb));
    }
    for (Noun noun : nouns) {
      CommandSpec spec = CommandSpec.create().name(noun.name()).addOption(help());
      spec.usageMessage().description(noun.help()).synopsisSubcommandLabel("VERB");
      noun.verbs().forEach(verb -> spec.addSubcommand(verb.name(), spec(verb)));
      root.addSubcommand(noun.name(), spec);
    }
    return configured(new CommandLine(root));
  }

  /// What is typed is taken as it stands: no files of arguments, no variables, no quotes.
  private static CommandLine configured(CommandLine line) {
    return line.setExpandAtFiles(false)
        .setInterpolateVariables(false)
        .setTrimQuotes(false)
        .setUnmatchedOptionsArePositionalParams(false)
        .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
  }

  private static CommandSpec spec(Verb verb) {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(verb).name(verb.name()).addOption(help());
    if (verb.name().equals("create")) {
      spec.aliases("add"); // a host is added, a volume created: both words do for everything
    }
    spec.usageMessage().description(verb.help()).sortOptions(false).abbreviateSynopsis(true);
    int at = 0;
    for (Argument argument : verb.arguments()) {
      spec.addPositional(
          PositionalParamSpec.builder()
              .index(argument.many() ? at + "..*" : String.valueOf(at))
              .arity(argument.many() ? "1..*" : "1")
              .type(argument.many() ? String[].class : String.class)
              .paramLabel(argument.label())
              .required(true)
              .description(argument.help())
              .build());
      at++;
    }
    verb.flags().forEach(flag -> spec.addOption(option(flag)));
    for (Flag flag : Common.EVERYWHERE) {
      spec.addOption(option(flag));
    }
    return spec;
  }

  private static OptionSpec option(Flag flag) {
    String brief = SHORT.get(flag.name());
    OptionSpec.Builder option =
        brief == null ? OptionSpec.builder(flag.name()) : OptionSpec.builder(brief, flag.name());
    option.description(flag.help()).required(flag.required());
    String label = flag.label();
    if (label == null) {
      return option.type(boolean.class).arity("0").build();
    }
    if (!flag.choices().isEmpty()) {
      option.completionCandidates(flag.choices());
    }
    return option
        .type(flag.many() ? String[].class : String.class)
        .arity("1")
        .paramLabel(label)
        .build();
  }

  private static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .type(boolean.class)
        .description("show this help")
        .build();
  }

  private static String[] footer() {
    String statuses =
        Arrays.stream(ExitStatus.values())
            .map(one -> "  %d  %s".formatted(one.code(), one.meaning()))
            .collect(Collectors.joining("\n"));
    return new String[] {
      "",
      "coppice NOUN VERB --help describes one command. Names may be given instead of ids. Sizes: 10GiB",
      "and 10G count by 1024, 10GB by 1000. Times: 15m, 1h30m, 7d, PT15M.",
      "",
      "Exit statuses:",
      statuses
    };
  }
}
