package io.coppice.admin.replication;

import io.coppice.admin.SystemFacts;
import io.coppice.admin.access.OpenOperation;
import io.coppice.admin.access.ShownOnce;
import io.coppice.admin.access.WithoutLogin;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.replication.NewPeer;
import io.coppice.api.replication.PairingOffer;
import io.coppice.api.replication.PeerChange;
import io.coppice.api.replication.PeerPool;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.pairing.KnownPeer;
import io.coppice.vasa.replication.pairing.Pairing;
import io.coppice.vasa.replication.pairing.PairingMessages;
import java.net.URI;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Peers: the pools that this one is paired with, and the pairing.
@RestController
final class PeerController {

  private static final String KIND = "peers";
  private static final String PATH = "/replication/peers";
  private static final String PAIRINGS = "/replication/pairings";

  private static final Orders<KnownPeer> ORDERS =
      Orders.<KnownPeer>ofIds("name", peer -> peer.pool().id())
          .text("name", peer -> peer.pool().name())
          .time("paired", KnownPeer::paired);

  private final Pairing pairing;
  private final SystemFacts facts;
  private final Turns turns;
  private final InstantSource clock;

  PeerController(Pairing pairing, SystemFacts facts, Turns turns, InstantSource clock) {
    this.pairing = pairing;
    this.facts = facts;
    this.turns = turns;
    this.clock = clock;
  }

  /// The operation that another pool calls: the proof of the code is its login.
  @Configuration(proxyBeanMethods = false)
  static class Opened {

    @Bean
    OpenOperation pairings() {
      return new OpenOperation("POST", ApiFilter.ROOT + PAIRINGS);
    }
  }

  /// Shows a new code.
  @PostMapping("/replication/codes")
  @ResponseStatus(HttpStatus.OK)
  @ShownOnce
  PairingOffer offer() {
    String code = pairing.offer();
    URI own = facts.management().get();
    return new PairingOffer(
        code,
        clock.instant().plus(Pairing.VALIDITY).truncatedTo(ChronoUnit.SECONDS),
        own.getHost() + ":" + own.getPort());
  }

  /// Answers the pool at which the code was typed.
  @PostMapping(PAIRINGS)
  @WithoutLogin
  @ShownOnce
  PairingMessages.Answer answer(@RequestBody PairingMessages.Request request) {
    try {
      return pairing.answer(request);
    } catch (VasaException e) {
      throw e.fault() instanceof Fault.InvalidLogin
          ? new RequestRejectedException(
              HttpStatus.UNAUTHORIZED, "unauthorized", null, String.valueOf(e.getMessage()))
          : e;
    }
  }

  @GetMapping(PATH)
  Page<PeerPool> list(
      @ParameterObject @SortedBy({"name", "paired"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return query.page(
        pairing.peers().stream()
            .filter(peer -> name == null || peer.pool().name().equals(name))
            .toList(),
        ORDERS,
        PeerController::view);
  }

  /// Pairs this pool with the one that shows the code.
  @PostMapping(PATH)
  Edited<PeerPool> add(@RequestBody NewPeer wanted) {
    String address = RequestRejectedException.requireField("address", wanted.address());
    String code = RequestRejectedException.requireField("code", wanted.code());
    KnownPeer peer = accepted(address, code);
    return Edited.made(
        URI.create(ApiFilter.ROOT + PATH + "/" + peer.pool().id()), view(peer), edition(peer));
  }

  private KnownPeer accepted(String address, String code) {
    try {
      return pairing.accept(address, code);
    } catch (VasaException e) {
      // The caller's own login is good: a 401 would end its session in a browser.
      throw e.fault() instanceof Fault.InvalidLogin
          ? RequestRejectedException.field("code", String.valueOf(e.getMessage()))
          : e;
    }
  }

  @GetMapping(PATH + "/{id}")
  Edited<PeerPool> get(@PathVariable UUID id) {
    return edited(pairing.peer(id));
  }

  @PatchMapping(PATH + "/{id}")
  Edited<PeerPool> change(@PathVariable UUID id, @RequestBody PeerChange wanted, IfMatch ifMatch) {
    String address = wanted.address();
    return turns.alone(
        KIND,
        id,
        () -> {
          ifMatch.require(() -> edition(pairing.peer(id)));
          return edited(address == null ? pairing.peer(id) : pairing.move(id, address));
        });
  }

  /// Ends the pairing: the certificates of its links are trusted no more.
  @DeleteMapping(PATH + "/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(@PathVariable UUID id, IfMatch ifMatch) {
    turns.alone(
        KIND,
        id,
        () -> {
          ifMatch.require(() -> edition(pairing.peer(id)));
          pairing.end(id);
          return id;
        });
  }

  private static Edited<PeerPool> edited(KnownPeer peer) {
    return Edited.of(view(peer), edition(peer));
  }

  private static Edition edition(KnownPeer peer) {
    return Edition.of(peer.pool().id())
        .with("address", peer.address())
        .with("paired", peer.paired());
  }

  private static PeerPool view(KnownPeer peer) {
    return new PeerPool(
        peer.pool().id(),
        peer.pool().name(),
        peer.address(),
        peer.paired(),
        peer.certificateExpires(),
        peer.obstacle());
  }
}
