package io.coppice.vasa.alert;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The texts of alerts in English: one sentence each for cause, effect and remedy. Immutable.
public final class AlertTexts {

  private static final String CATALOG = "/catalog/alert_en.vmsg";
  private static final String KEYS = "io.coppice.alert.";
  private static final Pattern LINE =
      Pattern.compile("io\\.coppice\\.alert\\.(\\w+)\\.(cause|effect|remedy) = \"(.*)\"");
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

  private final Map<String, String> texts = new HashMap<>();

  /// Reads the catalog of this build.
  public AlertTexts() {
    try (InputStream in = AlertTexts.class.getResourceAsStream(CATALOG)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks the catalog " + CATALOG);
      }
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .forEach(this::read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IllegalStateException(
          "expected KEY.cause, .effect or .remedy = \"TEXT\" in a catalog, got: " + line);
    }
    texts.put(parts.group(1) + "." + parts.group(2), parts.group(3));
  }

  /// The three sentences of an alert.
  public record Sentences(String cause, String effect, String remedy) {}

  /// The sentences of an alert; the key of the message for each that this version does not know.
  public Sentences of(Alert alert) {
    return of(alert.message(), alert.parameters());
  }

  Sentences of(String message, Map<String, String> parameters) {
    return new Sentences(
        filled(message, "cause", parameters),
        filled(message, "effect", parameters),
        filled(message, "remedy", parameters));
  }

  private String filled(String message, String part, Map<String, String> parameters) {
    String text = texts.get(message + "." + part);
    if (text == null) {
      return KEYS + message;
    }
    return PARAMETER
        .matcher(text)
        .replaceAll(
            it -> Matcher.quoteReplacement(parameters.getOrDefault(it.group(1), it.group())));
  }

  /// The messages that have texts.
  public Set<String> messages() {
    Set<String> messages = new TreeSet<>();
    texts.keySet().forEach(key -> messages.add(key.substring(0, key.indexOf('.'))));
    return messages;
  }
}
