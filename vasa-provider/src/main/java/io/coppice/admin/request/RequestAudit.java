package io.coppice.admin.request;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.problem.ProblemCode;
import io.coppice.admin.problem.TraceId;
import io.coppice.vasa.audit.AuditLog;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.Author;
import io.coppice.vasa.audit.ChangeNotes;
import io.coppice.vasa.audit.Channel;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.Outcome;
import io.coppice.vasa.session.LogThrottle;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ContentCachingResponseWrapper;
import tools.jackson.databind.json.JsonMapper;

/// The frame around each request that may change something: what became of it stands in the audit
/// trail before its answer goes out. A preview is none of them, though it is no GET. A GET with the
/// mark of an audited read is recorded once its answer has gone out or was refused: that may be too
/// long to be held back.
///
/// Of the request only this is recorded: the operation, the parts of its path that have the form of
/// an id, known parameters, and the fields that [AuditedBody] names. Callers without a valid token
/// are recorded once a minute for each address, with a count.
@Component
final class RequestAudit {

  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private static final Set<String> PARAMETERS = Set.of("force", "wait");

  private static final String NO_OPERATION = "(no operation)";

  /// Ids as they are given here: UUIDs, numbers, names of initiators, and types of policies.
  private static final Pattern ID =
      Pattern.compile(
          "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
              + "|\\d{1,19}|(iqn|eui|naa)\\.[\\x21-\\x7e]{1,223}");

  /// Parts of paths that clients name themselves, by the beginnings of their operations.
  private static final Pattern NAMED = Pattern.compile("/(vms|hosts|jobs)/\\{id}.*");

  private static final String TYPE = "type";
  private static final Pattern LETTERS = Pattern.compile("[A-Za-z]{1,16}");

  private final AuditLog entries;
  private final InstantSource clock;
  private final AuditedBody bodies;
  private final LogThrottle strangers;

  RequestAudit(AuditLog entries, InstantSource clock, JsonMapper json) {
    this.entries = entries;
    this.clock = clock;
    this.bodies = new AuditedBody(json);
    this.strangers = new LogThrottle(Duration.ofMinutes(1), clock);
  }

  /// The answering of a request.
  @FunctionalInterface
  interface Answering {
    void to(HttpServletResponse response) throws IOException;
  }

  /// Answers a request. The answer of one that may change something is held back until its record
  /// is stable.
  void around(HttpServletRequest request, HttpServletResponse response, Answering answering)
      throws IOException {
    if (READING.contains(request.getMethod())) {
      read(request, response, answering);
      return;
    }
    var held = new ContentCachingResponseWrapper(response);
    ChangeNotes notes = new ChangeNotes();
    boolean answered = false;
    try {
      notes.<Boolean, IOException>call(
          () -> {
            answering.to(held);
            return true;
          });
      answered = true;
    } finally {
      if (!RoleCheck.changesNothing(handler(request))) {
        write(request, answered ? held : null, notes);
      }
    }
    held.copyBodyToResponse();
  }

  private void read(HttpServletRequest request, HttpServletResponse response, Answering answering)
      throws IOException {
    boolean answered = false;
    try {
      answering.to(response);
      answered = true;
    } finally {
      if (RoleCheck.isAuditedRead(handler(request))) {
        write(request, answered ? response : null, new ChangeNotes());
      }
    }
  }

