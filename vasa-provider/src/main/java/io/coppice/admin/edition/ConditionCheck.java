package io.coppice.admin.edition;

import io.coppice.admin.problem.RequestRejectedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/// The check of conditional requests. It refuses a condition that cannot be read, and one that the
/// operation would ignore: a client that sends it relies on it.
public final class ConditionCheck implements HandlerInterceptor {

  private static final String IF_NONE_MATCH = "If-None-Match";

  /// Whether a controller's method heeds `If-Match`.
  public static boolean takesIfMatch(HandlerMethod method) {
    return Arrays.stream(method.getMethodParameters())
        .anyMatch(one -> one.getParameterType() == IfMatch.class);
  }

  /// Whether a controller's method answers with a tag.
  public static boolean answersTag(HandlerMethod method) {
    return method.getMethod().getReturnType() == Edited.class;
  }

  /// @throws RequestRejectedException if a condition is malformed, or of no use here. A GET without
  ///   a tag may ignore `If-None-Match`, since its answer is then whole
  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod method) {
      boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
      if (!takesIfMatch(method)) {
        refuse(request, IfMatch.HEADER, "PUT, PATCH or DELETE of an object that has an ETag");
      }
      if (!reads) {
        refuse(request, IF_NONE_MATCH, "GET of an object that has an ETag");
      } else if (answersTag(method)) {
        TagList.of(request, IF_NONE_MATCH);
      }
    }
    return true;
  }

  private static void refuse(HttpServletRequest request, String header, String where) {
    if (request.getHeader(header) != null) {
      throw RequestRejectedException.field(
          header,
          "expected %s only with %s, got it with %s %s"
              .formatted(header, where, request.getMethod(), request.getServletPath()));
    }
  }
}
