package io.coppice.cli.rest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// A stream of server-sent events (HTML Living Standard, 9.2).
public final class SentEvents {

  private static final int LONGEST = 1 << 20;

  /// One event.
  ///
  /// @param id of the last event that had one; empty if none had
  /// @param type `message` if it has none
  public record Sent(String id, String type, String data) {}

  private String id = "";
  private String type = "";
  private final StringBuilder data = new StringBuilder();

  /// Reads until the stream ends.
  ///
  /// @throws UncheckedIOException if it breaks, or an event is longer than 1 MiB
  public void read(InputStream stream, Consumer<Sent> consumer) {
    try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      String line;
      while ((line = lines.readLine()) != null) {
        take(line, consumer);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void take(String line, Consumer<Sent> consumer) throws IOException {
    if (line.isEmpty()) {
      if (!data.isEmpty()) {
        consumer.accept(
            new Sent(id, type.isEmpty() ? "message" : type, data.substring(0, data.length() - 1)));
      }
      data.setLength(0);
      type = "";
      return;
    }
    int colon = line.indexOf(':');
    String field = colon < 0 ? line : line.substring(0, colon);
    String value = colon < 0 ? "" : line.substring(colon + 1);
    String text = value.startsWith(" ") ? value.substring(1) : value;
    switch (field) {
      case "id" -> id = text;
      case "event" -> type = text;
      case "data" -> {
        if (data.length() + text.length() > LONGEST) {
          throw new IOException("expected events of at most 1 MiB, got a longer one");
        }
        data.append(text).append('\n');
      }
      default -> {} // a comment, or a field of later versions
    }
  }
}
