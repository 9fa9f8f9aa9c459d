package io.coppice.admin.request;

import io.coppice.admin.problem.RequestRejectedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/// The check of a query's parameters. It refuses those that the operation would ignore: a script
/// whose filter is left out acts on the wrong objects.
final class QueryCheck implements HandlerInterceptor {

  private static final int LONGEST_SHOWN = 80;

  private final Map<Method, Known> known = new ConcurrentHashMap<>();

  /// The parameters of an operation.
  ///
  /// @param repeated those that may come more than once
  private record Known(Set<String> names, Set<String> repeated) {}

  /// @throws RequestRejectedException if a parameter is unknown, comes more than once and is no
  ///   list, or is empty
  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod method
        && ApiFilter.CONTROLLERS.test(method.getBeanType())) {
      Known parameters =
          known.computeIfAbsent(
              method.getMethod(), _ -> new Known(namesOf(method), repeatedOf(method)));
      request.getParameterMap().forEach((name, values) -> check(parameters, name, values));
    }
    return true;
  }

  private static void check(Known known, String name, String[] values) {
    if (!known.names().contains(name)) {
      throw unknown(known.names(), name);
    }
    if (values.length != 1 && !known.repeated().contains(name)) {
      throw RequestRejectedException.field(
          name, "expected one value of '%s', got %d".formatted(name, values.length));
    }
    if (Arrays.asList(values).contains("")) {
      throw RequestRejectedException.field(
          name, "expected a value of '%s', got none".formatted(name));
    }
  }

  private static RequestRejectedException unknown(Set<String> known, String name) {
    String shown = name.length() > LONGEST_SHOWN ? name.substring(0, LONGEST_SHOWN) + "…" : name;
    return new RequestRejectedException(
        HttpStatus.BAD_REQUEST,
        "unknown-parameter",
        shown,
        known.isEmpty()
            ? "expected no parameters in the query, got '%s'".formatted(shown)
            : "expected one of the parameters %s in the query, got '%s'".formatted(known, shown));
  }

  private static Set<String> repeatedOf(HandlerMethod method) {
    return Arrays.stream(method.getMethodParameters())
        .filter(parameter -> parameter.hasParameterAnnotation(RequestParam.class))
        .filter(parameter -> parameter.getParameterType() == List.class)
        .map(parameter -> parameter.getParameter().getName())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Set<String> namesOf(HandlerMethod method) {
    Set<String> names = new TreeSet<>();
    for (MethodParameter parameter : method.getMethodParameters()) {
      if (parameter.hasParameterAnnotation(RequestParam.class)) {
        names.add(parameter.getParameter().getName());
      }
      if (parameter.hasParameterAnnotation(ParameterObject.class)) {
        for (RecordComponent component : parameter.getParameterType().getRecordComponents()) {
          names.add(component.getName());
        }
      }
    }
    return names;
  }
}
