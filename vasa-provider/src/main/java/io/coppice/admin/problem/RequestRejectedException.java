package io.coppice.admin.problem;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/// A request that REST refuses by itself; nothing has changed.
public final class RequestRejectedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final HttpStatus status;
  private final String code;
  private final @Nullable String target;
  private final @Nullable Duration wait;

  /// @param code stable, for programs
  /// @param target what it is about; null for the path
  /// @param message one sentence: what was expected and what came
  public RequestRejectedException(
      HttpStatus status, String code, @Nullable String target, String message) {
    this(status, code, target, message, null);
  }

  private RequestRejectedException(
      HttpStatus status,
      String code,
      @Nullable String target,
      String message,
      @Nullable Duration wait) {
    super(message);
    this.status = status;
    this.code = code;
    this.target = target;
    this.wait = wait;
  }

  /// A refusal (429) of what may be tried again later.
  public static RequestRejectedException tooEarly(String code, String message, Duration wait) {
    long seconds = wait.plusSeconds(1).minusNanos(1).toSeconds();
    return new RequestRejectedException(
        HttpStatus.TOO_MANY_REQUESTS,
        code,
        null,
        "%s; try again in %d s".formatted(message, seconds),
        Duration.ofSeconds(seconds));
  }

  /// A field of the body or a parameter is missing or out of range.
  public static RequestRejectedException field(String field, String message) {
    return new RequestRejectedException(HttpStatus.BAD_REQUEST, "invalid-argument", field, message);
  }

  public static RequestRejectedException notFound(String what, Object id) {
    return new RequestRejectedException(
        HttpStatus.NOT_FOUND, "not-found", id.toString(), "there is no %s %s".formatted(what, id));
  }

  public static RequestRejectedException conflict(
      String code, @Nullable String target, String message) {
    return new RequestRejectedException(HttpStatus.CONFLICT, code, target, message);
  }

  /// @throws RequestRejectedException if the body lacks the field
  public static <T> T requireField(String field, @Nullable T value) {
    if (value == null) {
      throw field(field, "expected a value of '%s', got none".formatted(field));
    }
    return value;
  }

  /// The result of a call. A fault that does not name its argument gets this one.
  ///
  /// @param field as REST calls it
  public static <T> T about(String field, Supplier<T> call) {
    try {
      return FaultTranslation.translated(call);
    } catch (VasaException e) {
      throw isAboutArgument(e) ? e.about(field) : e;
    }
  }

  private static boolean isAboutArgument(VasaException e) {
    return e.argument() == null
        && switch (e.fault()) {
          case Fault.InvalidArgument _, Fault.InvalidProfile _, Fault.NotFound _ -> true;
          default -> false;
        };
  }

  public HttpStatus status() {
    return status;
  }

  public String code() {
    return code;
  }

  /// The time after which the request may be repeated, if it is known.
  public Optional<Duration> patience() {
    return Optional.ofNullable(wait);
  }

  @Nullable
  public String target() {
    return target;
  }
}
