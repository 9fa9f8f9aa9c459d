package io.coppice.admin.event;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// A stream of server-sent events to one client (HTML Living Standard, 9.2). One thread writes it;
/// any thread may cut it off.
///
/// The server uses the objects of an answer again for another client as soon as the answer is over.
/// So nothing may touch them any more when [#cutOff] has returned: neither a write nor the end of
/// the answer, which [#end] brings about once.
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
  private boolean unsent; // guarded by this
  private boolean isOver; // guarded by this

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

  private synchronized void write(String text) throws IOException {
    requireClient();
    out.write(text.getBytes(StandardCharsets.UTF_8));
    unsent = true;
  }

  private void requireClient() throws IOException {
    if (isOver) {
      throw new IOException("expected a stream that is open, but its client has gone");
    }
  }

  /// Ends the writing: what is sent from now on fails. Waits for a write that is under way, which
  /// ends when the connection breaks or the time for a write is over.
  synchronized void cutOff() {
    isOver = true;
  }

  /// Ends the answer, unless it was cut off.
  synchronized void end(Runnable ending) {
    if (!isOver) {
      isOver = true;
      ending.run();
    }
  }

  /// Lets the client see what was sent.
  synchronized void flush() throws IOException {
    requireClient();
    if (unsent) {
      out.flush();
      unsent = false;
    }
  }
}
