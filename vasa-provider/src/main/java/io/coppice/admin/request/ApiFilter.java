package io.coppice.admin.request;

import io.coppice.admin.Readiness;
import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.OpenOperation;
import io.coppice.admin.access.ShownOnce;
import io.coppice.admin.field.PlainText;
import io.coppice.admin.login.Callers;
import io.coppice.admin.problem.ProblemCode;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.problem.TraceId;
import io.coppice.admin.request.Idempotency.Answer;
import io.coppice.admin.request.Idempotency.Key;
import io.coppice.api.Problem;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.session.LogThrottle;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.HandlerTypePredicate;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ContentCachingResponseWrapper;
import tools.jackson.databind.json.JsonMapper;

/// The filter of every request of REST. It gives the request a trace id, demands a token or a
/// session, limits the length, and makes sure that a request repeated under one key takes effect
/// once.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
public final class ApiFilter extends OncePerRequestFilter {

  /// Every path of REST begins with it.
  public static final String ROOT = "/api/v1";

  /// The rooms that stand beside the API.
  private static final Set<String> BESIDE =
      Set.of(
          Readiness.class.getPackageName() + ".health",
          Readiness.class.getPackageName() + ".metrics",
          Readiness.class.getPackageName() + ".openid",
          Readiness.class.getPackageName() + ".ui");

  /// The controllers of all rooms of `admin` that belong to the API.
  public static final Predicate<Class<?>> CONTROLLERS =
      HandlerTypePredicate.forBasePackageClass(Readiness.class)
          .and(type -> !BESIDE.contains(type.getPackageName()));

  private static final Logger log = LoggerFactory.getLogger(ApiFilter.class);
  private static final String KEY_HEADER = "Idempotency-Key";

  /// The time for reading a body after which its sender's rights are looked up again.
  private static final Duration SLOW_BODY = Duration.ofMillis(200);

  private final Callers callers;
  private final List<OpenOperation> open;
  private final Idempotency idempotency;
  private final Readiness readiness;
  private final ProblemTranslation problems;
  private final RequestAudit audit;
  private final JsonMapper json;
  private final LogThrottle floods;

