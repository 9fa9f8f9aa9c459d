package io.coppice.admin;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The check of answers against the description that the server serves. An answer passes if its
/// status is described for the operation, its code is listed for the status, and its headers and
/// body have the described form. A body with a property that no schema names does not pass.
final class ContractCheck {

  /// Answers to what is no operation at all.
  private static final Set<Integer> WITHOUT_OPERATION = Set.of(400, 401, 404, 405, 413);

  private final JsonNode description;

  ContractCheck(JsonNode description) {
    this.description = description;
  }

  /// @param path without the query, as it was sent
  /// @throws AssertionError if the description does not allow the answer
  void check(String method, String path, AdminServer.Answer answer) {
    Optional<JsonNode> operation = operation(method, path);
    String what = method + " " + path + " answered " + answer + ": ";
    if (operation.isEmpty()) {
      if (!WITHOUT_OPERATION.contains(answer.status())) {
        throw new AssertionError(what + "there is no such operation in the description");
      }
      return;
    }
    JsonNode said = operation.get().at("/responses/" + answer.status());
    if (said.isMissingNode()) {
      throw new AssertionError(what + "the description does not name the status");
    }
    checkHeaders(what, said.path("headers"), answer);
    checkBody(what, said, answer);
  }

  private Optional<JsonNode> operation(String method, String path) {
    JsonNode paths = description.get("paths");
    return paths.propertyNames().stream()
        .filter(template -> matches(template, path))
        .map(template -> paths.get(template).path(method.toLowerCase(Locale.ROOT)))
        .filter(JsonNode::isObject)
        .findFirst();
  }

  private static boolean matches(String template, String path) {
    List<String> expected = Arrays.asList(template.split("/", -1));
    List<String> sent = Arrays.asList(path.split("/", -1));
    if (expected.size() != sent.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      boolean variable = expected.get(i).startsWith("{") && !sent.get(i).isEmpty();
      if (!variable && !expected.get(i).equals(sent.get(i))) {
        return false;
      }
    }
    return true;
  }

  private void checkHeaders(String what, JsonNode headers, AdminServer.Answer answer) {
    for (String name : headers.propertyNames()) {
      JsonNode header = resolved(headers.get(name));
      Optional<String> value = answer.http().headers().firstValue(name);
      if (value.isEmpty() && header.path("required").asBoolean(false)) {
        throw new AssertionError(what + "the description demands the header " + name);
      }
    }
  }

  private void checkBody(String what, JsonNode said, AdminServer.Answer answer) {
    JsonNode content = said.path("content");
    if (content.isEmpty()) {
      if (!answer.http().body().isEmpty()) {
        throw new AssertionError(what + "the description has no body for it");
      }
      return;
    }
    JsonNode form = content.path(answer.header("Content-Type"));
    if (form.isMissingNode()) {
      throw new AssertionError(what + "expected one of " + content.propertyNames());
    }
    if (!answer.header("Content-Type").contains("json")) {
      return; // a file, whose form is none of the description's
    }
    checkValue(what, "", form.get("schema"), answer.json());
    JsonNode codes = said.path("x-problem-codes");
    if (codes.isArray() && !isListed(codes, answer.text("/code"))) {
      throw new AssertionError(what + "the description lists only " + codes);
    }
  }

  private static boolean isListed(JsonNode texts, String text) {
    return texts.valueStream().anyMatch(one -> one.asString().equals(text));
  }

  private JsonNode resolved(JsonNode schema) {
    return schema.has("$ref") ? description.at(schema.get("$ref").asString().substring(1)) : schema;
  }

  private void checkValue(String what, String where, JsonNode given, JsonNode value) {
    JsonNode schema = resolved(given);
    if (schema.has("oneOf")) {
      if (!value.isNull()) {
        checkValue(what, where, schema.get("oneOf").get(0), value);
      }
      return;
    }
    if (!schema.has("type")) {
      return; // anything
    }
    if (!types(schema).contains(typeOf(value))) {
      throw new AssertionError(what + "expected at '%s' %s".formatted(where, types(schema)));
    }
    checkLimits(what, where, schema, value);
    if (value.isArray()) {
      value.forEach(item -> checkValue(what, where + "/-", schema.get("items"), item));
    } else if (value.isObject()) {
      checkProperties(what, where, schema, value);
    }
  }

  private void checkProperties(String what, String where, JsonNode schema, JsonNode value) {
    for (JsonNode required : schema.path("required")) {
      if (!value.has(required.asString())) {
        throw new AssertionError(what + "expected the property " + where + "/" + required);
      }
    }
    for (String name : value.propertyNames()) {
      JsonNode property = schema.path("properties").path(name);
      @Nullable JsonNode form =
          property.isMissingNode() ? schema.get("additionalProperties") : property;
      if (form == null) {
        throw new AssertionError(what + "the description has no property " + where + "/" + name);
      }
      checkValue(what, where + "/" + name, form, value.get(name));
    }
  }

  private static void checkLimits(String what, String where, JsonNode schema, JsonNode value) {
    boolean allowed =
        switch (value) {
          case JsonNode text when text.isString() -> isTextAllowed(schema, text.asString());
          case JsonNode number when number.isIntegralNumber() ->
              number.asLong() >= schema.path("minimum").asLong(Long.MIN_VALUE)
                  && number.asLong() <= schema.path("maximum").asLong(Long.MAX_VALUE);
          default -> true;
        };
    if (!allowed) {
      throw new AssertionError(what + "expected at '%s' %s".formatted(where, schema));
    }
  }

  private static boolean isTextAllowed(JsonNode schema, String text) {
    boolean listed = !schema.has("enum") || isListed(schema.get("enum"), text);
    boolean formed =
        !schema.has("pattern")
            || Pattern.compile(schema.get("pattern").asString()).matcher(text).find();
    return listed && formed;
  }

  private static List<String> types(JsonNode schema) {
    JsonNode type = schema.get("type");
    return type.isArray()
        ? type.valueStream().map(JsonNode::asString).toList()
        : List.of(type.asString());
  }

  private static String typeOf(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "array";
      case BOOLEAN -> "boolean";
      case NULL -> "null";
      case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
      case STRING -> "string";
      default -> "object";
    };
  }
}
