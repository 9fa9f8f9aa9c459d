package io.coppice.cli.noun;

import io.coppice.api.volume.SnapshotLock;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.TimeSpan;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The flags that say how long a lock lasts.
final class LockFlags {

  static final Flag FOR = Flag.of("--for", "TIME", "how long it is locked from now on, such as 7d");
  static final Flag UNTIL =
      Flag.of("--until", "TIME", "until when, such as 2026-12-01T00:00:00Z, by the lock time");

  private LockFlags() {}

  static SnapshotLock lock(Inputs in) {
    String length = in.text("--for");
    return new SnapshotLock(
        until(in), length == null ? null : TimeSpan.parse("--for", length).toString());
  }

  private static @Nullable Instant until(Inputs in) {
    String text = in.text("--until");
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      throw CommandFailedException.usage(
          "expected a time such as 2026-12-01T00:00:00Z as --until, got '%s'", text);
    }
  }
}
