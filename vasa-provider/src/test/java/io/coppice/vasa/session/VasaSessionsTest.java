package io.coppice.vasa.session;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Who may open a session, who may use it, how many there may be and when they end.
class VasaSessionsTest {

  private static final Duration YEAR = Duration.ofDays(365);
  private static final Duration IDLE = Duration.ofMinutes(30);
  private static final Duration LONGEST = Duration.ofHours(24);
  private static final int CALLS = 2;
  private static final int CALLS_OF_A_CLIENT = 3;
  private static final int CALLS_IN_ALL = 4;
  private static final int SESSIONS = 4;
  private static final int SESSIONS_OF_A_CLIENT = 3;

  private ControlPlane plane;
  private Issuer authority;
  private VasaSessions sessions;
  private ClientChain one;
  private ClientChain other;

  @BeforeEach
  void register() {
    plane = new ControlPlane();
    Instant now = plane.clock.instant();
    authority = Issuer.create("authority", now, YEAR);
    var trust = new TrustSets(plane.jdbc, plane.transactions, plane.clock);
    trust.register(List.of(authority.served().leaf()), List.of(), "127.0.0.1");
    sessions =
        new VasaSessions(
            trust,
            plane.luns,
            new SessionLimits(
                IDLE,
                LONGEST,
                CALLS,
                CALLS_OF_A_CLIENT,
                CALLS_IN_ALL,
                SESSIONS,
                SESSIONS_OF_A_CLIENT,
                8,
                256,
                Duration.ZERO,
                Duration.ZERO),
            plane.clock);
    one = client("esx1.test", YEAR);
    other = client("esx2.test", YEAR);
  }

  @Test
  void callsOfOneSessionBeyondItsLimitAreBusyAndThoseOfOthersAreNot() throws Exception {
    VasaSession session = open(one, "h1");
    VasaSession second = open(other, "h2");
    List<Running> running = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      running.add(new Running(caller(one, session)));
    }

    assertFault("VasaProviderBusy", () -> call(one, session));
    assertThat(call(other, second)).isEqualTo(second);

