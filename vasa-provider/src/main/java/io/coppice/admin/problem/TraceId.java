package io.coppice.admin.problem;

import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;

/// The id that ties an answer to its lines in the log.
public final class TraceId {

  private static final String ATTRIBUTE = TraceId.class.getName();

  private TraceId() {}

  /// The id of a request, made at the first call.
  public static String of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof String known) {
      return known;
    }
    String made = UUID.randomUUID().toString();
    request.setAttribute(ATTRIBUTE, made);
    return made;
  }
}
