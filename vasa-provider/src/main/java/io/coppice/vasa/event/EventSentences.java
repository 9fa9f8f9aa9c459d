package io.coppice.vasa.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The sentences of events in English. They are those of the catalog that vCenter shows.
public final class EventSentences {

  private static final String CATALOG = "/catalog/event_en.vmsg";
  private static final Pattern LINE = Pattern.compile("([\\w.]+) = \"(.*)\"");
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

  private final Map<String, String> texts = new HashMap<>();

  /// Reads the catalog of this build.
  public EventSentences() {
    for (String line : catalog().lines().filter(it -> !it.isBlank()).toList()) {
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        throw new IllegalStateException("expected KEY = \"TEXT\" in a catalog, got: " + line);
      }
      texts.put(parts.group(1), parts.group(2));
    }
  }

  private static String catalog() {
    try (InputStream in = EventSentences.class.getResourceAsStream(CATALOG)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks the catalog " + CATALOG);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What happened, with a full stop; the id of the message if this version has no text for it.
  public String of(Event event) {
    String text = texts.get(event.messageId());
    if (text == null) {
      return event.messageId();
    }
    String filled =
        PARAMETER
            .matcher(text)
            .replaceAll(
                it ->
                    Matcher.quoteReplacement(
                        event.parameters().getOrDefault(it.group(1), it.group())));
    return filled.endsWith(".") ? filled : filled + ".";
  }
}
