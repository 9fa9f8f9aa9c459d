package io.coppice.admin.request;

import io.coppice.admin.problem.RequestRejectedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.util.WebUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The check of bodies. It refuses a body that names no field at all: an absent field often means
/// "none", and a client that sends `{}` has not asked for that.
final class BodyCheck implements HandlerInterceptor {

  private final JsonMapper json;

  BodyCheck(JsonMapper json) {
    this.json = json;
  }

  /// @throws RequestRejectedException if the operation takes a body, and it is `{}`
  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    BufferedRequest whole = WebUtils.getNativeRequest(request, BufferedRequest.class);
    if (whole == null || !(handler instanceof HandlerMethod method)) {
      return true;
    }
    for (MethodParameter parameter : method.getMethodParameters()) {
      if (parameter.hasParameterAnnotation(RequestBody.class)
          && isEmptyObject(whole.getInputStream().readAllBytes())) {
        throw namesNothing(parameter);
      }
    }
    return true;
  }

  private static RequestRejectedException namesNothing(MethodParameter body) {
    List<String> fields =
        Arrays.stream(body.getParameterType().getRecordComponents())
            .map(RecordComponent::getName)
            .toList();
    return RequestRejectedException.field(
        fields.getFirst(), "expected at least one of the fields %s, got none".formatted(fields));
  }

  /// Leaves what is no JSON to the reader of the body, which refuses it.
  private boolean isEmptyObject(byte[] body) {
    try {
      JsonNode tree = json.readTree(body);
      return tree != null && tree.isObject() && tree.isEmpty();
    } catch (JacksonException e) {
      return false;
    }
  }
}
