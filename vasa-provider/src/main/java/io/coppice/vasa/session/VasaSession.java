package io.coppice.vasa.session;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.statistics.StatisticsContext;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// One open VASA session: the statements of `setContext`, and what the client's certificate proved.
///
/// Immutable apart from the protocol endpoints and the choice of counters, which the client
/// declares later and may declare again. Safe for any thread.
public final class VasaSession {

  private final String id;
  private final UUID number = UUID.randomUUID();
  private final Peer peer;
  private final UUID trustSet;
  private final String fingerprint;
  private final Set<String> initiators;
  private final Set<String> subscribedEvents;
  private final Duration timeout;

  private volatile Optional<Set<String>> visibleEndpoints = Optional.empty();
  private volatile StatisticsContext statistics = StatisticsContext.NONE;

  VasaSession(
      String id,
      Peer peer,
      Client client,
      Set<String> initiators,
      Set<String> subscribedEvents,
      Duration timeout) {
    this.id = id;
    this.peer = peer;
    this.trustSet = client.trustSet();
    this.fingerprint = client.fingerprint();
    this.initiators = Set.copyOf(initiators);
    this.subscribedEvents = Set.copyOf(subscribedEvents);
    this.timeout = timeout;
  }

  /// A client whose certificate chains to a registered trust set.
  ///
  /// @param trustSet the set
  /// @param fingerprint SHA-256 of its certificate, lower-case hex
  /// @param subject its certificate's subject, RFC 2253
  public record Client(UUID trustSet, String fingerprint, String subject) {}

  /// A session outside any registration, for tests of operations that need a caller.
  public static VasaSession of(String id, Peer peer) {
    return new VasaSession(
        id, peer, new Client(new UUID(0, 0), "", ""), Set.of(), Set.of(), Duration.ofMinutes(30));
  }

  /// The value of the cookie and of `sessionId`: a secret.
  public String id() {
    return id;
  }

  /// A number that tells this session from all others and is no secret.
  public UUID number() {
    return number;
  }

  public Peer peer() {
    return peer;
  }

  /// The caller as a host.
  ///
  /// @throws VasaException (InvalidArgument) if it is a vCenter
  public Peer.Host host() {
    return switch (peer) {
      case Peer.Host host -> host;
      case Peer.Vcenter _ ->
          throw new VasaException(
              new Fault.InvalidArgument(),
              "expected the session of a host, got that of a vCenter: its setContext had no hostGuid");
    };
  }

  /// The registration that its certificate chains to.
  public UUID trustSet() {
    return trustSet;
  }

  /// SHA-256 of the client certificate that opened it, lower-case hex.
  public String fingerprint() {
    return fingerprint;
  }

  /// iSCSI names the host declared, lower case.
  public Set<String> initiators() {
    return initiators;
  }

  /// `EventTypeEnum` values the client wants; empty means all.
  public Set<String> subscribedEvents() {
    return subscribedEvents;
  }

  /// The time for which it lives without a call.
  public Duration timeout() {
    return timeout;
  }

  /// `lunId`s (`naa....`) of the protocol endpoints that the host sees; empty if it has not called
  /// `setPEContext` yet.
  public Optional<Set<String>> visibleEndpoints() {
    return visibleEndpoints;
  }

  /// The counters that the client wants.
  public StatisticsContext statistics() {
    return statistics;
  }

  /// Replaces what [#statistics] returns.
  public void chooseStatistics(StatisticsContext choice) {
    statistics = choice;
  }

  /// Replaces what [#visibleEndpoints] returns.
  public void declareEndpoints(Set<String> lunIds) {
    visibleEndpoints = Optional.of(Set.copyOf(lunIds));
  }
}
