package io.coppice.cli.verb;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.Notation;
import io.coppice.cli.rest.RestCall;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The description of a verb that makes one call: each step adds something and ends with what the
/// answer is.
public final class RestVerb {

  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");
  private static final String YES = "--yes";

  private final String name;
  private final String method;
  private final String path;
  private final String help;
  private final List<Argument> arguments = new ArrayList<>();
  private final List<Flag> flags = new ArrayList<>();
  private @Nullable Function<Inputs, ? extends @Nullable Object> body;

  private boolean whole;
  private boolean tagged;
  private @Nullable String question;

  private RestVerb(String name, String method, String path, String help) {
    this.name = name;
    this.method = method;
    this.path = path;
    this.help = help;
  }

  /// @param operation method and path of the REST API, such as `GET /volumes/{id}`
  public static RestVerb of(String name, String operation, String help) {
    int space = operation.indexOf(' ');
    return new RestVerb(name, operation.substring(0, space), operation.substring(space + 1), help);
  }

  /// Adds arguments, in the order of their places.
  public RestVerb on(Argument... more) {
    arguments.addAll(List.of(more));
    return this;
  }

  public RestVerb with(Flag... more) {
    flags.addAll(List.of(more));
    return this;
  }

  /// Adds `--if-match`, for a change of an object that has a tag.
  public RestVerb guarded() {
    return with(Common.IF_MATCH);
  }

  /// Adds `--tag`, for an object that has one.
  public RestVerb tagged() {
    tagged = true;
    return with(Common.TAG);
  }

  /// Asks a person before the call, which `--yes` answers.
  ///
  /// @param asked ends with a space; the answer is `yes` or anything else
  public RestVerb asking(String asked) {
    question = asked;
    return with(Flag.on(YES, "ask nothing"));
  }

  /// Sets the body of the request.
  public RestVerb body(Function<Inputs, ? extends @Nullable Object> made) {
    body = made;
    return this;
  }

  /// Sets the body of the request, which is sent with its fields that are null.
  public RestVerb wholeBody(Function<Inputs, ?> made) {
    whole = true;
    return body(made);
  }

  /// The answer is an object, shown with all its fields.
  public <T> Verb sheet(View<T> view) {
    return verb(
        (inputs, session) ->
            session.change(call(inputs)).ifPresent(answer -> session.printSheet(view, answer)));
  }

  /// The answer is a document without an id.
  public Verb document() {
    return verb((inputs, session) -> session.change(call(inputs)).ifPresent(session::printSheet));
  }

  /// The answer is an object, shown as a row of a table.
  public <T> Verb row(View<T> view) {
    return verb(
        (inputs, session) ->
            session
                .change(call(inputs))
                .ifPresent(
                    answer -> {
                      session.printRow(view, answer);
                      session.sayWarnings(answer);
                    }));
  }

  /// The list can be sorted.
  ///
  /// @param fields as the API calls them, the usual order first
  public RestVerb sortedBy(String... fields) {
    String all = String.join(", ", fields);
    flags.add(
        Flag.filter("sort", "FIELD", all + "; --sort=-%s is the reverse".formatted(fields[0]))
            .choosing(List.of(fields)));
    return this;
  }

  /// The answer is shown in a way of its own.
  public Verb shown(BiConsumer<ClientSession, JsonNode> show) {
    return verb(
        (inputs, session) ->
            session.change(call(inputs)).ifPresent(answer -> show.accept(session, answer)));
  }

  /// The answer is a list in parts.
  public <T> Verb list(View<T> view) {
    return list(view, null);
  }

  /// The answer is a list in parts.
  ///
  /// @param otherwise the limit if none was typed; null for none
  public <T> Verb list(View<T> view, @Nullable Integer otherwise) {
    flags.addAll(Common.OF_LISTS);
    return verb(
        (inputs, session) ->
            session
                .list(filtered(call(inputs), session.common()), otherwise)
                .ifPresent(list -> session.print(view, list)));
  }

