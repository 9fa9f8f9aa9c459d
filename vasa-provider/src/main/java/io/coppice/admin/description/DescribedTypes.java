package io.coppice.admin.description;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// The schemas of requests and answers, made from records.
///
/// A property of an answer is always present, and may be null where the record says so. A property
/// of a request is required where the words say so, and may be null anywhere else: the server takes
/// an absent field and null for the same.
final class DescribedTypes {

  private static final String REQUEST = "Request";

  private final DescriptionWords words;
  private final JsonMapper json;
  private final Map<String, Object> schemas = new TreeMap<>();

  DescribedTypes(DescriptionWords words, JsonMapper json) {
    this.words = words;
    this.json = json;
  }

  /// All schemas that were asked for, by name.
  Map<String, Object> schemas() {
    return schemas;
  }

  /// The schema of an answer.
  Map<String, Object> answer(Type type) {
    return schema(type, Map.of(), false);
  }

  /// The schema of a body. To be asked for after all answers: a record that is both gets a second
  /// name here.
  Map<String, Object> request(Type type) {
    return schema(type, Map.of(), true);
  }

  /// The schema of a body under a name of its own: a record may serve operations that demand and
  /// know different fields of it.
  Map<String, Object> request(Class<?> type, String name) {
    Map<String, Object> schema = new LinkedHashMap<>();
    fill(schema, type, Map.of(), name, true);
    List<?> without = (List<?>) words.type(name).getOrDefault("without", List.of());
    DescriptionWords.map(schema.get("properties")).keySet().removeAll(without);
    schemas.put(name, schema);
    return node("$ref", "#/components/schemas/" + name);
  }

  /// The schema of a parameter.
  Map<String, Object> plain(Type type) {
    return schema(type, Map.of(), false);
  }

  private Map<String, Object> schema(
      Type type, Map<TypeVariable<?>, Type> variables, boolean request) {
    return switch (type) {
      case TypeVariable<?> variable ->
          schema(Objects.requireNonNull(variables.get(variable)), Map.of(), request);
      case ParameterizedType generic -> generic(generic, variables, request);
      case Class<?> known -> ofClass(known, Map.of(), known.getSimpleName(), request);
      default -> throw new IllegalStateException("expected a type of JSON, got " + type);
    };
  }

  private Map<String, Object> generic(
      ParameterizedType type, Map<TypeVariable<?>, Type> variables, boolean request) {
    Class<?> raw = (Class<?>) type.getRawType();
    Type[] arguments = type.getActualTypeArguments();
    if (Map.class.isAssignableFrom(raw)) {
      return node(
          "type", "object", "additionalProperties", schema(arguments[1], variables, request));
    }
    if (Collection.class.isAssignableFrom(raw)) {
      var array = node("type", "array", "items", schema(arguments[0], variables, request));
      if (Set.class.isAssignableFrom(raw)) {
        array.put("uniqueItems", true);
      }
      return array;
    }
    Class<?> argument = (Class<?>) arguments[0];
    return ofClass(
        raw,
        Map.of(raw.getTypeParameters()[0], argument),
        argument.getSimpleName() + raw.getSimpleName(),
        request);
  }

  private Map<String, Object> ofClass(
      Class<?> type, Map<TypeVariable<?>, Type> variables, String name, boolean request) {
    if (type.isEnum()) {
      List<Object> constants = new ArrayList<>();
      for (Object constant : type.getEnumConstants()) {
        constants.add(json.valueToTree(constant).asString());
      }
      return node("type", "string", "enum", constants);
    }
    if (type.isRecord()) {
      Class<?> outer = type.getEnclosingClass();
      return named(type, variables, outer == null ? name : outer.getSimpleName() + name, request);
    }
    return scalar(type);
  }

  private static Map<String, Object> scalar(Class<?> type) {
    if (type == String.class) {
      return node("type", "string");
    }
    if (type == UUID.class) {
      return node("type", "string", "format", "uuid");
    }
    if (type == Instant.class) {
      return node("type", "string", "format", "date-time");
    }
    if (type == URI.class) {
      return node("type", "string", "format", "uri");
    }
    if (type == boolean.class || type == Boolean.class) {
      return node("type", "boolean");
    }
    if (type == long.class || type == Long.class) {
      return node("type", "integer", "format", "int64");
    }
    if (type == int.class || type == Integer.class) {
      return node("type", "integer", "format", "int32");
    }
    if (type == double.class || type == Double.class) {
      return node("type", "number", "format", "double");
    }
    if (type == Object.class) {
      return node(); // anything
    }
    throw new IllegalStateException("expected a type of JSON, got " + type);
  }