  ApiFilter(
      Callers callers,
      List<OpenOperation> open,
      Idempotency idempotency,
      Readiness readiness,
      ProblemTranslation problems,
      RequestAudit audit,
      JsonMapper json,
      InstantSource clock) {
    this.callers = callers;
    this.open = List.copyOf(open);
    this.idempotency = idempotency;
    this.readiness = readiness;
    this.problems = problems;
    this.audit = audit;
    this.json = json;
    this.floods = new LogThrottle(Duration.ofMinutes(1), clock);
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    String path = request.getServletPath(); // decoded and normalized: what the dispatcher matches
    return !path.equals(ROOT) && !path.startsWith(ROOT + "/");
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException {
    audit.around(request, response, held -> answer(request, held, chain));
  }

  private void answer(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException {
    response.setHeader("X-Trace-Id", TraceId.of(request));
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    try {
      if (open.stream().anyMatch(one -> one.isOf(request))) {
        serveStranger(request, response, chain);
      } else {
        serveCaller(request, response, chain);
      }
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      write(problems.answer(e, request), response);
    }
    note(request, response);
  }

  private void serveCaller(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws Exception {
    boolean readsWithoutDatabase = RoleCheck.reads(request) && RoleCheck.needsNoDatabase(request);
    AdminCaller first = callers.require(request, response, readsWithoutDatabase);
    first.attachTo(request);
    long began = System.nanoTime();
    BufferedRequest whole = BufferedRequest.of(request);
    boolean slow = System.nanoTime() - began > SLOW_BODY.toNanos();
    AdminCaller caller = slow ? callers.require(request, response, readsWithoutDatabase) : first;
    caller.attachTo(request);
    checkQuery(whole);
    Actor.rest(caller.name(), TraceId.of(request))
        .<Boolean, Exception>call(
            () ->
                caller.call(
                    () -> {
                      serve(caller, whole, response, chain);
                      return true;
                    }));
  }

  /// Serves an operation by which one logs in. There is no account yet whose keys would be kept.
  private static void serveStranger(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws Exception {
    if (request.getHeader(KEY_HEADER) != null) {
      throw RequestRejectedException.field(
          KEY_HEADER, "expected no %s with a login, got one".formatted(KEY_HEADER));
    }
    BufferedRequest whole = BufferedRequest.of(request);
    checkQuery(whole);
    RoleCheck.open(request);
    chain.doFilter(whole, response);
  }

  /// Runs after the body is in memory: the server might take the body for parameters.
  private static void checkQuery(BufferedRequest request) {
    try {
      for (String[] values : request.getParameterMap().values()) {
        if (!Stream.of(values).allMatch(PlainText::isPlain)) {
          throw unreadableQuery();
        }
      }
    } catch (IllegalStateException e) {
      throw unreadableQuery();
    }
  }

  private static RequestRejectedException unreadableQuery() {
    return RequestRejectedException.field(
        "query", "expected a query of name=value with %XX for UTF-8, got one that cannot be read");
  }

  private void serve(
      AdminCaller caller, BufferedRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String key = request.getHeader(KEY_HEADER);
    if (key == null || !request.getMethod().equals("POST")) {
      chain.doFilter(request, response);
      return;
    }
    readiness.requireReady(); // the key is kept in the database
    Key once = new Key(caller.id(), key);
    Optional<Answer> first = idempotency.begin(once, request.fingerprint());
    if (first.isPresent()) {
      repeat(first.get(), response);
      return;
    }
    var answered = new ContentCachingResponseWrapper(response);
    chain.doFilter(request, answered); // throws: the row stays, as after a crash
    settle(once, answered, isShownOnce(request));
    answered.copyBodyToResponse();
  }

  /// Settles the row of a request. By now the change has happened or not, so a database that went
  /// away must not change the answer. After an error of the server the outcome is not known here,
  /// so the row stays incomplete.
  private void settle(Key key, ContentCachingResponseWrapper answered, boolean secret) {
    HttpStatus status = HttpStatus.valueOf(answered.getStatus());
    try {
      if (status.is2xxSuccessful()) {
        idempotency.succeeded(key, answer(answered, secret));
      } else if (changedNothing(status, answered)) {
        idempotency.failed(key);
      }
    } catch (DataAccessException e) {
      log.atWarn().addKeyValue("key", key.text()).setCause(e).log("answer not kept");
    }
  }

  /// Whether the answer proves that nothing changed: 504 means that the operation was withdrawn in
  /// time; 503 with a time to repeat it, that the operation was not begun.
  private static boolean changedNothing(HttpStatus status, HttpServletResponse answered) {
    return status.is4xxClientError()
        || status == HttpStatus.SERVICE_UNAVAILABLE
            && answered.containsHeader(HttpHeaders.RETRY_AFTER)
        || status == HttpStatus.INSUFFICIENT_STORAGE
        || status == HttpStatus.GATEWAY_TIMEOUT;
  }

  private static boolean isShownOnce(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE)
            instanceof HandlerMethod method
        && method.hasMethodAnnotation(ShownOnce.class);
  }

  private static Answer answer(ContentCachingResponseWrapper answered, boolean secret) {
    return new Answer(
        answered.getStatus(),
        answered.getHeader(HttpHeaders.LOCATION),
        answered.getHeader(HttpHeaders.ETAG),
        answered.getContentType(),
        secret ? null : answered.getContentAsByteArray());
  }

  private static void repeat(Answer first, HttpServletResponse response) throws IOException {
    response.setStatus(first.status());
    setIfPresent(response, HttpHeaders.LOCATION, first.location());
    setIfPresent(response, HttpHeaders.ETAG, first.tag());
    setIfPresent(response, HttpHeaders.CONTENT_TYPE, first.contentType());
    response.setHeader("Idempotency-Replayed", "true");
    byte[] body = Objects.requireNonNullElse(first.body(), new byte[0]);
    response.getOutputStream().write(body);
  }

  private static void setIfPresent(
      HttpServletResponse response, String header, @Nullable String value) {
    if (value != null) {
      response.setHeader(header, value);
    }
  }

  private void write(ResponseEntity<Problem> problem, HttpServletResponse response)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    response.resetBuffer();
    response.setStatus(problem.getStatusCode().value());
    problem
        .getHeaders()
        .forEach((name, values) -> values.forEach(value -> response.setHeader(name, value)));
    response.getOutputStream().write(json.writeValueAsBytes(problem.getBody()));
  }

  /// Logs one line for each change and each refusal, of those with 429 one a minute: who, what, and
  /// how it ended. The path appears as it was sent, because a decoded one may hold line feeds.
  private void note(HttpServletRequest request, HttpServletResponse response) {
    boolean asks =
        request.getMethod().equals("GET")
            || RoleCheck.changesNothing(RequestAudit.handler(request));
    boolean read = asks && response.getStatus() < 400;
    boolean unlooked = response.getStatus() == HttpStatus.TOO_MANY_REQUESTS.value();
    if (read || unlooked && floods.count(request.getRemoteAddr()) == 0) {
      return;
    }
    log.atInfo()
        .addKeyValue("traceId", TraceId.of(request))
        .addKeyValue("by", AdminCaller.of(request).map(AdminCaller::name).orElse("nobody"))
        .addKeyValue("status", response.getStatus())
        .addKeyValue("code", ProblemCode.of(request))
        .log("{} {}", request.getMethod(), request.getRequestURI());
  }
}
