package io.coppice.cli.noun;

import io.coppice.api.job.Job;
import io.coppice.api.job.Made;
import io.coppice.api.volume.Named;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.Notation;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.JobWait;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Verb;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// `volume clone`: a snapshot of the volume, and a volume made from it. The snapshot stays.
final class CloneVerb {

  private static final String LONGEST_WAIT = "60s";

  private CloneVerb() {}

  static Verb verb() {
    return new Verb(
        "clone",
        "makes a volume with the same content, through a snapshot that stays (two jobs)",
        List.of(Argument.of(Kind.VOLUME, "id"), Argument.text("NAME", "name of the new volume")),
        List.of(Flag.of("--snapshot", "NAME", "name of the snapshot (NAME by default)")),
        List.of("POST /vvols/{id}/snapshots", "POST /snapshots/{id}/clone"),
        CloneVerb::run);
  }

  private static void run(Inputs inputs, ClientSession session) {
    String name = inputs.need("NAME");
    String snapshot = Objects.requireNonNullElse(inputs.text("--snapshot"), name);
    String volume = Objects.requireNonNull(inputs.id("VOLUME", Kind.VOLUME));
    Optional<JsonNode> taken =
        session.change(job("/vvols/%s/snapshots".formatted(RestCall.segment(volume)), snapshot));
    if (taken.isEmpty()) {
      session.say("then, with result.id of the answer in the place of SNAPSHOT:");
      session.change(job("/snapshots/SNAPSHOT/clone", name));
      return;
    }
    Job job = Notation.as(taken.get(), Job.class);
    Made made = job.result();
    if (made == null) {
      throw new CommandFailedException(
          ExitStatus.JOB_FAILED, "expected job %s to end with a snapshot".formatted(job.id()));
    }
    session
        .change(job("/snapshots/%s/clone".formatted(made.id()), name))
        .ifPresent(answer -> JobWait.finish(session, answer));
  }

  private static RestCall job(String path, String name) {
    return new RestCall("POST", path, List.of(), Notation.write(new Named(name)))
        .with("wait", LONGEST_WAIT);
  }
}
