package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.Surroundings;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.Verb;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Rules for every noun and verb.
class EveryVerbTest {

  private static final String ID = "11111111-2222-4333-8444-555555555555";

  /// Verbs that talk to no server, or need its answers even for a dry run.
  private static final Set<String> WITHOUT_A_CALL =
      Set.of(
          "profile list",
          "profile use",
          "profile delete",
          "policy apply",
          "protection-policy apply",
          "protection-policy change");

  /// What verbs need that demand one of several options.
  private static final Map<String, List<String>> ALSO_NEEDED =
      Map.of(
          "volume create", List.of("--source", ID),
          "protection-group create", List.of("--vm", ID),
          "replication-group create", List.of("--vm", ID),
          "protection-policy create", List.of("--continuous", "5s for 1h"),
          "vm revert", List.of("--snapshot", ID),
          "snapshot lock", List.of("--for", "7d"),
          "recovery-point lock", List.of("--for", "7d"),
          "account create", List.of("--password-file", "a-file"),
          "account set-password", List.of("--password-file", "a-file"));

  @TempDir private Path folder;

  private record Said(int status, String out, String err) {}

  /// Ids in the place of names, so that nothing has to be asked: a line that a shell can run comes
  /// out, with the operation that the verb says it calls.
  @TestFactory
  Stream<DynamicTest> aDryRunMakesTheCallThatTheVerbNames() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Noun noun : CommandTree.nouns()) {
      for (Verb verb : noun.verbs()) {
        String name = noun.name() + " " + verb.name();
        if (!WITHOUT_A_CALL.contains(name)) {
          tests.add(DynamicTest.dynamicTest(name, () -> checkCall(noun, verb)));
        }
      }
    }
    assertThat(tests).hasSizeGreaterThan(60);
    return tests.stream();
  }

  private void checkCall(Noun noun, Verb verb) throws IOException {
    Files.writeString(folder.resolve("a-file"), "a-secret-of-16-chars");
    Files.writeString(
        folder.resolve("a-draft"),
        noun.name().equals("policy") ? "name: gold" : "{name: gold, continuous: 5s for 1h}");
    List<String> line = new ArrayList<>(List.of(noun.name(), verb.name(), "--dry-run"));
    line.addAll(List.of("--url", "https://a", "--token-file", "token", "--ca", "root"));
    for (Flag flag : verb.flags()) {
      if (flag.required()) {
        line.addAll(List.of(flag.name(), valueFor(flag)));
      }
    }
    line.addAll(ALSO_NEEDED.getOrDefault(noun.name() + " " + verb.name(), List.of()));
    for (Argument argument : verb.arguments()) {
      line.add(argument.label().equals("SIZE") ? "10GiB" : ID);
    }

    Said said = run(line.toArray(String[]::new));

    assertThat(said.status()).as(said.err()).isZero();
    String operation = verb.calls().getFirst();
    String[] parts = operation.split(" ", 2);
    assertThat(said.out())
        .startsWith("curl ")
        .contains("-X " + parts[0] + " ")
        .containsPattern(
            "https://a:9443/api/v1" + parts[1].replaceAll("\\{[a-z]+}", ID) + "['?\n]");
  }

  private static String valueFor(Flag flag) {
    if (flag.name().endsWith("-file")) {
      return flag.name().equals("--file") ? "a-draft" : "a-file";
    }
    return switch (String.valueOf(flag.label())) {
      case "SIZE" -> "10GiB";
      case "TIME" -> "15m";
      case "MOMENT" -> "14:32:05";
      case "RULE" -> "daily 02:00 UTC keep 7";
      default -> ID;
    };
  }

  @Test
  void aTagIsSentAsTheConditionOfAChange() {
    for (String tag : List.of("0a", "\"0a\"")) {
      Said said =
          run(
              "container",
              "change",
              ID,
              "--quota",
              "1GiB",
              "--if-match",
              tag,
              "--dry-run",
              "--url",
              "https://a",
              "--token-file",
              "token",
              "--ca",
              "root");

      assertThat(said.status()).as(said.err()).isZero();
      assertThat(said.out()).contains("-H 'If-Match: \"0a\"'");
    }
    assertThat(ExitStatus.of(412, "changed-meanwhile")).isEqualTo(ExitStatus.BUSY);
  }

  @Test
  void everyCommandDescribesItself() {
    for (Noun noun : CommandTree.nouns()) {
      for (Verb verb : noun.verbs()) {
        Said said = run(noun.name(), verb.name(), "--help");

        assertThat(said.status()).isZero();
        assertThat(said.out())
            .startsWith("Usage: coppice %s %s".formatted(noun.name(), verb.name()))
            .contains("--output", "--dry-run");
      }
    }
    assertThat(run("--help").out()).contains("Exit statuses:", "  8  the object is in use");
  }

  @Test
  void theDocumentListsTheExitStatuses() throws IOException {
    String document = Files.readString(root().resolve("docs/cli.md"));

    for (ExitStatus status : ExitStatus.values()) {
      assertThat(document).contains("| %d | %s |".formatted(status.code(), status.meaning()));
    }
  }

  @Test
  void theLauncherKnowsEveryNounAndCommand() throws IOException {
    Set<String> known = new TreeSet<>();
    CommandTree.nouns().forEach(noun -> known.add(noun.name()));
    CommandTree.commands().forEach(verb -> known.add(verb.name()));
    String launcher = Files.readString(root().resolve("coppice"));
    String list = launcher.split("client_commands=\\(", 2)[1].split("\\)", 2)[0];

    assertThat(list.strip().split("\\s+")).containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void bashCompletesNounsVerbsAndOptions() throws Exception {
    for (String shell : List.of("bash", "zsh")) {
      assertThat(run("completion", shell).status()).isZero();
    }
    assertThat(run("completion", "zsh").out()).startsWith("autoload -U +X bashcompinit");
    Path script = Files.writeString(folder.resolve("completion"), run("completion", "bash").out());

    assertThat(completed(script, "coppice", "conta")).contains("container");
    assertThat(completed(script, "coppice", "volume", "sn")).contains("snapshot", "snapshots");
    assertThat(completed(script, "coppice", "volume", "create", "--si")).contains("--size");
  }

  private static List<String> completed(Path script, String... words) throws Exception {
    String lines =
        "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_coppice; printf '%%s\\n' \"${COMPREPLY[@]}\""
            .formatted(script, String.join(" ", words), words.length - 1);
    Process bash = new ProcessBuilder("bash", "-c", lines).redirectErrorStream(true).start();
    String text = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return text.lines().map(String::strip).toList();
  }

  private Said run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        Coppice.run(
            new Surroundings(
                Map.of("XDG_CONFIG_HOME", folder.toString()),
                folder,
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false),
            args);
    return new Said(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static Path root() {
    return Files.exists(Path.of("coppice")) ? Path.of("") : Path.of("..");
  }
}
