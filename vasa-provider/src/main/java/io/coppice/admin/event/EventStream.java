package io.coppice.admin.event;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// A stream of server-sent events to one client (HTML Living Standard, 9.2). Used by one thread.
final class EventStream {

  // The types of events.
  static final String HELLO = "hello";
  static final String EVENT = "event";
  static final String CHANGED = "changed";
  static final String JOB = "job";
  static final String FIGURES = "figures";
  static final String PROBLEM = "problem";

  private final OutputStream out;
  private final JsonMapper json;
  private boolean unsent;

  EventStream(OutputStream out, JsonMapper json) {
    this.out = out;
    this.json = json;
  }

  /// Sends an event.
  ///
  /// @param id that a client resumes after; null to leave it as it was
  /// @throws IOException if the client is gone, or has read nothing for long
  void send(@Nullable Long id, String type, Object data) throws IOException {
    StringBuilder text = new StringBuilder();
    if (id != null) {
      text.append("id: ").append(id).append('\n');
    }
    text.append("event: ").append(type).append("\ndata: ");
    text.append(json.writeValueAsString(data)).append("\n\n");
    write(text.toString());
  }

  /// Sends a comment, which shows both sides that the other one is there.
  ///
  /// @throws IOException as [#send]
  void beat() throws IOException {
    write(": still here\n\n");
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    unsent = true;
  }

  /// Lets the client see what was sent.
  void flush() throws IOException {
    if (unsent) {
      out.flush();
      unsent = false;
    }
  }
}
