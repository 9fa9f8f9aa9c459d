package io.coppice.vasa.session;

import io.coppice.engine.OperationId;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// The open sessions. They live in memory: after a restart every client opens a new one.
///
/// A session is bound to the certificate that opened it: its id is worth nothing to anybody else.
/// Safe for any thread.
@Service
public final class VasaSessions {

  private static final Logger log = LoggerFactory.getLogger(VasaSessions.class);
  private static final Duration FOREIGN_ID_PAUSE = Duration.ofMinutes(1);

  private final TrustSets trust;
  private final LunDirectory luns;
  private final SessionLimits limits;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final Semaphore calls;
  private final Map<String, Integer> callsOfClients = new ConcurrentHashMap<>();
  private final Map<String, Open> open = new ConcurrentHashMap<>();
  private final LogThrottle foreignIds;

  public VasaSessions(
      TrustSets trust, LunDirectory luns, SessionLimits limits, InstantSource clock) {
    this.trust = trust;
    this.luns = luns;
    this.limits = limits;
    this.clock = clock;
    this.calls = new Semaphore(limits.concurrentCallsInAll());
    this.foreignIds = new LogThrottle(FOREIGN_ID_PAUSE, clock);
  }

  /// A session, with the parts that change while it lives.
  private static final class Open {
    final VasaSession session;
    final ClientChain chain;
    final Semaphore calls;
    volatile Instant lastUsed;

    Open(VasaSession session, ClientChain chain, int calls, Instant now) {
      this.session = session;
      this.chain = chain;
      this.calls = new Semaphore(calls);
      this.lastUsed = now;
    }

    /// Whether the client that has claimed the names now is still the session's own.
    boolean sameOwner(VasaSession.Client now) {
      return session.trustSet().equals(now.trustSet()) && chain.subject().equals(now.subject());
    }

    boolean belongsTo(VasaCaller caller) {
      return caller
          .chain()
          .filter(shown -> shown.fingerprint().equals(session.fingerprint()))
          .isPresent();
    }

    boolean expired(Instant now) {
      return now.isAfter(lastUsed.plus(session.timeout()));
    }
  }

  /// Opens a session and ends the caller's former one. The target knows a host's initiators before
  /// this returns.
  ///
  /// @throws VasaException (InvalidArgument) if the context names nobody or somebody else,
  ///   (InvalidSession) if the caller's certificate is missing or not trusted, (StorageFault) if
  ///   all sessions are taken
  public VasaSession open(VasaCaller caller, UsageContext context) {
    Peer peer =
        context
            .peer()
            .orElseThrow(
                () ->
                    VasaException.invalidArgument(
                        "expected a usageContext with hostGuid or vcGuid, got neither"));
    Duration timeout = timeout(context);
    ClientChain chain =
        caller
            .chain()
            .orElseThrow(
                () ->
                    VasaException.invalidSession(
                        "setContext needs a client certificate, the connection has none"));
    requireRoom(chain);
    VasaSession.Client client = peer.actor().call(() -> introduce(caller, chain, peer, context));
    caller.sessionId().ifPresent(id -> end(id, chain));
    var session =
        new VasaSession(
            newId(), peer, client, context.initiators(), context.subscribedEvents(), timeout);
    admit(new Open(session, chain, limits.concurrentCalls(), clock.instant()));
    requireStillTrusted(session, chain);
    endIf(o -> o.session.peer().equals(peer) && !o.sameOwner(client));
    log.atInfo()
        .addKeyValue("peer", peer)
        .addKeyValue("subject", client.subject())
        .addKeyValue("address", caller.address())
        .log("session opened");
    return session;
  }

  /// Makes a peer known: what that changes is its own work.
  private VasaSession.Client introduce(
      VasaCaller caller, ClientChain chain, Peer peer, UsageContext context) {
    VasaSession.Client client =
        trust.claim(new Claims.Client(chain, caller.address()), peer, context.initiators(), limits);
    if (peer instanceof Peer.Host host) {
      declare(host.id(), context);
    }
    return client;
  }

  /// The number of sessions that have not expired.
  public int count() {
    Instant now = clock.instant();
    return (int) open.values().stream().filter(session -> !session.expired(now)).count();
  }

