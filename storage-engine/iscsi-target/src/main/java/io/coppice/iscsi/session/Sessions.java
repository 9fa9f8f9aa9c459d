package io.coppice.iscsi.session;

import io.coppice.iscsi.connection.Connection;
import io.coppice.iscsi.connection.DataMemory;
import io.coppice.iscsi.connection.Portal;
import io.coppice.iscsi.login.LoginPhase;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.TargetDevice;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// All sessions of this target node. Safe for any thread.
///
/// An initiator port has one session per target. A login with its name and ISID and no TSIH ends
/// the older session. The new one is admitted when the device has let go of the older one's last
/// command (RFC 7143 §6.3.5, Session Reinstatement).
public final class Sessions {

  private final IscsiLimits.SessionLimits limits;
  private final DataMemory memory;

  // Guarded by this.
  private final Map<LoginRedirects.NexusName, Session> byNexus = new HashMap<>();

  // Guarded by this; oldest first.
  private final Set<Session> all = new LinkedHashSet<>();

  // Guarded by this.
  private final BitSet handles = new BitSet();

  // Guarded by this.
  private int lastHandle;

  /// @param memory the data of all sessions together
  public Sessions(IscsiLimits.SessionLimits limits, DataMemory memory) {
    this.limits = limits;
    this.memory = memory;
  }

  /// Opens a session for a finished login.
  ///
  /// @param home the portal that it belongs to, if that is known to be another one
  /// @param admitted called on any thread when the predecessor has ended, with whether the session
  ///   is open
  /// @return empty if there are too many
  Optional<Session> open(
      LoginPhase.Established login,
      Connection connection,
      Optional<Portal> home,
      Consumer<Boolean> admitted) {
    Session session;
    Optional<Session> previous;
    synchronized (this) {
      Optional<LoginRedirects.NexusName> nexus =
          LoginRedirects.NexusName.of(login.port(), login.target());
      if (!hasRoom(nexus)) {
        return Optional.empty();
      }
      Optional<Session> tooMany = nexus.isPresent() ? Optional.empty() : oldestDiscovery();
      session = new Session(newHandle(), login, connection, memoryOf(login.port().name()));
      all.add(session);
      Optional<Session> replaced = nexus.map(it -> byNexus.put(it, session));
      home.or(() -> replaced.map(Session::home)).ifPresent(session::home);
      previous = replaced.or(() -> tooMany);
    }
    session.whenEnded(() -> forget(session));
    Runnable open =
        () -> {
          boolean isOpen = session.open();
          if (!isOpen) {
            session.ended();
          }
          admitted.accept(isOpen);
        };
    if (previous.isPresent()) {
      previous.get().whenEnded(open);
      previous.get().connection().drop();
    } else {
      open.run();
    }
    return Optional.of(session);
  }

  /// The data memory of an initiator, as long as it has sessions.
  // Guarded by this.
  private DataMemory memoryOf(String initiatorName) {
    return all.stream()
        .filter(it -> it.port().name().equals(initiatorName))
        .map(Session::initiatorMemory)
        .findAny()
        .orElseGet(memory::part);
  }

  /// Whether one more session may open. One that replaces another takes its place. The replaced one
  /// lasts until its last command has ended, so these are bounded too.
  ///
  /// @param nexus empty for a discovery session
  // Guarded by this.
  private boolean hasRoom(Optional<LoginRedirects.NexusName> nexus) {
    long discovering = discovering();
    if (nexus.isEmpty()) {
      return discovering < 2L * limits.discovery();
    }
    boolean replaces = byNexus.containsKey(nexus.get());
    return (replaces || byNexus.size() < limits.normal())
        && all.size() - discovering < 2L * limits.normal();
  }

  /// The discovery session that gives way to a new one; empty if there is room for both. They are
  /// short, and one that stays on shall keep nobody from finding the targets.
  // Guarded by this.
  private Optional<Session> oldestDiscovery() {
    if (discovering() < limits.discovery()) {
      return Optional.empty();
    }
    Optional<Session> oldest = all.stream().filter(it -> it.target().isEmpty()).findFirst();
    // The next newcomer takes another one's place.
    oldest.ifPresent(
        it -> {
          all.remove(it);
          all.add(it);
        });
    return oldest;
  }

  // Guarded by this.
  private long discovering() {
    return all.stream().filter(it -> it.target().isEmpty()).count();
  }

  /// The session of that initiator port and target with that handle.
  synchronized Optional<Session> find(
      int handle, InitiatorPort port, Optional<TargetDevice> target) {
    return all.stream()
        .filter(it -> it.handle() == handle)
        .filter(it -> it.port().equals(port) && it.target().equals(target))
        .findAny();
  }

  public synchronized List<Session> list() {
    return List.copyOf(all);
  }

  /// The sessions of an initiator at a target.
  List<Session> of(String initiatorName, TargetDevice target) {
    return list().stream()
        .filter(session -> session.port().name().equals(initiatorName))
        .filter(session -> session.target().filter(target::equals).isPresent())
        .toList();
  }

  private synchronized void forget(Session session) {
    all.remove(session);
    handles.clear(session.handle());
    session.nexusName().ifPresent(it -> byNexus.remove(it, session));
    notifyAll();
  }

  /// Waits until no session is left.
  ///
  /// @return whether that happened in time
  public synchronized boolean awaitNone(long timeoutMs) throws InterruptedException {
    long deadline = System.nanoTime() + timeoutMs * 1_000_000;
    while (!all.isEmpty()) {
      long leftMs = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMs <= 0) {
        return false;
      }
      wait(leftMs);
    }
    return true;
  }

  // Guarded by this.
  private int newHandle() {
    do {
      lastHandle = lastHandle % 0xffff + 1;
    } while (handles.get(lastHandle));
    handles.set(lastHandle);
    return lastHandle;
  }
}
