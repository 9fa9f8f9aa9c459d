package io.coppice.admin.description;

import static io.coppice.admin.description.DescribedTypes.node;

import io.coppice.api.Problem;
import io.coppice.api.Role;
import io.coppice.api.job.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/// The answers of an operation: its successes, and every refusal with the codes that it may have.
/// What follows from the form of an operation is derived; the words add what is peculiar to it.
final class DescribedAnswers {

  private static final String PROBLEM = "application/problem+json";

  private final DescriptionWords words;
  private final DescribedTypes types;

  DescribedAnswers(DescriptionWords words, DescribedTypes types) {
    this.words = words;
    this.types = types;
  }

  /// The answers by status, in its order.
  Map<String, Object> of(ServedOperation operation) {
    Map<String, Object> answers = new TreeMap<>();
    if (!operation.isOfApi()) {
      answers.put("200", success(operation, HttpStatus.OK, "What was asked holds."));
      answers.put(
          "503",
          success(operation, HttpStatus.SERVICE_UNAVAILABLE, "What was asked does not hold."));
      return answers;
    }
    addSuccesses(answers, operation);
    refusals(operation)
        .forEach((status, codes) -> answers.put(status.toString(), refusal(status, codes)));
    return answers;
  }

  private void addSuccesses(Map<String, Object> answers, ServedOperation operation) {
    if (operation.answer() == Job.class && operation.isPost()) {
      answers.put(
          "200", success(operation, HttpStatus.OK, "The job has ended; it was waited for."));
      answers.put("202", success(operation, HttpStatus.ACCEPTED, "The job was begun."));
      return;
    }
    HttpStatus status = operation.success();
    String meaning =
        switch (status) {
          case CREATED -> "It was made.";
          case ACCEPTED -> "It was begun.";
          case NO_CONTENT -> "It was done; there is nothing to answer.";
          default ->
              operation.reads() || operation.isPreview()
                  ? "What was asked for."
                  : "The state after the change.";
        };
    answers.put(Integer.toString(status.value()), success(operation, status, meaning));
    if (operation.answersTag() && operation.reads()) {
      answers.put(
          "304",
          node(
              "description",
              "What may be changed is as in the edition that the client named.",
              "headers",
              node("X-Trace-Id", header("TraceId"), "ETag", header("ETag"))));
    }
  }

  private Map<String, Object> success(
      ServedOperation operation, HttpStatus status, String meaning) {
    Map<String, Object> answer = node("description", meaning);
    Map<String, Object> headers = node();
    if (operation.isOfApi()) {
      headers.put("X-Trace-Id", header("TraceId"));
    }
    if (operation.needsLogin() && operation.isPost()) {
      headers.put("Idempotency-Replayed", header("IdempotencyReplayed"));
      if (status == HttpStatus.CREATED
          || status == HttpStatus.ACCEPTED && operation.answer() == Job.class) {
        headers.put("Location", header("Location"));
      }
    }
    if (operation.answersTag()) {
      headers.put("ETag", header("ETag"));
    }
    if (!headers.isEmpty()) {
      answer.put("headers", headers);
    }
    if (!operation.streamed().isEmpty()) {
      answer.put("content", stream(operation.streamed()));
    } else if (operation.file().isPresent()) {
      answer.put("content", file(operation.file().get()));
    } else if (operation.answer() != void.class) {
      answer.put(
          "content", node("application/json", node("schema", types.answer(operation.answer()))));
    }
    return answer;
  }

  private static Map<String, Object> file(String type) {
    return node(type, node("schema", node("type", "string", "format", "binary")));
  }

  private static boolean hasBody(ServedOperation operation) {
    return !operation.streamed().isEmpty()
        || operation.file().isPresent()
        || operation.answer() != void.class;
  }

  /// A stream is text to those who do not know server-sent events; `x-events` has the schema of the
  /// data of each type.
  private Map<String, Object> stream(List<StreamOf.Sort> sorts) {
    Map<String, Object> events = node();
    sorts.forEach(sort -> events.put(sort.name(), types.answer(sort.data())));
    return node(
        MediaType.TEXT_EVENT_STREAM_VALUE,
        node("schema", node("type", "string"), "x-events", events));
  }

  private static Map<String, Object> header(String name) {
    return node("$ref", "#/components/headers/" + name);
  }

  /// The codes of refusals by status.
  private Map<Integer, Set<String>> refusals(ServedOperation operation) {
    Map<Integer, Set<String>> codes = new TreeMap<>();
    add(codes, 400, "invalid-argument", "invalid-request", "unknown-parameter", "unfinished-body");
    add(codes, 401, "unauthorized", "session-ended");
    add(codes, 403, "foreign-origin");
    add(codes, 429, "too-many-tries");
    add(codes, 413, "too-large");
    add(codes, 500, "internal");
    add(codes, 503, "busy", "database-unavailable"); // the token may have to be looked up
    if (!operation.reads()) {
      add(codes, 403, "csrf");
    }
    if (operation.neededRole() != Role.OPERATOR || !operation.isWithinContainers()) {
      add(codes, 403, "forbidden");
    }
    if (operation.hasPathVariables()) {
      add(codes, 404, "not-found", "no-such-path");
    }
    if (hasBody(operation)) {
      add(codes, 406, "not-acceptable");
    }
    if (operation.body().isPresent()) {
      add(codes, 400, "malformed-json", "unknown-field");
      add(codes, 415, "unsupported-media-type");
    }
    if (operation.takesIfMatch()) {
      add(codes, 412, "changed-meanwhile");
    }
    if (operation.isPost() && operation.needsLogin()) {
      add(codes, 409, "first-request-unfinished");
      add(codes, 422, "idempotency-key-reused");
    }
    if (words.operation(operation.key()).get("errors") instanceof Map<?, ?> own) {
      own.forEach((status, more) -> add(codes, (Integer) status, strings(more)));
    }
    return codes;
  }

  private static void add(Map<Integer, Set<String>> codes, int status, String... more) {
    codes.computeIfAbsent(status, _ -> new TreeSet<>()).addAll(List.of(more));
  }

  private static String[] strings(Object list) {
    return ((List<?>) list).stream().map(String::valueOf).toArray(String[]::new);
  }

  private Map<String, Object> refusal(int status, Set<String> codes) {
    String meaning =
        codes.stream()
            .map(code -> "`%s`: %s".formatted(code, words.code(code)))
            .collect(Collectors.joining("; ", "", "."));
    Map<String, Object> headers = node("X-Trace-Id", header("TraceId"));
    if (status == HttpStatus.SERVICE_UNAVAILABLE.value()
        || status == HttpStatus.TOO_MANY_REQUESTS.value()) {
      headers.put("Retry-After", header("RetryAfter"));
    }
    if (status == HttpStatus.UNAUTHORIZED.value()) {
      headers.put("WWW-Authenticate", header("Authenticate"));
    }
    return node(
        "description",
        meaning,
        "headers",
        headers,
        "content",
        node(PROBLEM, node("schema", types.answer(Problem.class))),
        "x-problem-codes",
        new ArrayList<>(codes));
  }
}
