package io.coppice.cli.verb;

import io.coppice.api.Problem;
import io.coppice.api.job.Job;
import io.coppice.api.job.Made;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.ProgressLine;
import io.coppice.cli.output.SafeText;
import io.coppice.cli.rest.RestCall;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The end of a job: the command waits for it and shows what the job has made.
public final class JobWait {

  /// Jobs; the key of one is what it has made, or else its own id.
  public static final View<Job> VIEW =
      View.of(
          Job.class,
          JobWait::made,
          Column.of("ID", Job::id),
          Column.of("NAME", Job::name),
          Column.of("STATE", Job::state),
          Column.number("%", Job::progress),
          Column.of("MADE", JobWait::madeOrNull),
          Column.of("CREATED", Job::created),
          Column.of("ERROR", job -> job.error() == null ? null : job.error().detail()),
          Column.<Job>of("VVOL", Job::vvol).onlyWide(),
          Column.<Job>of("FINISHED", Job::finished).onlyWide());

  private static final long POLL_MILLIS = 500;

  private JobWait() {}

  /// Shows a job, after its end unless the command line says `--no-wait`.
  ///
  /// @throws CommandFailedException if it ended with an error, or has not ended in time
  public static void finish(ClientSession session, JsonNode started) {
    JsonNode last = session.common().awaited() ? ended(session, started) : started;
    session.printRow(VIEW, last);
    Job job = Notation.as(last, Job.class);
    sayMoment(session, job.result());
    Problem error = job.error();
    if (error != null || job.state().equals("cancelled")) {
      throw new CommandFailedException(
          ExitStatus.JOB_FAILED,
          error == null
              ? "job %s was cancelled".formatted(job.id())
              : "job %s failed: %s".formatted(job.id(), error.detail()),
          error == null ? null : "code %s, trace id %s".formatted(error.code(), error.traceId()));
    }
  }

  private static void sayMoment(ClientSession session, @Nullable Made result) {
    if (result != null && result.point() != null) {
      session.say(
          "it holds what was there at %s%s"
              .formatted(
                  result.point(),
                  result.undo() == null
                      ? ""
                      : "; a revert with --moment=%s takes that back".formatted(result.undo())));
    }
  }

  private static JsonNode ended(ClientSession session, JsonNode started) {
    JsonNode last = started;
    Job job = Notation.as(last, Job.class);
    if (hasEnded(job)) {
      return last;
    }
    long end = System.nanoTime() + session.common().longestWait().toNanos();
    ProgressLine progress =
        new ProgressLine(session.surroundings(), SafeText.of(Objects.requireNonNull(job.name())));
    try {
      while (!hasEnded(job)) {
        progress.show(job.progress());
        if (System.nanoTime() - end > 0) {
          throw new CommandFailedException(
              ExitStatus.JOB_FAILED, "job %s has not ended yet; it goes on".formatted(job.id()));
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        last = session.connection().send(RestCall.get("/jobs/" + RestCall.segment(job.id())));
        job = Notation.as(last, Job.class);
      }
      progress.show(job.progress());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailedException(
          ExitStatus.JOB_FAILED, "interrupted; job %s goes on".formatted(job.id()));
    } finally {
      progress.end();
    }
    return last;
  }

  private static boolean hasEnded(Job job) {
    return !job.state().equals("queued") && !job.state().equals("running");
  }

  private static String made(Job job) {
    String made = madeOrNull(job);
    return made == null ? job.id() : made;
  }

  private static @Nullable String madeOrNull(Job job) {
    Made result = job.result();
    if (result == null) {
      return null;
    }
    return result.group() == null ? result.id().toString() : result.group();
  }
}
