package io.coppice.admin.problem;

import io.coppice.api.Problem;
import jakarta.servlet.http.HttpServletRequest;

/// The code of the problem that a request is answered with, kept with the request for the log.
public final class ProblemCode {

  private static final String ATTRIBUTE = ProblemCode.class.getName();

  private ProblemCode() {}

  /// Attaches the code to its request, so that [#of] finds it.
  public static void attach(HttpServletRequest request, Problem problem) {
    request.setAttribute(ATTRIBUTE, problem.code());
  }

  /// The code of the problem that a request was answered with; "-" if there was none.
  public static String of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof String code ? code : "-";
  }
}
