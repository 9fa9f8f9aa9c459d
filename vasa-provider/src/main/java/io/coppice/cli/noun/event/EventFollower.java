package io.coppice.cli.noun.event;

import io.coppice.api.system.Occurrence;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.output.SafeText;
import io.coppice.cli.rest.PagedList;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.rest.SentEvents;
import io.coppice.cli.verb.ClientSession;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// `events --follow`: the server's stream of events if it has one, else its list, asked again and
/// again. It goes on after a stop of the server.
final class EventFollower {

  private static final long POLL_MILLIS = 2_000;

  private final ClientSession session;
  private long last;

  EventFollower(ClientSession session) {
    this.session = session;
  }

  /// Prints events until the process is stopped.
  ///
  /// @param after id of the event before the first one; null for the newest one
  /// @throws CommandFailedException if the server refuses it
  void follow(@Nullable Long after) {
    last = after == null ? newest() : after;
    boolean streams = true;
    while (true) {
      try {
        streams = streams && stream();
        if (!streams) {
          poll();
        }
      } catch (CommandFailedException e) {
        if (e.status() != ExitStatus.UNREACHABLE && e.status() != ExitStatus.SERVER_ERROR) {
          throw e;
        }
        session.say(e.getMessage() + "; trying again");
      }
      pause();
    }
  }

  private long newest() {
    return PagedList.read(session.connection(), RestCall.get("/events"), 1).items().stream()
        .mapToLong(one -> one.path("id").asLong())
        .findFirst()
        .orElse(0);
  }

  private boolean stream() {
    Optional<InputStream> open = session.connection().stream(RestCall.get("/events/stream"), last);
    if (open.isEmpty()) {
      return false;
    }
    try {
      new SentEvents().read(open.get(), this::take);
    } catch (UncheckedIOException e) {
      session.say("the stream broke; it goes on where it ended");
    }
    return true;
  }

  /// Only events. The stream has a greeting, jobs and changed objects, too; what an event said
  /// before a restart of the server is not said again, so the greeting changes nothing here.
  private void take(SentEvents.Sent sent) {
    if (sent.type().equals("event") || sent.type().equals("message")) {
      try {
        print(Notation.read(sent.data()));
      } catch (JacksonException e) {
        throw new CommandFailedException(
            ExitStatus.SERVER_ERROR, "expected an event as JSON in the stream, got something else");
      }
    }
  }

  private void poll() {
    PagedList.read(session.connection(), RestCall.get("/events").with("after", last), null)
        .items()
        .forEach(this::print);
  }

  private void print(JsonNode event) {
    Occurrence one = Notation.as(event, Occurrence.class);
    if (one.id() <= last) {
      return;
    }
    last = one.id();
    PrintStream out = session.surroundings().out();
    OutputFormat format = session.common().format();
    switch (format) {
      case JSON -> out.println(Notation.line(event));
      case YAML -> out.print("---\n" + Notation.yaml(event));
      case NAME -> out.println(one.id());
      case TABLE, WIDE ->
          out.println(
              one.at().truncatedTo(ChronoUnit.SECONDS) + "  " + SafeText.of(one.sentence()));
    }
    out.flush();
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailedException(ExitStatus.OK, "stopped");
    }
  }
}
