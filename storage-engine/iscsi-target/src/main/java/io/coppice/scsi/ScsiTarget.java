package io.coppice.scsi;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.scsi.command.BlockCommands;
import io.coppice.scsi.command.PrimaryCommands;
import io.coppice.scsi.command.UnitReports;
import io.coppice.scsi.copy.CopyCommands;
import io.coppice.scsi.copy.CopyScope;
import io.coppice.scsi.copy.ExtendedCopy;
import io.coppice.scsi.copy.RodTokens;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.pool.AccessRevocation;
import io.coppice.scsi.directory.pool.DirectoryListener;
import io.coppice.scsi.directory.pool.DirectoryState;
import io.coppice.scsi.directory.pool.PoolLunDirectory;
import io.coppice.scsi.limit.FairQueues;
import io.coppice.scsi.limit.GroupLimits;
import io.coppice.scsi.limit.LimiterTimer;
import io.coppice.scsi.limit.PoolGroupLimits;
import io.coppice.scsi.limit.SystemTimer;
import io.coppice.scsi.page.NetworkAddress;
import io.coppice.scsi.reservation.Registrant;
import io.coppice.scsi.reservation.ReservationRecords;
import io.coppice.scsi.secret.InitiatorSecrets;
import io.coppice.scsi.setting.ScsiLimits;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.task.NexusState;
import io.coppice.scsi.task.Nexuses;
import io.coppice.scsi.task.UnitAttention;
import io.coppice.scsi.task.Workers;
import io.coppice.scsi.transport.OpenSession;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.scsi.transport.TargetPort;
import io.coppice.scsi.transport.UnitAddress;
import io.coppice.scsi.unit.InitiatorCounts;
import io.coppice.scsi.unit.LunResolver;
import io.coppice.scsi.unit.OffloadLedger;
import io.coppice.scsi.unit.Offloads;
import io.coppice.scsi.unit.PhaseCounts;
import io.coppice.scsi.unit.ReachLog;
import io.coppice.scsi.unit.SoftThreshold;
import io.coppice.scsi.unit.Traffic;
import io.coppice.scsi.unit.TrafficCounts;
import io.coppice.scsi.unit.UnitReservations;
import io.coppice.scsi.unit.Units;
import io.coppice.scsi.unit.VolumeUnit;
import io.coppice.scsi.unit.WellKnownUnit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/// The SCSI device server of one pool: two targets over one [LunDirectory].
///
/// It reads everything it serves from the pool when it opens. It owns neither the engine nor any
/// connection: end the transport before it, and the engine after it.
public final class ScsiTarget implements AutoCloseable {

  private static final int ENDPOINT_PORT = 1;
  private static final int PLAIN_PORT = 2;
  private static final long TIME_KEPT_NANOS = 600_000_000_000L;

  private final Workers workers;
  private final Units units;
  private final LimiterTimer alarm;
  private final PoolGroupLimits limits;
  private final RodTokens tokens;
  private final PoolLunDirectory directory;
  private final TaskRouter endpoints;
  private final TaskRouter plain;
  private final Nexuses nexuses = new Nexuses();
  private final InitiatorCounts initiators;

  private ScsiTarget(StorageEngine engine, ScsiSettings settings, LimiterTimer alarm) {
    this.alarm = alarm;
    FairQueues queues = new FairQueues(settings.limits().volumes(), alarm);
    ScsiLimits most = settings.limits().commands();
    workers = new Workers(most.workers(), most.waitingWork());
    initiators = new InitiatorCounts(most.goneInitiators());
    ReservationRecords reservations = new ReservationRecords(engine.records());
    SoftThreshold threshold =
        SoftThreshold.of(settings.medium().softThresholdPercent(), engine.space());
    units =
        new Units(
            engine,
            settings.identity(),
            reservations,
            queues,
            threshold,
            settings.directory().clock());
    limits =
        new PoolGroupLimits(
            engine.records(), queues, () -> units.all().forEach(unit -> unit.limiter().follow()));
    directory = new PoolLunDirectory(engine, settings, new Changes());
    DirectoryState state = directory.state();
    reservations.sweep(
        (volume, who) ->
            who.port() == PLAIN_PORT
                ? state.exportsTo(who.name(), volume)
                : state.bindsFor(who.name(), volume));
    for (VolumeId volume : state.usedVolumes()) {
      units.open(volume, isExportedReadOnly(volume));
    }
    tokens = new RodTokens(engine, settings, alarm);
    BlockCommands blocks =
        new BlockCommands(
            settings,
            workers,
            new CopyCommands(
                settings, engine.pool().id(), workers, new CopyScope(units, state), tokens),
            nexuses,
            new UnitReports(workers, engine));
    UUID pool = engine.pool().id();
    endpoints =
        router(
            settings,
            new TargetPort(
                directory.endpointTarget(), true, ENDPOINT_PORT, settings.identity().portalGroup()),
            pool,
            blocks);
    plain =
        router(
            settings,
            new TargetPort(
                directory.plainTarget(), false, PLAIN_PORT, settings.identity().portalGroup()),
            pool,
            blocks);
    new ThresholdWatch(threshold, engine::space, units, nexuses).start(alarm);
    keepTimeLater();
  }

