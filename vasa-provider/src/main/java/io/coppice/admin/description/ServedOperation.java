package io.coppice.admin.description;

import io.coppice.admin.Readiness;
import io.coppice.admin.access.FileAnswer;
import io.coppice.admin.edition.ConditionCheck;
import io.coppice.admin.request.ApiFilter;
import io.coppice.admin.request.RoleCheck;
import io.coppice.api.Role;
import io.swagger.v3.oas.annotations.Hidden;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/// One operation as a controller serves it: a path, a method of HTTP and the method of Java.
///
/// @param path with the names of its variables, from the root of the server
record ServedOperation(String path, String method, HandlerMethod java) {

  /// All that a mapping serves and that is to be described: of `admin`, and not hidden.
  static List<ServedOperation> all(RequestMappingHandlerMapping mapping) {
    List<ServedOperation> operations = new ArrayList<>();
    mapping
        .getHandlerMethods()
        .forEach(
            (info, java) -> {
              if (isDescribed(java.getBeanType())) {
                for (String path : info.getPatternValues()) {
                  for (RequestMethod method : info.getMethodsCondition().getMethods()) {
                    operations.add(new ServedOperation(path, method.name(), java));
                  }
                }
              }
            });
    return operations;
  }

  private static boolean isDescribed(Class<?> controller) {
    return controller.getPackageName().startsWith(Readiness.class.getPackageName() + ".")
        && !controller.isAnnotationPresent(Hidden.class);
  }

  /// Whether it is under the root of REST, and all else that holds for REST.
  boolean isOfApi() {
    return path.startsWith(ApiFilter.ROOT + "/");
  }

  /// Whether it needs a token or a session.
  boolean needsLogin() {
    return isOfApi() && !RoleCheck.isWithoutLogin(java);
  }

  /// Its name in the words, such as `GET /containers`.
  String key() {
    return method + " " + (isOfApi() ? path.substring(ApiFilter.ROOT.length()) : path);
  }

  boolean isPost() {
    return method.equals("POST");
  }

  boolean reads() {
    return method.equals("GET");
  }

  /// Whether it changes nothing though it is no GET.
  boolean isPreview() {
    return RoleCheck.changesNothing(java);
  }

  Role neededRole() {
    return RoleCheck.needed(java, reads());
  }

  boolean isForOwnAccount() {
    return RoleCheck.isForOwnAccount(java);
  }

  boolean isWithinContainers() {
    return RoleCheck.isWithinContainers(java);
  }

  boolean hasPathVariables() {
    return Arrays.stream(java.getMethodParameters())
        .anyMatch(one -> one.hasParameterAnnotation(PathVariable.class));
  }

  Optional<MethodParameter> body() {
    return Arrays.stream(java.getMethodParameters())
        .filter(one -> one.hasParameterAnnotation(RequestBody.class))
        .findFirst();
  }

  /// The status of a success that the method sets by itself or by annotation.
  HttpStatus success() {
    ResponseStatus said = java.getMethodAnnotation(ResponseStatus.class);
    if (said != null) {
      return said.code();
    }
    boolean chosen = isEntity(java.getMethod().getReturnType());
    return chosen && isPost() ? HttpStatus.CREATED : HttpStatus.OK;
  }

  /// The type of the answer's body; `void` for none.
  Type answer() {
    Type type = java.getMethod().getGenericReturnType();
    return type instanceof ParameterizedType generic
            && generic.getRawType() instanceof Class<?> raw
            && isEntity(raw)
        ? generic.getActualTypeArguments()[0]
        : type;
  }

  private static boolean isEntity(Class<?> type) {
    return ResponseEntity.class.isAssignableFrom(type);
  }

  /// Whether its answer has an `ETag`.
  boolean answersTag() {
    return ConditionCheck.answersTag(java);
  }

  /// Whether it heeds `If-Match`.
  boolean takesIfMatch() {
    return ConditionCheck.takesIfMatch(java);
  }

  /// The type of the file that its answer is; empty for any other answer.
  Optional<String> file() {
    return Optional.ofNullable(java.getMethodAnnotation(FileAnswer.class)).map(FileAnswer::value);
  }

  /// The types of server-sent events that its answer is a stream of; none for any other answer.
  List<StreamOf.Sort> streamed() {
    StreamOf said = java.getMethodAnnotation(StreamOf.class);
    return said == null ? List.of() : List.of(said.value());
  }
}
