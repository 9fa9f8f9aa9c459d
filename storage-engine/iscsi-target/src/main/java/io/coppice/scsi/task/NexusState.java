package io.coppice.scsi.task;

import io.coppice.scsi.reservation.Registrant;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.SessionOrigin;
import io.coppice.scsi.transport.TargetPort;
import io.coppice.scsi.unit.CompletionBarrier;
import io.coppice.scsi.unit.LogicalUnit;
import io.coppice.scsi.unit.ReadsAndWrites;
import io.coppice.scsi.unit.Reserver;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A nexus and the logical units it has addressed. Safe for any thread.
public final class NexusState implements Reserver {

  private final InitiatorPort initiator;
  private final String target;
  private final SessionOrigin origin;
  private final Registrant registrant;
  private final ReadsAndWrites traffic;
  private final ConcurrentHashMap<LogicalUnit, UnitNexus> paths = new ConcurrentHashMap<>();

  /// Closed paths whose last commands have not ended.
  private final Set<UnitNexus> leaving = ConcurrentHashMap.newKeySet();

  /// Every LUN by which a path was addressed, as a quick way to it.
  private final ConcurrentHashMap<LogicalUnitNumber, UnitNexus> routes = new ConcurrentHashMap<>();

  private final CopyLists copies = new CopyLists();

  /// Bytes of Data-Out that commands hold while a limit holds them back.
  private final AtomicLong waitingBytes = new AtomicLong();

  private volatile boolean closed;

  /// @param traffic the counts of its initiator, which other nexuses may share
  public NexusState(
      InitiatorPort initiator, TargetPort port, SessionOrigin origin, ReadsAndWrites traffic) {
    this.traffic = traffic;
    this.origin = origin;
    this.initiator = initiator;
    this.target = port.name();
    this.registrant = new Registrant(initiator.name(), initiator.isid(), port.number());
  }

  /// The nexus as reservations know it.
  @Override
  public Registrant registrant() {
    return registrant;
  }

  @Override
  public InitiatorPort initiator() {
    return initiator;
  }

  /// The counts of what its initiator reads and writes, by all of its nexuses.
  public ReadsAndWrites traffic() {
    return traffic;
  }

  public SessionOrigin origin() {
    return origin;
  }

  @Override
  public String target() {
    return target;
  }

  @Nullable
  public UnitNexus route(LogicalUnitNumber lun) {
    return routes.get(lun);
  }

  public void addRoute(LogicalUnitNumber lun, UnitNexus path) {
    routes.put(lun, path);
  }

  public void removeRoutes(Predicate<LogicalUnitNumber> which) {
    routes.keySet().removeIf(which);
  }

  /// The paths addressed by such a LUN, each once.
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

  public UnitNexus pathTo(LogicalUnit unit) {
    return paths.computeIfAbsent(unit, u -> new UnitNexus(this, u));
  }

  @Nullable
  public UnitNexus existingPathTo(LogicalUnit unit) {
    return paths.get(unit);
  }

  public Collection<UnitNexus> paths() {
    return paths.values();
  }

  /// Paths that are closed, with commands under way.
  public Collection<UnitNexus> leaving() {
    return leaving;
  }

  /// Lets no more commands use the path.
  public void close(UnitNexus path) {
    leaving.add(path); // before it leaves the other: whoever looks at both misses none
    path.commands().close();
    paths.remove(path.unit(), path);
    routes.values().removeIf(p -> p == path);
    CompletionBarrier drain = new CompletionBarrier(() -> leaving.remove(path));
    path.commands().drain(_ -> true, false, drain);
    drain.release();
  }

  public AtomicLong waitingBytes() {
    return waitingBytes;
  }

  /// Its copy operations.
  public CopyLists copies() {
    return copies;
  }

  public boolean isClosed() {
    return closed;
  }

  /// No path opens after this.
  public void close() {
    closed = true;
  }
}
