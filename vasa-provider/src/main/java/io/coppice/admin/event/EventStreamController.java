package io.coppice.admin.event;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.description.StreamOf;
import io.coppice.admin.login.Callers;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Problem;
import io.coppice.api.job.Job;
import io.coppice.api.system.ChangedObject;
import io.coppice.api.system.LiveFigures;
import io.coppice.api.system.Occurrence;
import io.coppice.api.system.StreamHello;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/// Events, jobs and changed objects as they come (server-sent events).
@RestController
final class EventStreamController {

  private static final String LAST_ID = "Last-Event-ID";

  private final EventStreams streams;
  private final FigureSource source;
  private final Callers callers;
  private final JsonMapper json;

  EventStreamController(
      EventStreams streams, FigureSource source, Callers callers, JsonMapper json) {
    this.streams = streams;
    this.source = source;
    this.callers = callers;
    this.json = json;
  }

  /// Begins a stream after the event that the header `Last-Event-ID` names, or else `after`; with
  /// neither, with what happens from now on. The answer does not end by itself.
  ///
  /// @param figures of what it sends figures, too
  @GetMapping(path = "/events/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  @WithinContainers
  @StreamOf({
    @StreamOf.Sort(name = EventStream.HELLO, data = StreamHello.class),
    @StreamOf.Sort(name = EventStream.EVENT, data = Occurrence.class),
    @StreamOf.Sort(name = EventStream.CHANGED, data = ChangedObject.class),
    @StreamOf.Sort(name = EventStream.JOB, data = Job.class),
    @StreamOf.Sort(name = EventStream.FIGURES, data = LiveFigures.class),
    @StreamOf.Sort(name = EventStream.PROBLEM, data = Problem.class)
  })
  void stream(
      @RequestParam(required = false) @Nullable Long after,
      @RequestParam(required = false) @Nullable String figures,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    Long from = Objects.requireNonNullElseGet(lastId(request), () -> after == null ? -1L : after);
    boolean resumed = from >= 0;
    FigureFeed feed = source.feed(figures, AdminCaller.of(request).orElseThrow());
    streams.enter();
    try {
      long position = streams.startAfter(resumed ? from : null);
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      response.setCharacterEncoding(StandardCharsets.UTF_8.name());
      AsyncContext context = request.startAsync();
      context.setTimeout(0);
      EventStream stream = new EventStream(context.getResponse().getOutputStream(), json);
      context.addListener(new Ending(stream));
      streams.serve(
          stream,
          AdminCaller.of(request).orElseThrow(),
          new EventStreams.Start(position, resumed, feed),
          isValid(request),
          () -> stream.end(() -> complete(context)));
    } catch (IOException | RuntimeException e) {
      streams.leave();
      throw e;
    }
  }

  private static void complete(AsyncContext context) {
    try {
      context.complete();
    } catch (IllegalStateException e) {
      // It is over already: the connection broke.
    }
  }

  /// The end of an answer whose client has gone: without an error page, which nobody would read.
  /// The server ends the answer after this in any case, so the stream is cut off first.
  private record Ending(EventStream stream) implements AsyncListener {
    @Override
    public void onError(AsyncEvent event) {
      stream.cutOff();
      complete(event.getAsyncContext());
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }

  private static @Nullable Long lastId(HttpServletRequest request) {
    String text = request.getHeader(LAST_ID);
    if (text == null || text.isEmpty()) {
      return null;
    }
    if (!text.matches("[0-9]{1,18}")) {
      throw RequestRejectedException.field(
          LAST_ID, "expected the id of an event, got '%s'".formatted(text));
    }
    return Long.valueOf(text);
  }

  /// Whether the token or the session of the request still counts. If that cannot be asked now, it
  /// does.
  private BooleanSupplier isValid(HttpServletRequest request) {
    BooleanSupplier validity = callers.validity(request, AdminCaller.of(request).orElseThrow());
    return () -> {
      try {
        return validity.getAsBoolean();
      } catch (DataAccessException e) {
        return true;
      }
    };
  }
}