    running.getFirst().end();
    assertThat(call(one, session)).isEqualTo(session);
    running.getLast().end();
  }

  @Test
  void callsBeyondTheLimitInAllAreBusy() throws Exception {
    VasaSession session = open(one, "h1");
    VasaSession second = open(other, "h2");
    List<Running> running = new ArrayList<>();
    for (int i = 0; i < CALLS_IN_ALL; i++) {
      running.add(new Running(i < CALLS ? caller(other, second) : caller(one, session)));
    }

    assertFault("VasaProviderBusy", () -> call(other, second));

    for (Running each : running) {
      each.end();
    }
    assertThat(call(other, second)).isEqualTo(second);
  }

  /// However many sessions it has.
  @Test
  void callsOfOneCertificateBeyondItsShareAreBusyAndThoseOfOthersAreNot() throws Exception {
    VasaSession session = open(one, "h1");
    VasaSession again = open(one, "h1");
    VasaSession second = open(other, "h2");
    List<Running> running = new ArrayList<>();
    for (int i = 0; i < CALLS_OF_A_CLIENT; i++) {
      running.add(new Running(caller(one, i < CALLS ? session : again)));
    }

    assertFault("VasaProviderBusy", () -> call(one, again));
    assertThat(call(other, second)).isEqualTo(second);

    running.getFirst().end();
    assertThat(call(one, again)).isEqualTo(again);
    for (Running each : running.subList(1, running.size())) {
      each.end();
    }
  }

  @Test
  void callThatFailsGivesItsPlaceBack() throws Exception {
    VasaSession session = open(one, "h1");

    for (int i = 0; i < 2 * CALLS_IN_ALL; i++) {
      assertFault(
          "InvalidArgument",
          () ->
              sessions.call(
                  caller(one, session),
                  () -> {
                    throw VasaException.invalidArgument("it fails");
                  }));
    }

    assertThat(call(one, session)).isEqualTo(session);
  }

  @Test
  void sessionsBeyondTheLimitInAllAreRefusedAndChangeNothing() throws Exception {
    List<ClientChain> clients = new ArrayList<>();
    List<VasaSession> opened = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      clients.add(client("esx%d.test".formatted(10 + i), YEAR));
      opened.add(open(clients.get(i), "h" + i));
    }

    assertFault("StorageFault", () -> open(one, "late"));

    assertThat(plane.luns.initiatorsOf(new HostId("late"))).isEmpty();
    assertThat(claims("late")).isZero();
    assertThat(call(clients.getFirst(), opened.getFirst())).isEqualTo(opened.getFirst());
    VasaSession replaced =
        sessions.open(caller(clients.getFirst(), opened.getFirst()), context("h0"));
    assertThat(call(clients.getFirst(), replaced)).isEqualTo(replaced);
  }

  @Test
  void expiredSessionsMakeRoom() {
    for (int i = 0; i < SESSIONS; i++) {
      open(client("esx%d.test".formatted(10 + i), YEAR), "h" + i);
    }
    plane.clock.advance(IDLE.plusSeconds(1));

    open(one, "late");

    assertThat(sessions.all()).extracting(VasaSession::host).hasSize(1);
  }

  @Test
  void sessionOfAClientThatWasIdleLongestMakesRoomForItsNext() throws Exception {
    List<VasaSession> opened = new ArrayList<>();
    for (int i = 0; i < SESSIONS_OF_A_CLIENT; i++) {
      opened.add(open(one, "h1"));
      plane.clock.advance(Duration.ofSeconds(1));
    }
    call(one, opened.get(0));

    VasaSession next = open(one, "h1");

    assertThat(sessions.all()).containsExactlyInAnyOrder(opened.get(0), opened.get(2), next);
    assertFault("InvalidSession", () -> call(one, opened.get(1)));
  }

  @Test
  void sessionEndsWhenNoCallCameForItsTimeout() throws Exception {
    VasaSession session = open(one, "h1");
    plane.clock.advance(IDLE.minusSeconds(1));
    call(one, session);
    plane.clock.advance(IDLE);
    call(one, session);

    plane.clock.advance(IDLE.plusSeconds(1));

    assertFault("InvalidSession", () -> call(one, session));
    assertThat(sessions.all()).isEmpty();
    assertThat(call(one, open(one, "h1")).host().guid()).isEqualTo("h1");
  }

  @Test
  void clientChoosesTheTimeoutUpToTheLongest() throws Exception {
    VasaSession brief = open(one, context("h1", 60L));
    VasaSession endless = open(other, context("h2", Long.MAX_VALUE));
    assertThat(endless.timeout()).isEqualTo(LONGEST);
    assertThat(open(other, context("h2", 0L)).timeout()).isEqualTo(IDLE);
    assertThat(open(other, context("h2", null)).timeout()).isEqualTo(IDLE);

    plane.clock.advance(Duration.ofSeconds(61));

    assertFault("InvalidSession", () -> call(one, brief));
    assertThat(call(other, endless)).isEqualTo(endless);
    assertFault("InvalidArgument", () -> open(one, context("h1", -1L)));
  }

  @Test
  void sessionEndsWithTheCertificateThatOpenedIt() throws Exception {
    ClientChain brief = client("esx3.test", Duration.ofHours(1));
    VasaSession session = open(brief, context("h3", LONGEST.toSeconds()));
    plane.clock.advance(Duration.ofMinutes(59));
    call(brief, session);

    plane.clock.advance(Duration.ofMinutes(2));

    assertFault("InvalidSession", () -> call(brief, session));
    assertFault("InvalidSession", () -> open(brief, "h3"));
  }

  @Test
  void newContextEndsTheOldSessionOfItsOwnClientOnly() throws Exception {
    VasaSession session = open(one, "h1");

    VasaSession ofTheOther = sessions.open(caller(other, session), context("h2"));

    assertThat(call(one, session)).isEqualTo(session);
    VasaSession next = sessions.open(caller(one, session), context("h1"));
    assertFault("InvalidSession", () -> call(one, session));
    assertThat(sessions.all()).containsExactlyInAnyOrder(ofTheOther, next);
  }

  @Test
  void refusedContextLeavesTheOldSession() throws Exception {
    VasaSession session = open(one, "h1");
    open(other, "h2");

    assertFault("InvalidArgument", () -> sessions.open(caller(one, session), context("h2")));
    assertFault(
        "InvalidArgument",
        () ->
            sessions.open(
                caller(one, session), new UsageContext(null, null, Set.of(), Set.of(), null)));

    assertThat(call(one, session)).isEqualTo(session);
  }

  @Test
  void stolenSessionIdIsWorthNothingAndKeepsNothingAlive() throws Exception {
    VasaSession session = open(one, "h1");
    plane.clock.advance(IDLE);

    assertFault("InvalidSession", () -> call(other, session));
    assertFault(
        "InvalidSession",
        () ->
            sessions.call(
                new VasaCaller("127.0.0.1", Optional.empty(), Optional.of(session.id())), () -> 1));

    plane.clock.advance(Duration.ofSeconds(1));
    assertFault("InvalidSession", () -> call(one, session));
  }

  private ClientChain client(String name, Duration validity) {
    return new ClientChain(authority.issue(List.of(name), plane.clock.instant(), validity).chain());
  }

  private VasaSession open(ClientChain chain, String host) {
    return open(chain, context(host));
  }

  private VasaSession open(ClientChain chain, UsageContext context) {
    return sessions.open(caller(chain, null), context);
  }

  private VasaSession call(ClientChain chain, VasaSession session) throws Exception {
    return sessions.call(caller(chain, session), CurrentSession::get);
  }

  private static VasaCaller caller(ClientChain chain, @Nullable VasaSession session) {
    return new VasaCaller(
        "127.0.0.1", Optional.of(chain), Optional.ofNullable(session).map(VasaSession::id));
  }

  private static UsageContext context(String host) {
    return context(host, null);
  }

  private static UsageContext context(String host, @Nullable Long timeout) {
    return new UsageContext(null, host, Set.of("iqn.2026-11.test:" + host), Set.of(), timeout);
  }

  private long claims(String name) {
    return plane
        .jdbc
        .sql("SELECT count(*) FROM claim WHERE name LIKE '%' || ?")
        .param(name)
        .query(Long.class)
        .single();
  }

  /// A call that goes on until it is told to end.
  private final class Running {

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    Running(VasaCaller caller) throws Exception {
      Thread.ofVirtual().start(() -> run(caller));
      assertThat(entered.await(10, TimeUnit.SECONDS)).as("the call began").isTrue();
    }

    private void run(VasaCaller caller) {
      try {
        done.complete(
            sessions.call(
                caller,
                () -> {
                  entered.countDown();
                  return end.await(10, TimeUnit.SECONDS);
                }));
      } catch (Exception e) {
        done.completeExceptionally(e);
      }
    }

    void end() throws Exception {
      end.countDown();
      assertThat(done.get(10, TimeUnit.SECONDS)).as("the call ended when told").isTrue();
    }
  }
}