  /// Keeps the time for which freed numbers have rested. A crash loses what was not written; that
  /// time is waited again.
  private void keepTimeLater() {
    alarm.at(
        alarm.now() + TIME_KEPT_NANOS,
        () -> {
          keepTime();
          keepTimeLater();
        });
  }

  private void keepTime() {
    try {
      directory.keepTime();
    } catch (StorageException e) {
      // The pool is closed or has failed: it says so elsewhere, and numbers rest longer.
    }
  }

  /// Serves the pool; a pool without a protocol endpoint gets one.
  ///
  /// @throws io.coppice.engine.StorageException if the pool fails
  public static ScsiTarget open(StorageEngine engine, ScsiSettings settings) {
    return open(engine, settings, new SystemTimer());
  }

  /// @param alarm the time that limits go by
  static ScsiTarget open(StorageEngine engine, ScsiSettings settings, LimiterTimer alarm) {
    return new ScsiTarget(engine, settings, alarm);
  }

  private TaskRouter router(
      ScsiSettings settings, TargetPort port, UUID pool, BlockCommands blocks) {
    NetworkAddress naa =
        NetworkAddress.of(settings.identity().companyId(), "well-known/" + port.name(), pool);
    LunResolver resolver =
        new LunResolver(
            port,
            directory.state(),
            units,
            settings.directory().secondaryIds(),
            new WellKnownUnit(
                naa, UUID.nameUUIDFromBytes(naa.text().getBytes(StandardCharsets.US_ASCII))));
    return new TaskRouter(
        port,
        resolver,
        new PrimaryCommands(settings, port, resolver, nexuses, pool),
        blocks,
        nexuses,
        initiators);
  }

  /// The target with the protocol endpoints and the bound volumes (LU_CONG = 1).
  public TargetDevice endpoints() {
    return endpoints;
  }

  /// The target with the plain logical units (LU_CONG = 0).
  public TargetDevice plain() {
    return plain;
  }

  /// The directory of who reaches what.
  public LunDirectory luns() {
    return directory;
  }

  /// The work that hosts let units do instead of moving the data themselves, for every volume that
  /// somebody reaches now; counted since it became reachable.
  public Map<VolumeId, OffloadLedger> offloads() {
    return units.ledgers();
  }

  /// The counts of [#offloads], and their sums.
  public Offloads offloadCounts() {
    return new Offloads() {
      @Override
      public Map<VolumeId, OffloadLedger> byVolume() {
        return units.ledgers();
      }

      @Override
      public Map<OffloadLedger.Kind, OffloadLedger.Entry> inAll() {
        return units.offloadsInAll();
      }
    };
  }

  /// The counts of what hosts read and wrote.
  public TrafficCounts traffic() {
    return new TrafficCounts() {
      @Override
      public Map<VolumeId, Traffic> byVolume() {
        return units.traffic();
      }

      @Override
      public Map<String, Traffic> byInitiator() {
        return initiators.traffic();
      }

      @Override
      public Traffic inAll() {
        return units.trafficInAll();
      }

      @Override
      public PhaseCounts readPhases() {
        return units.readPhases();
      }

      @Override
      public PhaseCounts writePhases() {
        return units.writePhases();
      }
    };
  }

  /// Who has reached which volume.
  public ReachLog.ByVolume reaches() {
    return units::reachesOf;
  }

  /// The sessions that use a volume now; none if nobody reaches it.
  public List<OpenSession> sessionsAt(VolumeId volume) {
    List<OpenSession> all = new ArrayList<>();
    units
        .of(volume)
        .ifPresent(
            unit -> {
              all.addAll(endpoints.sessionsAt(unit));
              all.addAll(plain.sessionsAt(unit));
            });
    return all;
  }

  /// Whether a volume only holds the data of a host's ROD token. If so, it belongs to the device
  /// server alone and goes by itself.
  public static boolean holdsToken(VolumeInfo volume) {
    return RodTokens.isToken(volume);
  }

  /// The secrets that initiators must prove at login.
  public InitiatorSecrets secrets() {
    return directory;
  }

  /// The limits that volumes of a group share.
  public GroupLimits limits() {
    return limits;
  }

