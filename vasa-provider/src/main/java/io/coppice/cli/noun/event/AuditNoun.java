package io.coppice.cli.noun.event;

import io.coppice.api.audit.AuditVerification;
import io.coppice.api.audit.AuditedCall;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.List;

/// The audit trail.
public final class AuditNoun {

  private static final int NEWEST = 50;

  private static final View<AuditedCall> ENTRIES =
      View.of(
          AuditedCall.class,
          AuditedCall::seq,
          Column.number("SEQ", AuditedCall::seq),
          Column.of("AT", AuditedCall::at),
          Column.of("WHO", entry -> entry.actor().account()),
          Column.of("ACTION", AuditedCall::action),
          Column.of("OBJECT", AuditedCall::object),
          Column.of("OUTCOME", AuditedCall::outcome),
          Column.of("CODE", AuditedCall::code),
          Column.<AuditedCall>of("FROM", entry -> entry.actor().address()).onlyWide(),
          Column.<AuditedCall>of("HASH", AuditedCall::hash).onlyWide());

  private static final View<AuditVerification> VERDICT =
      View.of(AuditVerification.class, AuditVerification::last);

  private AuditNoun() {}

  public static Noun noun() {
    return Noun.of(
        "audit",
        "who asked for which change, and what became of it",
        RestVerb.of("list", "GET /audit", "lists entries, the newest first (50 by default)")
            .with(
                Flag.filter("actor", "NAME", "those of an account, a token's id, or a channel"),
                Flag.filter("action", "OPERATION", "those of an operation"),
                Flag.filter("outcome", "OUTCOME", "done, accepted, refused or failed"),
                Flag.filter("object", "ID", "those about an object"),
                Flag.filter("since", "TIME", "those from a time on"),
                Flag.filter("until", "TIME", "those before a time"))
            .sortedBy("seq", "at")
            .list(ENTRIES, NEWEST),
        RestVerb.of("show", "GET /audit/{seq}", "shows all fields of an entry")
            .on(Argument.path("SEQ", "seq", "its number"))
            .sheet(ENTRIES),
        new Verb(
            "verify",
            "proves that no entry was changed, added or removed",
            List.of(),
            List.of(),
            List.of("GET /audit/verification"),
            AuditNoun::verify));
  }

  /// @throws CommandFailedException if the trail is broken
  private static void verify(Inputs inputs, ClientSession session) {
    session
        .change(RestCall.get("/audit/verification"))
        .ifPresent(
            answer -> {
              session.printSheet(VERDICT, answer);
              AuditVerification found = Notation.as(answer, AuditVerification.class);
              if (!found.intact()) {
                throw new CommandFailedException(ExitStatus.BROKEN, found.sentence());
              }
            });
  }
}
