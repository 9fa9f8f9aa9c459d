package io.coppice.cli;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Verb;
import java.util.List;
import picocli.AutoComplete;

/// `completion`: a script that makes a shell complete nouns, verbs and options.
final class CompletionScript {

  private static final String ZSH = "autoload -U +X bashcompinit && bashcompinit\n";

  private CompletionScript() {}

  static Verb verb() {
    return new Verb(
        "completion",
        "prints a script for bash or zsh: source <(coppice completion bash)",
        List.of(Argument.text("SHELL", "bash or zsh")),
        List.of(),
        List.of(),
        CompletionScript::run);
  }

  private static void run(Inputs inputs, ClientSession session) {
    String shell = inputs.need("SHELL");
    if (!shell.equals("bash") && !shell.equals("zsh")) {
      throw CommandFailedException.usage("expected bash or zsh, got '%s'", shell);
    }
    String script = AutoComplete.bash("coppice", CommandTree.whole());
    session.surroundings().out().print(shell.equals("zsh") ? ZSH + script : script);
  }
}