  /// The actor of a call that needs no session: the peer of the caller's session, if it has one.
  public Actor actorOf(VasaCaller caller) {
    return caller
        .sessionId()
        .flatMap(id -> Optional.ofNullable(open.get(id)))
        .filter(found -> found.belongsTo(caller) && !found.expired(clock.instant()))
        .map(found -> found.session.peer().actor())
        .orElseGet(() -> Actor.vasa("client at " + caller.address()));
  }

  /// Runs `work` in the caller's session.
  ///
  /// @throws VasaException (InvalidSession) if the caller has no session or its certificate is
  ///   another one; (VasaProviderBusy) if the limit of running calls is reached: of the session, of
  ///   its certificate, or of all
  public <T> T call(VasaCaller caller, Callable<T> work) throws Exception {
    Open found = require(caller);
    found.lastUsed = clock.instant();
    begin(found);
    try {
      return CurrentSession.call(found.session, work);
    } finally {
      end(found);
      found.lastUsed = clock.instant();
    }
  }

  private void begin(Open session) {
    String client = session.session.fingerprint();
    if (callsOfClients.merge(client, 1, Integer::sum) > limits.concurrentCallsPerClient()) {
      left(client);
      throw VasaException.busy(
          "%d calls of this client certificate run already, which is the limit"
              .formatted(limits.concurrentCallsPerClient()));
    }
    if (!session.calls.tryAcquire()) {
      left(client);
      throw VasaException.busy(
          "%d calls of this session run already, which is the limit"
              .formatted(limits.concurrentCalls()));
    }
    if (!calls.tryAcquire()) {
      session.calls.release();
      left(client);
      throw VasaException.busy(
          "%d calls run already, which is the limit".formatted(limits.concurrentCallsInAll()));
    }
  }

  private void end(Open session) {
    calls.release();
    session.calls.release();
    left(session.session.fingerprint());
  }

  private void left(String client) {
    callsOfClients.computeIfPresent(client, (_, running) -> running == 1 ? null : running - 1);
  }

  /// The caller's session, if it has one.
  public Optional<VasaSession> find(VasaCaller caller) {
    try {
      return Optional.of(require(caller).session);
    } catch (VasaException _) {
      return Optional.empty();
    }
  }

  /// Every open session.
  public List<VasaSession> all() {
    Instant now = clock.instant();
    return open.values().stream().filter(o -> !o.expired(now)).map(o -> o.session).toList();
  }

  /// The time of the last call of each host with an open session.
  public Map<HostId, Instant> hostsLastSeen() {
    Instant now = clock.instant();
    Map<HostId, Instant> seen = new HashMap<>();
    for (Open one : open.values()) {
      if (!one.expired(now) && one.session.peer() instanceof Peer.Host host) {
        seen.merge(host.id(), one.lastUsed, (a, b) -> a.isAfter(b) ? a : b);
      }
    }
    return seen;
  }

  /// Ends the sessions of a registration that its roots and lists no longer carry.
  void review(UUID trustSet) {
    List<TrustSet> sets = trust.all();
    endIf(
        o ->
            o.session.trustSet().equals(trustSet)
                && sets.stream()
                    .noneMatch(
                        set ->
                            set.id().equals(trustSet)
                                && set.distance(o.chain, clock.instant()).isPresent()));
  }

  /// Requires that the client is still trusted. A change of trust ends the sessions that are open
  /// by then; a session opened meanwhile sees the change here.
  private void requireStillTrusted(VasaSession session, ClientChain chain) {
    Set<UUID> trusting = trust.idsTrusting(chain);
    if (!trusting.contains(session.trustSet())) {
      open.remove(session.id());
      throw VasaException.invalidSession(
          trusting.isEmpty()
              ? trust.distrust(chain)
              : "the registration of %s has just been ended".formatted(chain.subject()));
    }
  }

