package io.coppice.scsi;

import io.coppice.scsi.reservation.Registrant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A nexus and the logical units it has addressed. Safe for any thread.
final class NexusState implements Nexus {

  private final InitiatorPort initiator;
  private final String target;
  private final SessionOrigin origin;
  private final Registrant registrant;
  private final ConcurrentHashMap<LogicalUnit, UnitNexus> paths = new ConcurrentHashMap<>();

  /// Closed paths whose last commands have not ended.
  private final Set<UnitNexus> leaving = ConcurrentHashMap.newKeySet();

  /// Every LUN by which a path was addressed, for a quick way to it.
  private final ConcurrentHashMap<LogicalUnitNumber, UnitNexus> routes = new ConcurrentHashMap<>();

  private final CopyLists copies = new CopyLists();

  /// Bytes of Data-Out that commands hold while a limit holds them back.
  private final AtomicLong waitingBytes = new AtomicLong();

  private volatile boolean closed;

  NexusState(InitiatorPort initiator, TargetPort port, SessionOrigin origin) {
    this.origin = origin;
    this.initiator = initiator;
    this.target = port.name();
    this.registrant = new Registrant(initiator.name(), initiator.isid(), port.number());
  }

  /// The nexus as reservations know it.
  Registrant registrant() {
    return registrant;
  }

  @Override
  public InitiatorPort initiator() {
    return initiator;
  }

  SessionOrigin origin() {
    return origin;
  }

  @Override
  public String target() {
    return target;
  }

  @Nullable UnitNexus route(LogicalUnitNumber lun) {
    return routes.get(lun);
  }

  void addRoute(LogicalUnitNumber lun, UnitNexus path) {
    routes.put(lun, path);
  }

  void removeRoutes(Predicate<LogicalUnitNumber> which) {
    routes.keySet().removeIf(which);
  }

  /// The paths that were addressed by such a LUN, each once.
  Set<UnitNexus> pathsAt(Predicate<LogicalUnitNumber> address) {
    Set<UnitNexus> found = new HashSet<>();
    routes.forEach(
        (lun, path) -> {
          if (address.test(lun)) {
            found.add(path);
          }
        });
    return found;
  }

  UnitNexus pathTo(LogicalUnit unit) {
    return paths.computeIfAbsent(unit, u -> new UnitNexus(this, u));
  }

  @Nullable UnitNexus existingPathTo(LogicalUnit unit) {
    return paths.get(unit);
  }

  Collection<UnitNexus> paths() {
    return paths.values();
  }

  /// Paths that are closed, with commands under way.
  Collection<UnitNexus> leaving() {
    return leaving;
  }

  /// Lets no more commands use the path.
  void close(UnitNexus path) {
    leaving.add(path); // before it leaves the other: whoever looks at both misses none
    path.commands().close();
    paths.remove(path.unit(), path);
    routes.values().removeIf(p -> p == path);
    Drain drain = new Drain(() -> leaving.remove(path));
    path.commands().drain(_ -> true, false, drain);
    drain.release();
  }

  AtomicLong waitingBytes() {
    return waitingBytes;
  }

  /// Its copy operations.
  CopyLists copies() {
    return copies;
  }

  boolean isClosed() {
    return closed;
  }

  /// No path opens after this.
  void close() {
    closed = true;
  }
}