  /// The method that serves a request; null if none was found, or it was refused before.
  static @Nullable Object handler(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE);
  }

  /// @param answer null if there is none
  private void write(
      HttpServletRequest request, @Nullable HttpServletResponse answer, ChangeNotes notes) {
    List<Detail> details = new ArrayList<>();
    if (answer != null && isOfStranger(request, answer.getStatus())) {
      long times = strangers.count(request.getRemoteAddr());
      if (times == 0) {
        return;
      }
      details.add(Detail.asked("times", Long.toString(times)));
    }
    AdminCaller.of(request)
        .map(AdminCaller::session)
        .ifPresent(session -> details.add(Detail.asked("loginSource", session.source())));
    details.addAll(asked(request));
    details.addAll(notes.details());
    String code = ProblemCode.of(request);
    String made = answer == null ? null : idIn(answer.getHeader(HttpHeaders.LOCATION));
    if (made != null) {
      details.add(Detail.after("id", made));
    }
    if (answer != null && answer.containsHeader("Idempotency-Replayed")) {
      details.add(Detail.after("replayed", "true"));
    }
    String object = object(request);
    entries.append(
        new AuditRecord(
            notes.recordId(),
            clock.instant(),
            Channel.REST,
            author(request),
            action(request),
            object == null ? made : object,
            TraceId.of(request),
            outcome(answer, notes),
            code.equals("-") ? null : code,
            details));
  }

  /// A job that ended within its call is done, whatever the answer says of waiting for it.
  private static Outcome outcome(@Nullable HttpServletResponse answer, ChangeNotes notes) {
    if (answer == null) {
      return Outcome.FAILED;
    }
    Outcome outcome = Outcome.ofStatus(answer.getStatus());
    return outcome == Outcome.ACCEPTED && notes.hasEndedJob() ? Outcome.DONE : outcome;
  }

  /// Whether somebody who proved nothing was refused.
  private static boolean isOfStranger(HttpServletRequest request, int status) {
    return status == HttpStatus.UNAUTHORIZED.value()
        || status == HttpStatus.TOO_MANY_REQUESTS.value()
        || status == HttpStatus.FORBIDDEN.value() && AdminCaller.of(request).isEmpty();
  }

  private static Author author(HttpServletRequest request) {
    return AdminCaller.of(request)
        .map(
            caller ->
                new Author(caller.name(), caller.id().toString(), null, request.getRemoteAddr()))
        .orElseGet(() -> new Author("nobody", null, null, request.getRemoteAddr()));
  }

  /// The operation as its description names it.
  private static String action(HttpServletRequest request) {
    String pattern = pattern(request);
    return request.getMethod() + " " + (pattern.isEmpty() ? NO_OPERATION : pattern);
  }

  private static String pattern(HttpServletRequest request) {
    Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    String text = pattern == null ? "" : pattern.toString();
    return text.startsWith(ApiFilter.ROOT) ? text.substring(ApiFilter.ROOT.length()) : "";
  }

  private static @Nullable String object(HttpServletRequest request) {
    String pattern = pattern(request);
    Map<String, String> parts = new TreeMap<>();
    if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
        instanceof Map<?, ?> variables) {
      variables.forEach((name, value) -> parts.put(name.toString(), value.toString()));
    }
    if (parts.isEmpty()) {
      return null;
    }
    // in the order of the path
    return Arrays.stream(pattern.split("/"))
        .filter(part -> part.startsWith("{"))
        .map(part -> part.substring(1, part.length() - 1))
        .filter(parts::containsKey)
        .map(name -> shown(pattern, name, parts.getOrDefault(name, "")))
        .collect(Collectors.joining(" "));
  }

  private static String shown(String pattern, String name, String value) {
    boolean plain =
        ID.matcher(value).matches()
            || NAMED.matcher(pattern).matches()
            || name.equals(TYPE) && LETTERS.matcher(value).matches();
    return plain ? value : "(no id)";
  }

  private static @Nullable String idIn(@Nullable String location) {
    return location == null ? null : location.substring(location.lastIndexOf('/') + 1);
  }

  private List<Detail> asked(HttpServletRequest request) {
    List<Detail> details = new ArrayList<>();
    byte[] body = BufferedRequest.bodyOf(request);
    if (body != null) {
      details.addAll(bodies.details(body));
      for (String name : new TreeSet<>(PARAMETERS)) {
        String value = request.getParameter(name);
        if (value != null && value.matches("[0-9a-zA-Z]{1,16}")) {
          details.add(Detail.asked(name, value));
        }
      }
    }
    return details;
  }
}