  /// The answer has all items of a list at once.
  public <T> Verb items(View<T> view) {
    return verb(
        (inputs, session) ->
            session.change(call(inputs)).ifPresent(answer -> session.printItems(view, answer)));
  }

  /// The answer is a job.
  public Verb job() {
    flags.addAll(Common.OF_JOBS);
    return verb(
        (inputs, session) ->
            session.change(call(inputs)).ifPresent(answer -> JobWait.finish(session, answer)));
  }

  /// The answer is empty.
  ///
  /// @param sentence what was done, with labels of arguments in braces, such as `{VOLUME} is
  ///   deleted`
  public Verb done(String sentence) {
    return verb(
        (inputs, session) -> {
          if (session.change(call(inputs)).isPresent()) {
            String done = sentence;
            for (Argument argument : arguments) {
              done =
                  done.replace(
                      "{" + argument.label() + "}", String.valueOf(inputs.text(argument.label())));
            }
            session.printDone(done);
          }
        });
  }

  private Verb verb(Verb.Action action) {
    List<String> calls = List.of(method + " " + path);
    Verb.Action asked = question == null ? action : asking(question, action);
    return new Verb(name, help, arguments, flags, calls, tagged ? tagOr(asked) : asked);
  }

  private static Verb.Action asking(String asked, Verb.Action action) {
    return (inputs, session) -> {
      if (!inputs.isOn(YES)
          && !session.common().dryRun()
          && !session.surroundings().ask(asked, false).equals("yes")) {
        throw CommandFailedException.usage("expected yes, or --yes; nothing is done");
      }
      action.run(inputs, session);
    };
  }

  private Verb.Action tagOr(Verb.Action action) {
    return (inputs, session) -> {
      if (inputs.isOn(Common.TAG.name())) {
        session.printTag(call(inputs));
      } else {
        action.run(inputs, session);
      }
    };
  }

  private RestCall call(Inputs inputs) {
    Matcher variables = VARIABLE.matcher(path);
    String filled =
        variables.replaceAll(
            variable ->
                Matcher.quoteReplacement(RestCall.segment(value(variable.group(1), inputs))));
    Object made = body == null ? null : body.apply(inputs);
    RestCall call = new RestCall(method, filled, List.of(), made == null ? null : written(made));
    for (Flag flag : flags) {
      if (flag.query() != null) {
        call = with(call, flag, flag.query(), inputs);
      }
    }
    return call.onlyFor(inputs.text(Common.IF_MATCH.name()));
  }

  private static RestCall with(RestCall call, Flag flag, String parameter, Inputs inputs) {
    Kind kind = flag.kind();
    if (kind != null) {
      String id = inputs.id(flag.name(), kind);
      return id == null ? call : call.with(parameter, id);
    }
    RestCall all = call;
    for (String value : inputs.texts(flag.name())) {
      all = all.with(parameter, value);
    }
    return all;
  }

  private String written(Object made) {
    return whole ? Notation.writeWhole(made) : Notation.write(made);
  }

  private String value(String variable, Inputs inputs) {
    for (Argument argument : arguments) {
      if (variable.equals(argument.variable())) {
        Kind kind = argument.kind();
        String value =
            kind == null ? inputs.need(argument.label()) : inputs.id(argument.label(), kind);
        if (value != null) {
          return value;
        }
      }
    }
    throw new IllegalStateException("no argument fills {%s} of %s".formatted(variable, path));
  }

  /// @throws CommandFailedException if a filter is not `KEY=VALUE`
  private static RestCall filtered(RestCall call, Common common) {
    RestCall all = call;
    for (String filter : common.filters()) {
      int equals = filter.indexOf('=');
      if (equals < 1) {
        throw CommandFailedException.usage("expected --filter KEY=VALUE, got '%s'", filter);
      }
      all = all.with(filter.substring(0, equals), filter.substring(equals + 1));
    }
    return all;
  }
}