  /// Ends the workers. No command may be outstanding.
  @Override
  public void close() {
    keepTime();
    tokens.close();
    workers.close();
    if (alarm instanceof SystemTimer system) {
      system.close();
    }
  }

  private boolean isExportedReadOnly(VolumeId volume) {
    return directory.exportOf(volume).map(Export::readOnly).orElse(false);
  }

  /// The follower of the directory's changes.
  private final class Changes implements DirectoryListener {

    @Override
    public void appeared(VolumeId volume, int endpoint, Set<String> initiators) {
      units.open(volume, isExportedReadOnly(volume));
      announce(endpoint, initiators);
    }

    @Override
    public List<OpenSession> sessions(int endpoint) {
      return (endpoint == 0 ? plain : endpoints).sessions();
    }

    @Override
    public AccessRevocation disappeared(VolumeId volume, int endpoint, Set<String> initiators) {
      Optional<VolumeUnit> found = units.of(volume);
      if (found.isEmpty()) {
        return AccessRevocation.NONE;
      }
      VolumeUnit unit = found.get();
      int port = endpoint == 0 ? PLAIN_PORT : ENDPOINT_PORT;
      UnitRevocation departure =
          new UnitRevocation(
              (left, isBack) -> {
                release(unit, left, isBack);
                unregister(
                    unit,
                    who ->
                        who.port() == port
                            && initiators.contains(who.name())
                            && !isBack.test(who.name()));
              });
      (endpoint == 0 ? plain : endpoints).closePaths(unit, initiators, departure);
      unit.reached().forget(initiators);
      unit.copies()
          .drain(
              c -> c instanceof ExtendedCopy.Hold hold && initiators.contains(hold.port().name()),
              false,
              departure.drain());
      departure.drain().release();
      announce(endpoint, initiators);
      return departure;
    }

    /// Ends SPC-2 reservations. Not earlier: only now does no command of their holders run any
    /// more.
    private void release(VolumeUnit unit, List<NexusState> left, Predicate<String> isBack) {
      for (NexusState nexus : left) {
        if (nexus.isClosed() || !isBack.test(nexus.initiator().name())) {
          unit.reservations().release(nexus);
        }
      }
    }

    private void unregister(VolumeUnit unit, Predicate<Registrant> gone) {
      UnitReservations reservations = unit.reservations();
      if (reservations.expel(gone)) {
        nexuses.raise(
            UnitAttention.RESERVATIONS_RELEASED,
            unit,
            nexus -> reservations.persistent().isRegistered(nexus.registrant()));
      }
    }

    @Override
    public AccessRevocation left(
        VolumeId volume, int endpoint, int number, Set<String> initiators) {
      UnitRevocation departure = new UnitRevocation((_, _) -> {});
      units
          .of(volume)
          .ifPresent(
              unit ->
                  endpoints.closeRoutes(
                      unit,
                      new UnitAddress.Subsidiary(endpoint, number),
                      initiators,
                      departure.drain()));
      departure.drain().release();
      announce(endpoint, initiators);
      return departure;
    }

    @Override
    public AccessRevocation expelled(Set<String> initiators) {
      UnitRevocation departure = new UnitRevocation((_, _) -> {});
      directory
          .endpoints()
          .forEach(
              e ->
                  endpoints
                      .endpointUnit(e.lun())
                      .ifPresent(unit -> endpoints.closePaths(unit, initiators, departure)));
      departure.drain().release();
      return departure;
    }

    @Override
    public AccessRevocation endpointRemoved(int endpoint) {
      UnitRevocation departure = new UnitRevocation((_, _) -> {});
      Set<String> everyone = new HashSet<>();
      directory.hosts().values().forEach(everyone::addAll);
      endpoints
          .removeEndpointUnit(endpoint)
          .ifPresent(unit -> endpoints.closePaths(unit, everyone, departure));
      departure.drain().release();
      endpoints.raise(UnitAttention.INVENTORY_CHANGED, everyone, Optional.empty());
      return departure;
    }

    @Override
    public void suspended(VolumeId volume, boolean suspended) {
      units.suspend(volume, suspended);
    }

    @Override
    public void unused(VolumeId volume) {
      units.close(volume);
      tokens.revoke(volume);
    }

    /// REPORTED LUNS DATA HAS CHANGED, at the endpoint whose subsidiary units changed, or at every
    /// plain unit.
    private void announce(int endpoint, Set<String> initiators) {
      if (endpoint == 0) {
        plain.raise(UnitAttention.INVENTORY_CHANGED, initiators, Optional.empty());
      } else {
        endpoints.raise(
            UnitAttention.INVENTORY_CHANGED, initiators, endpoints.endpointUnit(endpoint));
      }
    }
  }
}
