package io.coppice.cli.verb;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.FieldSheet;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.output.SafeText;
import io.coppice.cli.output.Surroundings;
import io.coppice.cli.output.TextTable;
import io.coppice.cli.profile.Provider;
import io.coppice.cli.rest.CurlLine;
import io.coppice.cli.rest.PagedList;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.rest.RestConnection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One run of a verb: the provider, which is found and connected to when it is first needed, and
/// the output. For one thread.
public final class ClientSession implements AutoCloseable {

  private final Surroundings surroundings;
  private final Common common;
  private @Nullable Provider provider;
  private @Nullable RestConnection connection;

  public ClientSession(Surroundings surroundings, Common common) {
    this.surroundings = surroundings;
    this.common = common;
  }

  public Surroundings surroundings() {
    return surroundings;
  }

  public Common common() {
    return common;
  }

  public Provider provider() {
    Provider found = provider;
    if (found == null) {
      found = common.choice().resolve(surroundings);
      provider = found;
    }
    return found;
  }

  public RestConnection connection() {
    RestConnection open = connection;
    if (open == null) {
      open = new RestConnection(provider());
      connection = open;
    }
    return open;
  }

  /// Closes the connection, if there is one.
  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
  }

  /// Sends a call, or prints it if this is a dry run.
  ///
  /// @return the answer; empty in a dry run
  /// @throws CommandFailedException if the answer is no success
  public Optional<JsonNode> change(RestCall call) {
    if (common.dryRun()) {
      surroundings.out().println(CurlLine.of(provider(), call));
      return Optional.empty();
    }
    return Optional.of(connection().send(call));
  }

  /// Prints the tag of an object alone, or the call if this is a dry run.
  ///
  /// @throws CommandFailedException if the answer is no success, or has no tag
  void printTag(RestCall call) {
    if (common.dryRun()) {
      change(call);
      return;
    }
    String tag = connection().read(call).tag();
    if (tag == null) {
      throw new CommandFailedException(
          ExitStatus.SERVER_ERROR,
          "expected a tag from %s, got none: it may be of an earlier version"
              .formatted(provider().url()));
    }
    surroundings.out().println(SafeText.of(tag));
  }

  /// All parts of a list, up to the limit of the command line.
  ///
  /// @return the list; empty in a dry run
  /// @param otherwise the limit if none was typed; null for none
  public Optional<PagedList> list(RestCall call, @Nullable Integer otherwise) {
    Integer limit = common.limit() == null ? otherwise : common.limit();
    if (common.dryRun()) {
      surroundings
          .out()
          .println(
              CurlLine.of(
                  provider(), limit == null ? call : call.with("limit", Math.min(limit, 1000))));
      return Optional.empty();
    }
    return Optional.of(PagedList.read(connection(), call, limit));
  }

  /// Prints a list.
  public <T> void print(View<T> view, PagedList list) {
    List<T> rows =
        common.format() == OutputFormat.JSON || common.format() == OutputFormat.YAML
            ? List.of()
            : list.items().stream().map(one -> Notation.as(one, view.type())).toList();
    print(view, rows, list.asJson());
    boolean table = common.format() == OutputFormat.TABLE || common.format() == OutputFormat.WIDE;
    if (table && list.next() != null) {
      say("there are more: raise --limit %d".formatted(rows.size()));
    }
  }

  /// Prints an answer that has all items of a list at once.
  public <T> void printItems(View<T> view, JsonNode answer) {
    List<T> rows =
        answer.path("items").valueStream().map(one -> Notation.as(one, view.type())).toList();
    print(view, rows, answer);
  }

  /// Prints one object as a row.
  public <T> void printRow(View<T> view, JsonNode answer) {
    print(view, List.of(Notation.as(answer, view.type())), answer);
  }

  /// Prints one object with all its fields.
  public <T> void printSheet(View<T> view, JsonNode answer) {
    if (common.format() == OutputFormat.TABLE || common.format() == OutputFormat.WIDE) {
      surroundings.out().print(FieldSheet.of(answer));
    } else {
      printRow(view, answer);
    }
  }

  /// Prints an object that is a document of its own, and has no id.
  public void printSheet(JsonNode answer) {
    switch (common.format()) {
      case JSON -> surroundings.out().print(Notation.json(answer));
      case YAML -> surroundings.out().print(Notation.yaml(answer));
      case TABLE, WIDE, NAME -> surroundings.out().print(FieldSheet.of(answer));
    }
  }

  /// Prints what was done, for a person.
  public void printDone(String sentence) {
    if (common.format() == OutputFormat.TABLE || common.format() == OutputFormat.WIDE) {
      surroundings.out().println(SafeText.of(sentence));
    }
  }

  /// Writes a note beside the output.
  public void say(String note) {
    surroundings.err().println("coppice: " + SafeText.of(note));
  }

  /// Writes the warnings of an answer as notes, if it has any.
  void sayWarnings(JsonNode answer) {
    answer
        .path("warnings")
        .valueStream()
        .forEach(one -> say("note: " + one.path("sentence").asString()));
  }

  private <T> void print(View<T> view, List<T> rows, JsonNode json) {
    switch (common.format()) {
      case JSON -> surroundings.out().print(Notation.json(json));
      case YAML -> surroundings.out().print(Notation.yaml(json));
      case NAME ->
          rows.forEach(
              row ->
                  surroundings.out().println(SafeText.of(String.valueOf(view.key().apply(row)))));
      case TABLE -> surroundings.out().print(TextTable.of(view.columns(), rows, false));
      case WIDE -> surroundings.out().print(TextTable.of(view.columns(), rows, true));
    }
  }
}
