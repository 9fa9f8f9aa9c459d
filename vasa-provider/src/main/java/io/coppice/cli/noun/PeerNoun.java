package io.coppice.cli.noun;

import io.coppice.api.replication.NewPeer;
import io.coppice.api.replication.PairingOffer;
import io.coppice.api.replication.PeerChange;
import io.coppice.api.replication.PeerPool;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.profile.ShellWord;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.List;

/// The noun of the pools that a pool is paired with.
final class PeerNoun {

  private static final View<PeerPool> PEERS =
      View.of(
          PeerPool.class,
          PeerPool::id,
          Column.of("NAME", PeerPool::name),
          Column.of("ADDRESS", PeerPool::address),
          Column.of("PAIRED", PeerPool::paired),
          Column.of("CERTIFICATE EXPIRES", PeerPool::certificateExpires),
          Column.of("OBSTACLE", PeerPool::obstacle),
          Column.of("ID", PeerPool::id));

  private static final View<PairingOffer> OFFER = View.of(PairingOffer.class, PairingOffer::code);

  private static final String CODES = "/replication/codes";

  private static final Argument PEER = Argument.of(Kind.PEER, "id");

  private PeerNoun() {}

  static Noun noun() {
    return Noun.of(
        "peer",
        "other pools that this one is paired with",
        new Verb(
            "offer",
            "shows a code that pairs another pool with this one, once",
            List.of(),
            List.of(),
            List.of("POST " + CODES),
            PeerNoun::offer),
        RestVerb.of("add", "POST /replication/peers", "pairs this pool with the one of a code")
            .on(Argument.text("ADDRESS", "host and port of the other pool's REST API"))
            .with(Flag.of("--code", "CODE", "what peer offer shows at the other pool").needed())
            .body(in -> new NewPeer(in.need("ADDRESS"), in.need("--code")))
            .row(PEERS),
        RestVerb.of("list", "GET /replication/peers", "lists peers")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("name", "paired")
            .list(PEERS),
        RestVerb.of("show", "GET /replication/peers/{id}", "shows all fields of a peer")
            .on(PEER)
            .tagged()
            .sheet(PEERS),
        RestVerb.of("change", "PATCH /replication/peers/{id}", "changes where a peer is found")
            .on(PEER)
            .with(Flag.of("--address", "HOST:PORT", "where it takes links").needed())
            .guarded()
            .body(in -> new PeerChange(in.need("--address")))
            .row(PEERS),
        RestVerb.of("remove", "DELETE /replication/peers/{id}", "ends the pairing with a peer")
            .on(PEER)
            .guarded()
            .done("peer {PEER} is removed"));
  }

  private static void offer(Inputs in, ClientSession session) {
    session
        .change(new RestCall("POST", CODES, List.of(), null))
        .ifPresent(
            answer -> {
              session.printSheet(OFFER, answer);
              PairingOffer offer = Notation.as(answer, PairingOffer.class);
              session.printDone("To be typed at the other pool until then:");
              session.printDone(
                  "coppice peer add %s --code %s"
                      .formatted(ShellWord.of(offer.address()), ShellWord.of(offer.code())));
            });
  }
}
