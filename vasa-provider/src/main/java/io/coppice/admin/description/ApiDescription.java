package io.coppice.admin.description;

import static io.coppice.admin.description.DescribedTypes.node;

import io.coppice.admin.list.SortedBy;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ValueConstants;
import tools.jackson.databind.json.JsonMapper;

/// The description of all operations, as an OpenAPI 3.1 document.
///
/// Paths, parameters, types, null, successes, roles and the refusals that any operation of a form
/// has come from the code. The rest comes from [DescriptionWords].
final class ApiDescription {

  private final DescriptionWords words;
  private final DescribedTypes types;
  private final DescribedAnswers answers;

  ApiDescription(JsonMapper json) {
    words = DescriptionWords.load();
    types = new DescribedTypes(words, json);
    answers = new DescribedAnswers(words, types);
  }

  /// The document, in a fixed order. To be called once.
  Map<String, Object> of(Collection<ServedOperation> served) {
    List<ServedOperation> operations =
        served.stream()
            .sorted(
                Comparator.comparing(ServedOperation::path).thenComparing(ServedOperation::method))
            .toList();
    operations.forEach(answers::of); // before the requests: DescribedTypes#request
    Map<String, Object> paths = new TreeMap<>();
    for (ServedOperation operation : operations) {
      Map<String, Object> methods =
          DescriptionWords.map(paths.computeIfAbsent(operation.path(), _ -> node()));
      methods.put(operation.method().toLowerCase(Locale.ROOT), describe(operation));
    }
    return node(
        "openapi",
        "3.1.0",
        "info",
        words.section("info"),
        "servers",
        List.of(node("url", "/", "description", "The management port of the provider.")),
        "security",
        List.of(node("bearer", List.of()), node("session", List.of())),
        "tags",
        words.tags(),
        "paths",
        paths,
        "components",
        node(
            "schemas",
            types.schemas(),
            "headers",
            words.section("headers"),
            "parameters",
            node(
                "IdempotencyKey",
                words.section("idempotencyKey"),
                "IfMatch",
                words.section("ifMatch"),
                "IfNoneMatch",
                words.section("ifNoneMatch")),
            "securitySchemes",
            node("bearer", words.section("bearer"), "session", words.section("session"))));
  }

  private Map<String, Object> describe(ServedOperation operation) {
    Map<String, Object> said = words.operation(operation.key());
    Map<String, Object> node = node();
    node.put("operationId", said.getOrDefault("id", ""));
    node.put("tags", List.of(said.getOrDefault("tag", "")));
    node.put("summary", said.getOrDefault("summary", ""));
    node.put("description", description(operation, said));
    if (operation.needsLogin()) {
      addAccess(node, operation);
    } else {
      node.put("security", List.of());
    }
    List<Object> parameters = parameters(operation);
    if (!parameters.isEmpty()) {
      node.put("parameters", parameters);
    }
    operation.body().ifPresent(body -> node.put("requestBody", body(body, said.get("body"))));
    node.put("responses", answers.of(operation));
    return node;
  }

  /// Says for programs what [#access] says for people. What does not hold is left out.
  private static void addAccess(Map<String, Object> node, ServedOperation operation) {
    node.put("x-required-role", operation.neededRole().text());
    if (operation.isWithinContainers()) {
      node.put("x-within-containers", true);
    }
    if (operation.isForOwnAccount()) {
      node.put("x-own-account", true);
    }
    if (operation.isPreview()) {
      node.put("x-changes-nothing", true);
    }
  }

  private static String description(ServedOperation operation, Map<String, Object> said) {
    String own = said.containsKey("description") ? said.get("description") + " " : "";
    return own + access(operation);
  }

  private static String access(ServedOperation operation) {
    if (!operation.needsLogin()) {
      return "Needs no login.";
    }
    String others = operation.isWithinContainers() ? ", or `volume-admin`" : "";
    return "Needs the role `%s` or a larger one%s%s."
        .formatted(
            operation.neededRole().text(),
            others,
            operation.isForOwnAccount() ? ", or the session of an account" : "");
  }

  private Map<String, Object> body(MethodParameter body, @Nullable Object name) {
    Map<String, Object> schema =
        name == null
            ? types.request(body.getGenericParameterType())
            : types.request(body.getParameterType(), name.toString());
    RequestBody said = body.getParameterAnnotation(RequestBody.class);
    boolean required = said == null || said.required();
    return node("required", required, "content", node("application/json", node("schema", schema)));
  }

  private List<Object> parameters(ServedOperation operation) {
    List<Object> all = new ArrayList<>();
    for (MethodParameter one : operation.java().getMethodParameters()) {
      RequestParam query = one.getParameterAnnotation(RequestParam.class);
      String name = one.getParameter().getName();
      if (one.hasParameterAnnotation(PathVariable.class)) {
        all.add(parameter(operation, "path", name, one.getParameterType()));
      } else if (query != null) {
        Map<String, Object> parameter =
            parameter(operation, "query", name, one.getGenericParameterType());
        if (query.defaultValue().equals(ValueConstants.DEFAULT_NONE)) {
          parameter.put("required", query.required());
        } else {
          DescriptionWords.map(parameter.get("schema"))
              .put("default", value(query.defaultValue(), one.getParameterType()));
        }
        all.add(parameter);
      } else if (isListQuery(one)) {
        for (RecordComponent part : one.getParameterType().getRecordComponents()) {
          Map<String, Object> parameter =
              parameter(operation, "query", part.getName(), part.getType());
          if (part.getName().equals("sort")) {
            addSorts(parameter, one);
          }
          all.add(parameter);
        }
      }
    }
    if (operation.needsLogin() && operation.isPost()) {
      all.add(header("IdempotencyKey"));
    }
    if (operation.takesIfMatch()) {
      all.add(header("IfMatch"));
    }
    if (operation.answersTag() && operation.reads()) {
      all.add(header("IfNoneMatch"));
    }
    return all;
  }

  /// Adds the fields that a list can be sorted by, each in both directions.
  private static void addSorts(Map<String, Object> parameter, MethodParameter list) {
    String[] sorts =
        Objects.requireNonNull(list.getParameterAnnotation(SortedBy.class), list.toString())
            .value();
    Map<String, Object> schema = DescriptionWords.map(parameter.get("schema"));
    schema.put(
        "enum",
        Stream.of(sorts)
            .map(one -> one.startsWith("-") ? one.substring(1) : one)
            .flatMap(field -> Stream.of(field, "-" + field))
            .toList());
    schema.put("default", sorts[0]);
  }

  private static Map<String, Object> header(String name) {
    return node("$ref", "#/components/parameters/" + name);
  }

  /// Parameters that are taken together are a record, and no body.
  private static boolean isListQuery(MethodParameter one) {
    return one.getParameterType().isRecord() && !one.hasParameterAnnotation(RequestBody.class);
  }

  private Map<String, Object> parameter(
      ServedOperation operation, String place, String name, Type type) {
    Map<String, Object> said = node();
    said.putAll(words.parameter(operation.key(), name));
    Object meaning = said.remove("description");
    Map<String, Object> schema = types.plain(type);
    schema.putAll(said);
    DescribedTypes.addExample(schema);
    Map<String, Object> parameter =
        node("name", name, "in", place, "description", meaning == null ? "" : meaning);
    parameter.put("required", place.equals("path"));
    parameter.put("schema", schema);
    return parameter;
  }

  private static Object value(String text, Class<?> type) {
    if (type == boolean.class) {
      return Boolean.valueOf(text);
    }
    return type == int.class ? Integer.valueOf(text) : text;
  }
}
