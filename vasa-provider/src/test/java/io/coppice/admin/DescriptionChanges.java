package io.coppice.admin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The changes of a description that break a client made from an earlier one: something that it
/// uses is gone, something that it may leave out is demanded, something that it may send is
/// refused, or something that it reads has another form. References are followed, so names of
/// schemas do not count.
final class DescriptionChanges {

  private static final List<String> UPPER = List.of("maxLength", "maximum", "maxItems");
  private static final List<String> LOWER = List.of("minLength", "minimum", "minItems");
  private static final List<String> FORMS = List.of("pattern", "multipleOf", "format");
  private static final int DEEPEST = 12;

  private final JsonNode before;
  private final JsonNode now;
  private final Set<String> found = new TreeSet<>();

  private DescriptionChanges(JsonNode before, JsonNode now) {
    this.before = before;
    this.now = now;
  }

  /// The incompatible changes, one sentence each, sorted.
  static Set<String> between(JsonNode before, JsonNode now) {
    DescriptionChanges changes = new DescriptionChanges(before, now);
    JsonNode paths = before.get("paths");
    for (String path : paths.propertyNames()) {
      for (String method : paths.get(path).propertyNames()) {
        changes.compareOperation(
            method + " " + path,
            paths.get(path).get(method),
            now.path("paths").path(path).path(method));
      }
    }
    return changes.found;
  }

  private void add(String where, String what) {
    found.add(where + ": " + what);
  }

  private void compareOperation(String where, JsonNode old, JsonNode young) {
    if (young.isMissingNode()) {
      add(where, "operation is gone");
      return;
    }
    if (!old.path("operationId").equals(young.path("operationId"))) {
      add(where, "operationId is another");
    }
    compareParameters(where, parameters(before, old), parameters(now, young));
    JsonNode body = content(old.path("requestBody"));
    if (!body.isMissingNode()) {
      compareSchema(where + " body", body, content(young.path("requestBody")), true, 0);
    } else if (young.path("requestBody").path("required").asBoolean(false)) {
      add(where, "body is demanded now");
    }
    for (String status : old.path("responses").propertyNames()) {
      JsonNode answer = young.path("responses").path(status);
      if (answer.isMissingNode()) {
        add(where, "status " + status + " is gone");
      } else if (!content(old.get("responses").get(status)).isMissingNode()) {
        compareSchema(
            where + " " + status,
            content(old.get("responses").get(status)),
            content(answer),
            false,
            0);
      }
    }
  }

  /// The schema of the first kind of content.
  private static JsonNode content(JsonNode holder) {
    JsonNode content = holder.path("content");
    return content.isEmpty()
        ? content.path("none")
        : content.get(content.propertyNames().iterator().next()).path("schema");
  }

  private static List<JsonNode> parameters(JsonNode document, JsonNode operation) {
    List<JsonNode> all = new ArrayList<>();
    operation.path("parameters").forEach(one -> all.add(resolved(document, one)));
    return all;
  }

  private void compareParameters(String where, List<JsonNode> old, List<JsonNode> young) {
    for (JsonNode one : old) {
      String name = one.path("in").asString() + " " + one.path("name").asString();
      JsonNode match = find(young, one);
      if (match == null) {
        add(where, name + " is gone");
      } else {
        if (isRequired(match) && !isRequired(one)) {
          add(where, name + " is demanded now");
        }
        compareSchema(where + " " + name, one.path("schema"), match.path("schema"), true, 0);
      }
    }
    for (JsonNode one : young) {
      if (isRequired(one) && find(old, one) == null) {
        add(where, one.path("name").asString() + " is new and demanded");
      }
    }
  }

  private static boolean isRequired(JsonNode parameter) {
    return parameter.path("required").asBoolean(false);
  }

  private static @Nullable JsonNode find(List<JsonNode> parameters, JsonNode wanted) {
    return parameters.stream()
        .filter(one -> one.path("name").equals(wanted.path("name")))
        .filter(one -> one.path("in").equals(wanted.path("in")))
        .findFirst()
        .orElse(null);
  }

  private static JsonNode resolved(JsonNode document, JsonNode node) {
    JsonNode at = node;
    while (at.has("$ref")) {
      at = document.at(at.get("$ref").asString().substring(1));
    }
    return at.has("oneOf") ? resolved(document, at.get("oneOf").get(0)) : at;
  }

  private void compareSchema(
      String where, JsonNode oldGiven, JsonNode youngGiven, boolean sent, int depth) {
    JsonNode old = resolved(before, oldGiven);
    JsonNode young = resolved(now, youngGiven);
    if (depth > DEEPEST) {
      return;
    }
    Set<String> types = types(old);
    Set<String> present = types(young);
    if (!types.isEmpty() && !Objects.equals(types, present)) {
      add(where, "type %s is %s now".formatted(types, present));
      return;
    }
    if (sent) {
      compareLimits(where, old, young);
    } else if (isNullable(now, youngGiven) && !isNullable(before, oldGiven)) {
      add(where, "null may come now");
    }
    if (old.has("items")) {
      compareSchema(where + "[]", old.get("items"), young.path("items"), sent, depth + 1);
    }
    JsonNode properties = old.path("properties");
    for (String name : properties.propertyNames()) {
      JsonNode match = young.path("properties").path(name);
      if (match.isMissingNode()) {
        add(where + "." + name, "property is gone");
      } else {
        compareSchema(where + "." + name, properties.get(name), match, sent, depth + 1);
      }
    }
    compareRequired(where, old, young, sent);
  }

  private void compareRequired(String where, JsonNode old, JsonNode young, boolean sent) {
    Set<String> demanded = texts(sent ? young : old, "required");
    demanded.removeAll(texts(sent ? old : young, "required"));
    for (String name : demanded) {
      add(where + "." + name, sent ? "property is demanded now" : "property may be missing now");
    }
  }

  private void compareLimits(String where, JsonNode old, JsonNode young) {
    for (String limit : UPPER) {
      if (young.has(limit) && young.get(limit).asLong() < old.path(limit).asLong(Long.MAX_VALUE)) {
        add(where, limit + " is lower");
      }
    }
    for (String limit : LOWER) {
      if (young.has(limit) && young.get(limit).asLong() > old.path(limit).asLong(Long.MIN_VALUE)) {
        add(where, limit + " is higher");
      }
    }
    for (String form : FORMS) {
      if (young.has(form) && !young.get(form).equals(old.path(form))) {
        add(where, form + " is another");
      }
    }
    if (young.has("enum") && !texts(young, "enum").containsAll(texts(old, "enum"))
        || young.has("enum") && !old.has("enum")) {
      add(where, "enum has fewer values");
    }
  }

  private static boolean isNullable(JsonNode document, JsonNode schema) {
    return schema.has("oneOf")
        || schema.has("$ref") && isNullable(document, resolved(document, schema))
        || texts(schema, "type").contains("null");
  }

  private static Set<String> types(JsonNode schema) {
    JsonNode type = schema.path("type");
    Set<String> types =
        type.isString() ? new HashSet<>(Set.of(type.asString())) : texts(schema, "type");
    types.remove("null");
    return types;
  }

  private static Set<String> texts(JsonNode node, String list) {
    return node.path(list)
        .valueStream()
        .map(JsonNode::asString)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
