package io.coppice.admin.job;

import io.coppice.admin.problem.HttpFailure;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.job.Job;
import io.coppice.api.job.Made;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.audit.ChangeNotes;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.snapshot.Snapshots;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/// Tasks of the services as jobs of REST.
///
/// Every operation has ended when its service returns. So the client that asked for a job never
/// sees it queued, and a refusal is the answer itself.
public final class Jobs {

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private Jobs() {}

  /// The form of a task in JSON.
  public static Job view(VasaTask task) {
    String id = task.id();
    String name = task.name();
    VolumeId volume = task.volume();
    UUID vvol = volume == null ? null : volume.value();
    Instant created = task.started();
    return switch (task.state()) {
      case TaskState.Queued _ -> new Job(id, name, "queued", 0, vvol, created, null, null, null);
      case TaskState.Running _ -> new Job(id, name, "running", 0, vvol, created, null, null, null);
      case TaskState.Success(Instant finished, TaskResult result) ->
          new Job(id, name, "success", 100, vvol, created, finished, made(task, result), null);
      case TaskState.Cancelled(Instant finished) ->
          new Job(id, name, "cancelled", 100, vvol, created, finished, null, null);
      case TaskState.Failed(Instant finished, var fault, String message) ->
          new Job(
              id,
              name,
              "error",
              100,
              vvol,
              created,
              finished,
              null,
              HttpFailure.of(fault).problem(message, String.valueOf(vvol), null));
    };
  }

  private static @Nullable Made made(VasaTask task, TaskResult result) {
    return switch (result) {
      case TaskResult.None _ -> null;
      case TaskResult.NewVolume(VolumeId volume) ->
          new Made(volume.value(), group(task), null, null);
      case TaskResult.NewVolumeAt(VolumeId volume, Instant point) ->
          new Made(volume.value(), null, point, null);
      case TaskResult.Reverted(Instant point, Instant undo) -> reverted(task, point, undo);
      case TaskResult.PreparedSnapshot(VolumeId snapshot) ->
          new Made(snapshot.value(), null, null, null);
    };
  }

  private static @Nullable Made reverted(VasaTask task, Instant point, Instant undo) {
    VolumeId volume = task.volume();
    return volume == null ? null : new Made(volume.value(), null, point, undo);
  }

  private static @Nullable String group(VasaTask task) {
    return task.name().equals(Snapshots.GROUP_TASK)
        ? task.id().substring(Snapshots.GROUP_TASK.length() + 1)
        : null;
  }

  /// @param wait value of `?wait=`, such as `10s`; null for none
  /// @return 200 if the client waits for the end, else 202 with the job's address
  /// @throws RequestRejectedException if `wait` is no time or more than a minute
  public static ResponseEntity<Job> answer(VasaTask task, @Nullable String wait) {
    if (task.state().ended()) {
      ChangeNotes.noteEndedJob();
    }
    if (wait != null) {
      checkWait(wait);
      return ResponseEntity.ok(view(task));
    }
    return ResponseEntity.accepted()
        .header(HttpHeaders.LOCATION, URI.create(ApiFilter.ROOT + "/jobs/" + task.id()).toString())
        .body(view(task));
  }

  /// @throws RequestRejectedException as [#answer]; to be called before anything changes
  public static void checkWait(@Nullable String wait) {
    if (wait == null) {
      return;
    }
    try {
      Duration asked = Duration.parse("PT" + wait.toUpperCase(Locale.ROOT));
      if (!asked.isNegative() && asked.compareTo(LONGEST_WAIT) <= 0) {
        return;
      }
    } catch (DateTimeParseException e) {
      throw RequestRejectedException.field(
          "wait", "expected a time such as 10s, got '%s'".formatted(wait));
    }
    throw RequestRejectedException.field("wait", "expected 0s to 60s, got '%s'".formatted(wait));
  }

  /// The volume that a task made that has succeeded.
  public static VolumeId madeBy(VasaTask task) {
    if (task.state() instanceof TaskState.Success(var _, TaskResult.NewVolume(VolumeId volume))) {
      return volume;
    }
    throw new IllegalStateException("expected a task that made a volume, got " + task);
  }
}
