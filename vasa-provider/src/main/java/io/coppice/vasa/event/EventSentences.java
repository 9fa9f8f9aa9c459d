package io.coppice.vasa.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The sentences of changes in English. A catalog of their own has names and amounts; the one that
/// vCenter shows has the rest, and what was kept without names.
public final class EventSentences {

  private static final List<String> CATALOGS =
      List.of("/catalog/change_en.vmsg", "/catalog/event_en.vmsg");
  private static final Pattern LINE = Pattern.compile("([\\w.]+) = \"(.*)\"");
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)(:bytes)?}");
  private static final List<String> UNITS = List.of("bytes", "KiB", "MiB", "GiB", "TiB", "PiB");

  private final Map<String, List<String>> texts = new HashMap<>();

  /// Reads the catalogs of this build.
  public EventSentences() {
    for (String catalog : CATALOGS) {
      for (String line : text(catalog).lines().filter(it -> !it.isBlank()).toList()) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
          throw new IllegalStateException("expected KEY = \"TEXT\" in a catalog, got: " + line);
        }
        texts.computeIfAbsent(parts.group(1), _ -> new ArrayList<>()).add(parts.group(2));
      }
    }
  }

  private static String text(String catalog) {
    try (InputStream in = EventSentences.class.getResourceAsStream(catalog)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks the catalog " + catalog);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What happened, with a full stop; the id of the message if this version has no text for it.
  public String of(KeptChange change) {
    return of(change.messageId(), change.parameters());
  }

  /// As [#of(KeptChange)]: the first text whose parameters are all there, or else the last one.
  String of(String messageId, Map<String, String> parameters) {
    List<String> all = texts.get(messageId);
    if (all == null) {
      return messageId;
    }
    String text =
        all.stream()
            .filter(
                one ->
                    PARAMETER
                        .matcher(one)
                        .results()
                        .allMatch(it -> parameters.containsKey(it.group(1))))
            .findFirst()
            .orElse(all.getLast());
    String filled =
        PARAMETER
            .matcher(text)
            .replaceAll(
                it ->
                    Matcher.quoteReplacement(
                        value(it.group(1), it.group(2), parameters, it.group())));
    return filled.endsWith(".") ? filled : filled + ".";
  }

  private static String value(
      String name, @Nullable String form, Map<String, String> parameters, String otherwise) {
    String value = parameters.get(name);
    if (value == null) {
      return otherwise;
    }
    return form == null ? value : size(value);
  }

  /// Bytes in the largest unit in which they are whole.
  private static String size(String bytes) {
    long value;
    try {
      value = Long.parseLong(bytes);
    } catch (NumberFormatException e) {
      return bytes;
    }
    int unit = 0;
    while (value != 0 && value % 1024 == 0 && unit < UNITS.size() - 1) {
      value /= 1024;
      unit++;
    }
    return value + " " + UNITS.get(unit);
  }
}
