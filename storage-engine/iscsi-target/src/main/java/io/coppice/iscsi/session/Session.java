package io.coppice.iscsi.session;

import io.coppice.iscsi.connection.Connection;
import io.coppice.iscsi.connection.DataMemory;
import io.coppice.iscsi.connection.Portal;
import io.coppice.iscsi.login.LoginPhase;
import io.coppice.iscsi.login.SessionParameters;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.TargetDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A session (RFC 7143 §4.1) and its I_T nexus, from login to the moment when no command of it can
/// touch a volume any more. Safe for any thread; callbacks run without its lock.
public final class Session {

  /// States, in order; a session that ends while it waits skips [#OPEN].
  private enum State {
    /// Until the session that it replaces has ended.
    WAITING,
    OPEN,
    ENDING,
    ENDED
  }

  private final int handle;
  private final InitiatorPort port;
  private final Optional<TargetDevice> target;
  private final int cid;
  private final DataMemory initiatorMemory;

  // Guarded by this.
  private Connection connection;

  // Guarded by this.
  private SessionParameters parameters;

  // Guarded by this; of the last login.
  private long loginNanos;

  // Guarded by this; whether its connection is in the full feature phase. It is not while an older
  // connection, or an older session, still ends.
  private boolean settled;

  // Guarded by this.
  private Portal home;

  // Of the last ping that was answered; negative before.
  private volatile long roundTripNanos = -1;

  // Guarded by this.
  private State state = State.WAITING;

  // Guarded by this.
  private @Nullable Nexus nexus;

  // Guarded by this.
  private final List<Runnable> whenEnded = new ArrayList<>();

  /// @param login the leading login
  /// @param initiatorMemory the memory of all sessions of the initiator
  Session(
      int handle, LoginPhase.Established login, Connection connection, DataMemory initiatorMemory) {
    this.handle = handle;
    this.port = login.port();
    this.target = login.target();
    this.cid = login.cid();
    this.parameters = login.parameters();
    this.connection = connection;
    this.initiatorMemory = initiatorMemory;
    this.home = connection.portal();
  }

  /// The TSIH.
  int handle() {
    return handle;
  }

  public InitiatorPort port() {
    return port;
  }

  /// Empty for a discovery session.
  public Optional<TargetDevice> target() {
    return target;
  }

  /// The CID of its connection.
  int cid() {
    return cid;
  }

  /// The parameters that its last login agreed to.
  synchronized SessionParameters parameters() {
    return parameters;
  }

  /// Its state; empty while a login is under way and when it ends.
  public synchronized Optional<SessionState> state() {
    return state == State.OPEN && settled
        ? Optional.of(
            new SessionState(
                port,
                target.map(TargetDevice::name),
                connection.origin(),
                Duration.ofNanos(System.nanoTime() - loginNanos),
                parameters.headerDigest(),
                parameters.dataDigest(),
                roundTripNanos < 0
                    ? Optional.empty()
                    : Optional.of(Duration.ofNanos(roundTripNanos))))
        : Optional.empty();
  }

  /// Notes how long the initiator took to answer a ping, in nanoseconds.
  void answered(long nanos) {
    roundTripNanos = nanos;
  }

  public synchronized Connection connection() {
    return connection;
  }

  /// Gives the session to a newer connection (RFC 7143 §6.3.4, Connection Reinstatement).
  ///
  /// @return the older one, for the caller to end; empty if there is none in the full feature phase
  synchronized Optional<Connection> moveTo(Connection newer) {
    if (state != State.OPEN || !settled) {
      return Optional.empty();
    }
    Connection older = connection;
    connection = newer;
    settled = false;
    return Optional.of(older);
  }

  /// Its connection enters the full feature phase.
  ///
  /// @param agreed by its login
  /// @return whether the session is still open
  synchronized boolean settle(SessionParameters agreed) {
    settled = true;
    parameters = agreed;
    loginNanos = System.nanoTime();
    return state == State.OPEN;
  }

  /// The portal that its initiator came to first. If that portal was drained and sent it here, it
  /// differs from that of the connection.
  synchronized Portal home() {
    return home;
  }

  synchronized void home(Portal first) {
    home = first;
  }

  /// Whether it belongs to that portal and is at another one.
  public boolean isAwayFrom(Portal portal) {
    return home() == portal && connection().portal() != portal;
  }

  /// The pair that makes it unique; empty for a discovery session.
  Optional<LoginRedirects.NexusName> nexusName() {
    return LoginRedirects.NexusName.of(port, target);
  }

  DataMemory initiatorMemory() {
    return initiatorMemory;
  }

  synchronized Optional<Nexus> nexus() {
    return Optional.ofNullable(nexus);
  }

  /// Attaches the nexus.
  ///
  /// @return whether the session is open now; false if it was ended while it waited
  boolean open() {
    synchronized (this) {
      if (state != State.WAITING) {
        // The end was asked for while the predecessor was still there, and comes now.
        return false;
      }
      nexus = target.isPresent() ? target.get().attach(port, connection.origin()) : null;
      state = State.OPEN;
      return true;
    }
  }

  /// Ends the session. Nothing happens if it is ending already, or belongs to another connection by
  /// now. The connection starts no command after this call.
  void end(Connection from) {
    Nexus open;
    synchronized (this) {
      if (from != connection || state == State.ENDING || state == State.ENDED) {
        return;
      }
      boolean waiting = state == State.WAITING;
      state = State.ENDING;
      open = nexus;
      if (waiting) {
        // Its predecessor still runs: whoever calls #open then calls #ended.
        return;
      }
    }
    if (open == null || target.isEmpty()) {
      ended();
    } else {
      target.get().detach(open, this::ended);
    }
  }

  /// The device has let go of every command.
  void ended() {
    List<Runnable> listeners;
    synchronized (this) {
      if (state == State.ENDED) {
        return;
      }
      state = State.ENDED;
      listeners = List.copyOf(whenEnded);
      whenEnded.clear();
    }
    listeners.forEach(Runnable::run);
  }

  /// Calls `listener` once the session has ended; at once if it already has.
  void whenEnded(Runnable listener) {
    synchronized (this) {
      if (state != State.ENDED) {
        whenEnded.add(listener);
        return;
      }
    }
    listener.run();
  }
}
