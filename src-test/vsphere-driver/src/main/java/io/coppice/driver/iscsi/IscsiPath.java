package io.coppice.driver.iscsi;

import io.coppice.driver.scsi.ScsiRequest;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.driver.scsi.ScsiTransport;
import io.coppice.driver.scsi.TransportException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/// A way from one initiator to one target: a session that can be set up again.
///
/// Nothing is sent twice by itself. After a [TransportException] the caller decides when to
/// [#reconnect] and what to repeat. The counters go on over all sessions. Safe for several threads.
public final class IscsiPath implements ScsiTransport, AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final InetSocketAddress portal;
  private final String target;
  private final LoginSettings settings;
  private final WireCounters counters;
  private volatile IscsiSession session;

  private IscsiPath(
      InetSocketAddress portal,
      String target,
      LoginSettings settings,
      WireCounters counters,
      IscsiSession session) {
    this.portal = portal;
    this.target = target;
    this.settings = settings;
    this.counters = counters;
    this.session = session;
  }

  /// Logs in; see [IscsiSession#login].
  public static IscsiPath open(
      InetSocketAddress portal, String target, LoginSettings settings, WireCounters counters) {
    IscsiSession session = IscsiSession.login(portal, target, settings, counters);
    return new IscsiPath(portal, target, settings, counters, session);
  }

  /// The session of now.
  public IscsiSession session() {
    return session;
  }

  public String target() {
    return target;
  }

  public WireCounters counters() {
    return counters;
  }

  /// Sets up a new session with the same initiator port, whether the old one lives or not; tries
  /// again until `bound` has passed.
  ///
  /// @throws TransportException the last failure, if no session came up in time
  public synchronized void reconnect(Duration bound) {
    session.drop();
    long deadline = System.nanoTime() + bound.toNanos();
    while (true) {
      try {
        session = IscsiSession.login(portal, target, settings, counters);
        return;
      } catch (TransportException | LoginRefusedException e) {
        if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
          throw new TransportException(
              "expected a session with %s within %s: %s".formatted(target, bound, e.getMessage()),
              e);
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  @Override
  public CompletableFuture<ScsiResult> submit(ScsiRequest request) {
    return session.submit(request);
  }

  @Override
  public ScsiResult execute(ScsiRequest request) {
    return session.execute(request);
  }

  @Override
  public void close() {
    session.close();
  }
}
