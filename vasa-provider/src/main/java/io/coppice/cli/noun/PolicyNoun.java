package io.coppice.cli.noun;

import io.coppice.api.policy.Policy;
import io.coppice.api.policy.PolicyDraft;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.ByteSize;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.TimeSpan;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.NamedObject;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Policies: capability profiles.
final class PolicyNoun {

  private static final View<Policy> VIEW =
      View.of(
          Policy.class,
          Policy::id,
          Column.of("NAME", Policy::name),
          Column.of("SPACE", Policy::spaceEfficiency),
          Column.of("SNAPSHOTS", Policy::snapshotInterval),
          Column.of("KEPT", Policy::snapshotRetention),
          Column.number("MAX IOPS", Policy::maxIops),
          Column.size("MAX BANDWIDTH", Policy::maxBandwidth),
          Column.of("POINT AGE", Policy::recoveryPointAge),
          Column.of("ID", Policy::id),
          Column.<Policy>of("POINTS KEPT", Policy::recoveryPointsKept).onlyWide(),
          Column.<Policy>of("POINTS LOCKED", Policy::recoveryPointsLocked).onlyWide(),
          Column.<Policy>number("GENERATION", Policy::generation).onlyWide(),
          Column.<Policy>of("DESCRIPTION", Policy::description).onlyWide(),
          Column.<Policy>of("AUTHOR", Policy::author).onlyWide(),
          Column.<Policy>of("CREATED", Policy::created).onlyWide());

  private static final String PATH = "/policies";

  private static final List<String> TIMES =
      List.of(
          "snapshotInterval",
          "snapshotRetention",
          "recoveryPointAge",
          "recoveryPointsKept",
          "recoveryPointsLocked");

  private static final Argument POLICY = Argument.of(Kind.POLICY, "id");

  private PolicyNoun() {}

  static Noun noun() {
    return Noun.of(
        "policy",
        "policies of storage",
        new Verb(
            "apply",
            "makes the policy of a file, or changes the one of its name",
            List.of(),
            List.of(
                Flag.of("--file", "FILE", "fields of a policy in YAML or JSON; - is the input")
                    .needed()),
            NamedObject.operations(PATH),
            PolicyNoun::apply),
        RestVerb.of(
                "preview",
                "POST /policies/{id}/preview",
                "tells what the policy of a file would do to the volumes; nothing changes")
            .on(POLICY)
            .with(
                Flag.of("--file", "FILE", "fields of a policy in YAML or JSON; - is the input")
                    .needed())
            .body(in -> draft(in.need("--file"), in.file("--file")))
            .document(),
        RestVerb.of(
                "reapply",
                "POST /policies/{id}/apply",
                "gives its present edition to the plain volumes that have an older one")
            .on(POLICY)
            .with(Flag.filter("generation", "N", "only if this is still the present one"))
            .document(),
        RestVerb.of("list", "GET /policies", "lists policies")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("created", "name")
            .list(VIEW),
        RestVerb.of("show", "GET /policies/{id}", "shows all fields of a policy")
            .on(POLICY)
            .tagged()
            .sheet(VIEW),
        RestVerb.of("delete", "DELETE /policies/{id}", "deletes a policy")
            .on(POLICY)
            .guarded()
            .done("policy {POLICY} is deleted"));
  }

  private static void apply(Inputs inputs, ClientSession session) {
    PolicyDraft wanted = draft(inputs.need("--file"), inputs.file("--file"));
    NamedObject policy =
        new NamedObject(
            PATH, "policy", String.valueOf(wanted.name()), now -> ofGeneration(wanted, now));
    session
        .change(policy.call(session, wanted))
        .ifPresent(answer -> session.printRow(VIEW, answer));
  }

  private static PolicyDraft ofGeneration(PolicyDraft wanted, long now) {
    Long asked = wanted.generation();
    return new PolicyDraft(
        wanted.name(),
        wanted.description(),
        asked == null ? Long.valueOf(now) : asked,
        wanted.spaceEfficiency(),
        wanted.snapshotInterval(),
        wanted.snapshotRetention(),
        wanted.maxIops(),
        wanted.maxBandwidth(),
        wanted.recoveryPointAge(),
        wanted.recoveryPointsKept(),
        wanted.recoveryPointsLocked(),
        wanted.containers());
  }

  /// The policy of a file; times and sizes may be written as on the command line.
  ///
  /// @throws CommandFailedException if it is no policy with a name
  static PolicyDraft draft(String file, String text) {
    if (!(Notation.parse(file, text) instanceof ObjectNode fields)) {
      throw CommandFailedException.usage("expected the fields of a policy in %s", file);
    }
    for (String time : TIMES) {
      if (fields.path(time).isString()) {
        fields.put(time, TimeSpan.parse(time, fields.path(time).asString()).toString());
      }
    }
    JsonNode bandwidth = fields.path("maxBandwidth");
    if (bandwidth.isString()) {
      fields.put("maxBandwidth", ByteSize.parse("maxBandwidth", bandwidth.asString()));
    }
    try {
      PolicyDraft draft = Notation.asExactly(fields, PolicyDraft.class);
      if (draft.name() == null) {
        throw CommandFailedException.usage("expected the field name in %s, got none", file);
      }
      return draft;
    } catch (JacksonException e) {
      throw CommandFailedException.usage(
          "expected the fields of a policy in %s, but %s", file, e.getOriginalMessage());
    }
  }
}
