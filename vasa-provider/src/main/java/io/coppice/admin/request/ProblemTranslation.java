package io.coppice.admin.request;

import io.coppice.admin.problem.HttpFailure;
import io.coppice.admin.problem.ProblemCode;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.problem.TraceId;
import io.coppice.api.Problem;
import io.coppice.scsi.secret.SecretsLockedException;
import io.coppice.vasa.export.NameTakenException;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.pool.StoragePool;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.TransactionException;
import org.springframework.util.ClassUtils;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.validation.BindException;
import org.springframework.validation.FieldError;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.DisconnectedClientHelper;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/// The one place where a failure becomes an answer of REST.
@RestControllerAdvice
final class ProblemTranslation {

  private static final Logger log = LoggerFactory.getLogger(ProblemTranslation.class);
  private static final String RETRY_SECONDS = "5";

  private final StoragePool pool;

  ProblemTranslation(StoragePool pool) {
    this.pool = pool;
  }

  /// @return `application/problem+json`, whatever the client accepts
  @ExceptionHandler(Exception.class)
  ResponseEntity<Problem> answer(Exception failure, HttpServletRequest request) {
    String trace = TraceId.of(request);
    Translated translated = translate(failure, request);
    HttpFailure kind = translated.kind();
    String target = translated.target() == null ? request.getServletPath() : translated.target();
    log(failure, kind, translated.detail(), trace);
    HttpHeaders headers = new HttpHeaders();
    if (failure instanceof ErrorResponse known) {
      headers.addAll(known.getHeaders());
    }
    if (kind.status() == HttpStatus.SERVICE_UNAVAILABLE && translated.repeatable()) {
      headers.set(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    }
    if (FaultTranslation.known(failure) instanceof RequestRejectedException rejected) {
      rejected
          .patience()
          .ifPresent(wait -> headers.set(HttpHeaders.RETRY_AFTER, Long.toString(wait.toSeconds())));
    }
    if (kind.status() == HttpStatus.UNAUTHORIZED) {
      headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
    Problem problem = kind.problem(translated.detail(), target, trace);
    ProblemCode.attach(request, problem);
    return new ResponseEntity<>(problem, headers, kind.status());
  }

  private static void log(Exception failure, HttpFailure kind, String detail, String trace) {
    if (kind.equals(HttpFailure.INTERNAL)) {
      log.atError().addKeyValue("traceId", trace).setCause(failure).log("request failed");
    } else if (kind.status().is5xxServerError()) {
      log.atWarn().addKeyValue("traceId", trace).log(detail);
    } else {
      log.atDebug().addKeyValue("traceId", trace).log(detail);
    }
  }

  /// @param repeatable whether a request that is refused for now has changed nothing
  private record Translated(
      HttpFailure kind, String detail, @Nullable String target, boolean repeatable) {

    Translated(HttpFailure kind, String detail, @Nullable String target) {
      this(kind, detail, target, true);
    }
  }

  private Translated translate(Exception failure, HttpServletRequest request) {
    return switch (FaultTranslation.known(failure)) {
      case RequestRejectedException e ->
          new Translated(new HttpFailure(e.status(), e.code()), message(e), e.target());
      case VasaException e -> new Translated(HttpFailure.of(e), message(e), e.argument());
      case SecretsLockedException e ->
          new Translated(new HttpFailure(HttpStatus.CONFLICT, "secrets-locked"), message(e), null);
      case NameTakenException e ->
          new Translated(new HttpFailure(HttpStatus.CONFLICT, "name-taken"), message(e), "name");
      case HttpMessageNotReadableException e -> body(e);
      case MethodArgumentTypeMismatchException e -> parameter(e.getName(), e);
      case MissingServletRequestParameterException e -> missing(e.getParameterName());
      case BindException e -> parameters(e);
      case NoResourceFoundException e -> noSuchPath(e);
      case DataAccessResourceFailureException _,
          TransientDataAccessException _,
          RecoverableDataAccessException _,
          TransactionException _ ->
          noDatabase(RoleCheck.isBegun(request));
      case Exception e when e instanceof ErrorResponse known -> spring(known.getStatusCode(), e);
      case Exception e when DisconnectedClientHelper.isClientDisconnectedException(e) -> gone();
      case InvalidMimeTypeException e -> spring(HttpStatus.BAD_REQUEST, e);
      default -> internal();
    };
  }

  /// @param begun whether a change may have had its effect
  private Translated noDatabase(boolean begun) {
    return new Translated(
        HttpFailure.NO_DATABASE,
        "the database cannot be reached; %s; %s"
            .formatted(
                pool.status().clause(),
                begun
                    ? "whether this change took effect is not known: look before it is repeated"
                    : "repeat the request later"),
        null,
        !begun);
  }

  private static Translated internal() {
    return new Translated(
        HttpFailure.INTERNAL, "an error of this server; its log has it under the trace id", null);
  }

  /// The answer to a client that is gone. Nobody hears it.
  private static Translated gone() {
    return new Translated(
        new HttpFailure(HttpStatus.BAD_REQUEST, "client-gone"),
        "expected a client that takes its answer, but it closed the connection",
        null);
  }

  private static Translated noSuchPath(NoResourceFoundException e) {
    return new Translated(
        new HttpFailure(HttpStatus.NOT_FOUND, "no-such-path"),
        "there is nothing at /" + e.getResourcePath(),
        null);
  }

  private static Translated spring(HttpStatusCode code, Exception e) {
    HttpStatus status =
        Objects.requireNonNullElse(HttpStatus.resolve(code.value()), HttpStatus.BAD_REQUEST);
    String name =
        switch (status) {
          case NOT_FOUND -> "no-such-path";
          case METHOD_NOT_ALLOWED -> "method-not-allowed";
          case NOT_ACCEPTABLE -> "not-acceptable";
          case UNSUPPORTED_MEDIA_TYPE -> "unsupported-media-type";
          default -> "invalid-request";
        };
    return new Translated(new HttpFailure(status, name), message(e), null);
  }

  private static Translated body(HttpMessageNotReadableException e) {
    return switch (e.getCause()) {
      case UnrecognizedPropertyException unknown ->
          new Translated(
              new HttpFailure(HttpStatus.BAD_REQUEST, "unknown-field"),
              "expected the fields %s, got '%s'"
                  .formatted(unknown.getKnownPropertyIds(), unknown.getPropertyName()),
              unknown.getPropertyName());
      case MismatchedInputException mismatch when !mismatch.getPath().isEmpty() ->
          new Translated(
              new HttpFailure(HttpStatus.BAD_REQUEST, "invalid-argument"),
              "expected %s in '%s'".formatted(name(mismatch.getTargetType()), field(mismatch)),
              field(mismatch));
      case MismatchedInputException _ -> malformed("there is something else");
      case JacksonException malformed -> malformed(malformed.getOriginalMessage());
      case null, default -> malformed("there is none");
    };
  }

  private static Translated malformed(String why) {
    return new Translated(
        new HttpFailure(HttpStatus.BAD_REQUEST, "malformed-json"),
        "expected a JSON object as the body: " + why,
        null);
  }

  /// The field of the wrong value, with its place if it is an element of a list, such as
  /// `containers[0]`.
  private static String field(JacksonException e) {
    String field = "";
    for (JacksonException.Reference each : e.getPath()) {
      String name = each.getPropertyName();
      field = name == null ? "%s[%d]".formatted(field, each.getIndex()) : name;
    }
    return field;
  }

  private static String name(@Nullable Class<?> given) {
    if (given == null) {
      return "another type";
    }
    Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(given);
    if (type == UUID.class) {
      return "a UUID";
    }
    if (type == String.class) {
      return "a text";
    }
    if (type == Long.class || type == Integer.class) {
      return "a whole number";
    }
    if (type == Boolean.class) {
      return "true or false";
    }
    if (type == Instant.class) {
      return "a time such as 2026-01-31T12:00:00Z";
    }
    return "a value of type " + type.getSimpleName();
  }

  private static Translated missing(String parameter) {
    return new Translated(
        new HttpFailure(HttpStatus.BAD_REQUEST, "invalid-argument"),
        "expected the parameter '%s', got none".formatted(parameter),
        parameter);
  }

  private static Translated parameter(String name, TypeMismatchException e) {
    return new Translated(
        new HttpFailure(HttpStatus.BAD_REQUEST, "invalid-argument"),
        "expected %s in '%s', got '%s'".formatted(name(e.getRequiredType()), name, e.getValue()),
        name);
  }

  private static Translated parameters(BindException e) {
    FieldError wrong = e.getFieldError();
    if (wrong == null) {
      return spring(HttpStatus.BAD_REQUEST, e);
    }
    if (wrong.contains(TypeMismatchException.class)) {
      return parameter(wrong.getField(), wrong.unwrap(TypeMismatchException.class));
    }
    return new Translated(
        new HttpFailure(HttpStatus.BAD_REQUEST, "invalid-argument"),
        "expected another value of '%s', got '%s'"
            .formatted(wrong.getField(), wrong.getRejectedValue()),
        wrong.getField());
  }

  private static String message(Exception e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