  private Open require(VasaCaller caller) {
    String id =
        caller
            .sessionId()
            .orElseThrow(() -> VasaException.invalidSession("the request has no session cookie"));
    Open found = open.get(id);
    Instant now = clock.instant();
    if (found == null) {
      throw VasaException.invalidSession("the session is unknown or has ended");
    }
    if (!found.belongsTo(caller)) {
      warnOfForeignId(caller, found.session);
      throw VasaException.invalidSession("the session belongs to another client certificate");
    }
    if (now.isAfter(found.chain.leaf().getNotAfter().toInstant())) {
      open.remove(id, found);
      throw VasaException.invalidSession(
          "the client certificate %s of this session has expired".formatted(found.chain.subject()));
    }
    if (found.expired(now)) {
      open.remove(id, found);
      throw VasaException.invalidSession(
          "the session has expired, %s after its last call".formatted(found.session.timeout()));
    }
    return found;
  }

  /// Warns once a minute for a client, because a client that tries ids may go on for long.
  private void warnOfForeignId(VasaCaller caller, VasaSession session) {
    long times =
        foreignIds.count(
            caller.address() + " " + caller.chain().map(ClientChain::fingerprint).orElse(""));
    if (times > 0) {
      log.atWarn()
          .addKeyValue("address", caller.address())
          .addKeyValue("peer", session.peer())
          .addKeyValue("times", times)
          .log("session id shown with another certificate than the one that opened it");
    }
  }

  private void end(String id, ClientChain chain) {
    Open old = open.get(id);
    if (old != null && old.session.fingerprint().equals(chain.fingerprint())) {
      open.remove(id, old);
    }
  }

  /// Requires room before a new client's names are claimed: a refused context changes nothing.
  private synchronized void requireRoom(ClientChain chain) {
    endIf(o -> o.expired(clock.instant()));
    if (open.size() >= limits.sessions() && of(chain.fingerprint()).isEmpty()) {
      throw full();
    }
  }

  /// Admits a session. Only sessions of one certificate make room for each other.
  private synchronized void admit(Open fresh) {
    endIf(o -> o.expired(clock.instant()));
    List<Open> same = of(fresh.session.fingerprint());
    boolean full = open.size() >= limits.sessions();
    if (full && same.isEmpty()) {
      throw full();
    }
    if (full || same.size() >= limits.sessionsPerClient()) {
      open.remove(same.getFirst().session.id());
    }
    open.put(fresh.session.id(), fresh);
  }

  /// Sessions of one certificate, the one idle longest first.
  private List<Open> of(String fingerprint) {
    return open.values().stream()
        .filter(o -> o.session.fingerprint().equals(fingerprint))
        .sorted(Comparator.comparing(o -> o.lastUsed))
        .toList();
  }

  private VasaException full() {
    return new VasaException(
        new Fault.StorageFault("io.coppice.fault.TooManySessions"),
        "%d sessions are open, which is the limit".formatted(limits.sessions()));
  }

  private void endIf(Predicate<Open> condition) {
    open.values().removeIf(condition);
  }

  /// Declares a host's initiators. An empty list leaves known ones: running I/O goes on.
  private void declare(HostId host, UsageContext context) {
    if (context.initiators().isEmpty() && !luns.initiatorsOf(host).isEmpty()) {
      return;
    }
    Set<String> before = luns.hosts().get(host);
    luns.declareHost(OperationId.random(), host, context.initiators());
    Set<String> now = luns.initiatorsOf(host);
    if (!now.equals(before)) {
      noteHost(host, before == null ? ChangeKind.NEW : ChangeKind.UPDATE, now);
    }
  }

  private void noteHost(HostId host, ChangeKind kind, Set<String> initiators) {
    NewChange change =
        NewChange.of(
            ChangeTopic.ACCESS,
            kind,
            new NewChange.Subject(ObjectType.HOST, host.value(), "Host" + kind.wireName()),
            Map.of(
                "host",
                host.value(),
                "initiators",
                initiators.isEmpty() ? "none" : String.join(", ", initiators)));
    trust.changes().note(change);
  }

  private Duration timeout(UsageContext context) {
    Long seconds = context.timeoutInSeconds();
    if (seconds == null || seconds == 0) {
      return limits.defaultTimeout();
    }
    if (seconds < 0) {
      throw VasaException.invalidArgument(
          "expected a sessionTimeoutInSeconds of 0 or more, got " + seconds);
    }
    long most = limits.longestTimeout().toSeconds();
    return Duration.ofSeconds(Math.min(seconds, most));
  }

  private String newId() {
    byte[] bytes = new byte[24];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
