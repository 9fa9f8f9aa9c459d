package io.coppice.cli.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.coppice.cli.failure.CommandFailedException;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/// JSON and YAML: of answers, requests and files.
public final class Notation {

  /// As the server's: times as texts. A newer server may send fields that this build does not know,
  /// and an older one leave out numbers.
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .changeDefaultPropertyInclusion(
              value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
          .build();

  private static final JsonMapper FULL =
      JSON.rebuild()
          .changeDefaultPropertyInclusion(
              value ->
                  value
                      .withValueInclusion(JsonInclude.Include.ALWAYS)
                      .withContentInclusion(JsonInclude.Include.ALWAYS))
          .build();

  private Notation() {}

  /// @throws JacksonException if it is no JSON
  public static JsonNode read(byte[] json) {
    return JSON.readTree(json);
  }

  public static JsonNode read(String json) {
    return JSON.readTree(json);
  }

  /// A value as JSON.
  public static JsonNode tree(Object value) {
    return FULL.valueToTree(value);
  }

  /// The JSON of a request, without fields that are null.
  public static String write(Object request) {
    return JSON.writeValueAsString(request);
  }

  /// The JSON of a request that says with each null that something is to be removed.
  public static String writeWhole(Object request) {
    return FULL.writeValueAsString(request);
  }

  /// An answer as one of the API's types.
  public static <T> T as(JsonNode answer, Class<T> type) {
    return JSON.treeToValue(answer, type);
  }

  /// A document as one of the API's types, without fields that the type does not have.
  ///
  /// @throws JacksonException if it has others, or values of other types
  public static <T> T asExactly(JsonNode document, Class<T> type) {
    return JSON.readerFor(type)
        .with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .readValue(document);
  }

  /// Indented JSON, safe for a terminal.
  public static String json(JsonNode answer) {
    String text = JSON.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(answer);
    return SafeText.inStrings(text.replace("\r\n", "\n")) + "\n";
  }

  /// JSON in one line, safe for a terminal.
  public static String line(JsonNode answer) {
    return SafeText.inStrings(JSON.writeValueAsString(answer));
  }

  /// YAML, safe for a terminal.
  public static String yaml(JsonNode answer) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setWidth(1000);
    options.setSplitLines(false);
    Object plain = JSON.treeToValue(answer, Object.class);
    String text = new Yaml(new Texts(options), options).dump(plain);
    if (text.codePoints().anyMatch(one -> one != '\n' && SafeText.isUnsafe(one))) {
      options.setAllowUnicode(false);
      text = new Yaml(new Texts(options), options).dump(plain);
    }
    return text;
  }

  /// One object of a file, in YAML or, which is YAML, JSON.
  ///
  /// @param file its name, for messages
  /// @throws CommandFailedException if it is neither
  public static JsonNode parse(String file, String text) {
    try {
      LoaderOptions options = new LoaderOptions();
      options.setAllowDuplicateKeys(false);
      return JSON.valueToTree(new Yaml(new SafeConstructor(options)).load(text));
    } catch (YAMLException | JacksonException e) {
      throw CommandFailedException.usage(
          "expected YAML or JSON in %s, but %s", file, String.valueOf(e.getMessage()));
    }
  }

  /// Texts with unsafe characters in quotes, where the library would write them as binary data.
  private static final class Texts extends Representer {

    Texts(DumperOptions options) {
      super(options);
      representers.put(
          String.class,
          text ->
              representScalar(
                  Tag.STR,
                  (String) text,
                  ((String) text).codePoints().anyMatch(SafeText::isUnsafe)
                      ? DumperOptions.ScalarStyle.DOUBLE_QUOTED
                      : DumperOptions.ScalarStyle.PLAIN));
    }
  }
}
