package io.coppice.cli.noun.event;

import io.coppice.api.system.Occurrence;
import io.coppice.cli.output.Column;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.ArrayList;
import java.util.List;

/// Events.
public final class EventNoun {

  private static final int NEWEST = 50;

  static final View<Occurrence> VIEW =
      View.of(
          Occurrence.class,
          Occurrence::id,
          Column.number("ID", Occurrence::id),
          Column.of("AT", Occurrence::at),
          Column.of("WHAT", Occurrence::sentence),
          Column.<Occurrence>of("TYPE", Occurrence::type).onlyWide(),
          Column.<Occurrence>of("OBJECT", Occurrence::objectId).onlyWide(),
          Column.<Occurrence>of("MESSAGE", Occurrence::message).onlyWide());

  private EventNoun() {}

  public static Noun noun() {
    return Noun.of("event", "what happened", list());
  }

  /// The verb, which is also the command `events`.
  public static Verb list() {
    Verb plain =
        RestVerb.of(
                "list", "GET /events", "lists events, the newest first (50 by default), or follows")
            .with(Flag.filter("after", "ID", "those that came after an event, in their order"))
            .list(VIEW, NEWEST);
    List<Flag> flags = new ArrayList<>(plain.flags());
    flags.add(Flag.on("--follow", "print each event when it comes, until you stop it"));
    List<String> calls = new ArrayList<>(plain.calls());
    calls.add("GET /events/stream");
    return new Verb(
        plain.name(),
        plain.help(),
        plain.arguments(),
        flags,
        calls,
        (inputs, session) -> run(inputs, session, plain));
  }

  private static void run(Inputs inputs, ClientSession session, Verb plain) {
    if (!inputs.isOn("--follow")) {
      plain.action().run(inputs, session);
      return;
    }
    Integer after = inputs.number("--after");
    if (session.common().dryRun()) {
      session.change(RestCall.get("/events/stream"));
      return;
    }
    new EventFollower(session).follow(after == null ? null : Long.valueOf(after));
  }
}
