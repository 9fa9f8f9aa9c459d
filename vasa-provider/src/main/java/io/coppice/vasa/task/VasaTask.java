package io.coppice.vasa.task;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One run of a VASA operation that answers with a task.
///
/// @param id free text, unique for good
/// @param name the operation's name
/// @param volume the virtual volume that it works on or makes, of several the first; null for none
public record VasaTask(
    String id, String name, @Nullable VolumeId volume, Instant started, TaskState state) {

  /// When it ended; null before its end.
  public @Nullable Instant finished() {
    return switch (state) {
      case TaskState.Queued _, TaskState.Running _ -> null;
      case TaskState.Success(Instant finished, var _) -> finished;
      case TaskState.Failed(Instant finished, var _, var _) -> finished;
      case TaskState.Cancelled(Instant finished) -> finished;
    };
  }
}
