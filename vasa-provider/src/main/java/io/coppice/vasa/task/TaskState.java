package io.coppice.vasa.task;

import io.coppice.vasa.fault.Fault;
import java.time.Instant;

/// The state of a task.
public sealed interface TaskState {

  /// Not begun.
  record Queued() implements TaskState {}

  /// Begun and not ended.
  record Running() implements TaskState {}

  /// Done.
  record Success(Instant finished, TaskResult result) implements TaskState {}

  /// Ended without effect.
  ///
  /// @param message one sentence: what was expected and what came
  record Failed(Instant finished, Fault fault, String message) implements TaskState {}

  /// Ended because it was withdrawn; its work up to then stays.
  record Cancelled(Instant finished) implements TaskState {}

  /// Whether the state is final.
  default boolean ended() {
    return switch (this) {
      case Queued _, Running _ -> false;
      case Success _, Failed _, Cancelled _ -> true;
    };
  }
}
