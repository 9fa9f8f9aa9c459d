package io.coppice.admin.event;

import io.coppice.api.system.LiveFigures;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// The figures that one stream sends again and again. Used by one thread.
final class FigureFeed {

  private final List<FigureSubject> subjects;
  private final FigureSource source;
  private final long interval;
  private long due = System.nanoTime();

  /// @param subjects none if the stream has no figures
  FigureFeed(List<FigureSubject> subjects, FigureSource source, Duration interval) {
    this.subjects = subjects;
    this.source = source;
    this.interval = interval.toNanos();
  }

  /// Nanoseconds from `now` until the next ones are due.
  ///
  /// @param now by [System#nanoTime]
  long left(long now) {
    return subjects.isEmpty() ? Long.MAX_VALUE : due - now;
  }

  /// Sends the figures if they are due. A client that read nothing meanwhile gets those of now, not
  /// what it missed.
  void sendDue(EventStream stream) throws IOException {
    if (left(System.nanoTime()) > 0) {
      return;
    }
    for (LiveFigures figures : source.now(subjects)) {
      stream.send(null, EventStream.FIGURES, figures);
    }
    due = System.nanoTime() + interval;
  }
}