  private Map<String, Object> named(
      Class<?> type, Map<TypeVariable<?>, Type> variables, String name, boolean request) {
    boolean both = request && !isRequest(name) && schemas.containsKey(name);
    String unique = both ? name + REQUEST : name;
    if (!schemas.containsKey(unique)) {
      Map<String, Object> schema = new LinkedHashMap<>();
      schemas.put(unique, schema);
      fill(schema, type, variables, name, request);
    }
    return node("$ref", "#/components/schemas/" + unique);
  }

  private boolean isRequest(String name) {
    return DescriptionWords.map(schemas.get(name)).containsKey("additionalProperties");
  }

  private void fill(
      Map<String, Object> schema,
      Class<?> type,
      Map<TypeVariable<?>, Type> variables,
      String name,
      boolean request) {
    Map<String, Object> said =
        words.type(variables.isEmpty() ? name : type.getSimpleName()); // one for all parts of lists
    List<?> demanded = (List<?>) said.getOrDefault("required", List.of());
    List<String> required = new ArrayList<>();
    Map<String, Object> properties = new LinkedHashMap<>();
    for (RecordComponent one : type.getRecordComponents()) {
      boolean omitted = isOmitted(one);
      boolean needed = request ? demanded.contains(one.getName()) : !omitted;
      var property = schema(one.getGenericType(), variables, request);
      property.putAll(words.property(variables.isEmpty() ? name : "Page", one.getName()));
      addExample(property);
      boolean nullable = request ? !needed : isNullable(one) && !omitted;
      properties.put(one.getName(), nullable ? nullable(property) : property);
      if (needed) {
        required.add(one.getName());
      }
    }
    if (!request) {
      addQuestions(type, name, properties, required);
    }
    schema.put("type", "object");
    schema.put("description", said.getOrDefault("description", ""));
    schema.put("properties", properties);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    if (request) {
      schema.put("additionalProperties", false);
      if (required.isEmpty()) {
        schema.put("minProperties", 1);
      }
    }
  }

  /// A method such as `isStopped` of a record is a property of its JSON, too.
  private void addQuestions(
      Class<?> type, String name, Map<String, Object> properties, List<String> required) {
    Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> method.getParameterCount() == 0 && isQuestion(method))
        .map(method -> method.getName().substring(2))
        .map(question -> question.substring(0, 1).toLowerCase(Locale.ROOT) + question.substring(1))
        .sorted()
        .forEach(
            property -> {
              var schema = node("type", "boolean");
              schema.putAll(words.property(name, property));
              properties.put(property, schema);
              required.add(property);
            });
  }

  private static boolean isQuestion(Method method) {
    return method.getReturnType() == boolean.class
        && method.getName().matches("is[A-Z].*")
        && !Modifier.isStatic(method.getModifiers());
  }

  private static boolean isNullable(RecordComponent one) {
    return one.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static boolean isOmitted(RecordComponent one) {
    JsonInclude rule = one.getAccessor().getAnnotation(JsonInclude.class);
    return rule != null && rule.value() == JsonInclude.Include.NON_NULL;
  }

  private static Map<String, Object> nullable(Map<String, Object> property) {
    Map<String, Object> either = new LinkedHashMap<>(property);
    if (either.remove("$ref") instanceof String reference) {
      either.put("oneOf", List.of(Map.of("$ref", reference), Map.of("type", "null")));
      return either;
    }
    if (either.remove("enum") instanceof List<?> constants) { // generators make one type of these
      Object type = either.remove("type");
      either.put(
          "oneOf",
          List.of(node("type", String.valueOf(type), "enum", constants), Map.of("type", "null")));
      return either;
    }
    either.put("type", List.of(String.valueOf(property.get("type")), "null"));
    return either;
  }

  /// Adds the example of a form that has only one, unless there is another already.
  static void addExample(Map<String, Object> schema) {
    String example =
        switch (String.valueOf(schema.get("format"))) {
          case "uuid" -> "3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815";
          case "date-time" -> "2026-11-23T20:15:30.123456Z";
          default -> null;
        };
    if (example != null) {
      schema.putIfAbsent("examples", List.of(example));
    }
  }

  /// A map that keeps its order and can be added to.
  static Map<String, Object> node(Object... keysAndValues) {
    Map<String, Object> node = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      node.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return node;
  }
}
