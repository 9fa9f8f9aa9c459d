package io.coppice.vasa.binding;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.step.StepObserver;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.store.VolumeLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;

/// The bindings of virtual volumes for hosts (VASA 2.0 bindVirtualVolume and others).
///
/// A binding is one record of the pool and stands nowhere else. The record decides who may do I/O;
/// after a restart without a database the target serves by it. A crash after the record and before
/// the answer leaves the change made. The host repeats the bind, which counts once more. At worst
/// it ends its binds by `unbindAllVirtualVolumesFromHost` when it boots.
@Service
public final class Bindings {

  private final LunDirectory luns;
  private final VirtualVolumes volumes;
  private final VolumeLocks locks;
  private final StepObserver observer;

  public Bindings(
      LunDirectory luns, VirtualVolumes volumes, VolumeLocks locks, StepObserver observer) {
    this.luns = luns;
    this.volumes = volumes;
    this.locks = locks;
    this.observer = observer;
  }

  /// Binds each volume for a host, or counts one more bind of it.
  ///
  /// @param visible `naa.` names of the protocol endpoints that the host sees
  /// @param ids in one storage container
  /// @return one outcome per id, in order
  /// @throws VasaException (StorageFault) if the host sees no endpoint of ours; (InvalidArgument)
  ///   if the volumes are in several containers
  public List<BindOutcome> bind(HostId host, Set<String> visible, List<VolumeId> ids) {
    return bind(host, visible, BindContext.NORMAL, ids);
  }

  /// Binds as [#bind] does, but moves a binding whose endpoint is out of service to another
  /// endpoint, with its count. The former place answers as well until the host unbinds it.
  public List<BindOutcome> rebind(HostId host, Set<String> visible, List<VolumeId> ids) {
    return bind(host, visible, BindContext.REBIND_START, ids);
  }

  private List<BindOutcome> bind(
      HostId host, Set<String> visible, BindContext context, List<VolumeId> ids) {
    Set<Integer> endpoints = endpointsOf(host, visible);
    Set<UUID> containers =
        volumes.find(ids).stream().map(VirtualVolume::container).collect(Collectors.toSet());
    if (containers.size() > 1) {
      throw VasaException.invalidArgument(
          "expected virtual volumes of one storage container, got those of " + containers);
    }
    List<BindOutcome> outcomes = new ArrayList<>();
    for (VolumeId id : ids) {
      outcomes.add(bindOne(host, endpoints, context, id));
    }
    return outcomes;
  }

  private Set<Integer> endpointsOf(HostId host, Set<String> visible) {
    Set<Integer> endpoints =
        luns.endpoints().stream()
            .filter(endpoint -> visible.stream().anyMatch(endpoint.naa()::equalsIgnoreCase))
            .map(endpoint -> endpoint.lun())
            .collect(Collectors.toSet());
    if (endpoints.isEmpty()) {
      throw noEndpoint(
          "host %s sees none of this array's protocol endpoints, it declared %s"
              .formatted(host, visible));
    }
    return endpoints;
  }

  private static VasaException noEndpoint(String message) {
    return new VasaException(new Fault.StorageFault("io.coppice.fault.NoEndpoint"), message);
  }

  private BindOutcome bindOne(
      HostId host, Set<Integer> endpoints, BindContext context, VolumeId id) {
    try (var _ = locks.hold(id)) {
      VirtualVolume volume = volumes.requireReachable(id);
      if (context == BindContext.REBIND_START && movesFrom(host, id)) {
        return new BindOutcome.Bound(volume, move(host, endpoints, id));
      }
      if (of(host, id).isEmpty()) {
        requireInService(host, endpoints);
      }
      Binding binding =
          FaultTranslation.translated(() -> luns.bind(OperationId.random(), host, id, endpoints));
      observer.reached("BIND", Step.IN_POOL);
      return new BindOutcome.Bound(volume, binding);
    } catch (VasaException e) {
      return new BindOutcome.Refused(id, e);
    } catch (DataAccessException e) {
      return new BindOutcome.Refused(id, VasaException.busy("the database does not answer"));
    }
  }

  private boolean movesFrom(HostId host, VolumeId id) {
    return former(host, id).isPresent()
        || of(host, id)
            .filter(binding -> luns.retiredEndpoints().containsKey(binding.endpoint().lun()))
            .isPresent();
  }

  private Binding move(HostId host, Set<Integer> endpoints, VolumeId id) {
    if (former(host, id).isEmpty()) {
      requireInService(host, endpoints);
    }
    Binding moved =
        FaultTranslation.translated(() -> luns.rebind(OperationId.random(), host, id, endpoints));
    observer.reached("REBIND", Step.IN_POOL);
    return moved;
  }

  private void requireInService(HostId host, Set<Integer> endpoints) {
    if (luns.retiredEndpoints().keySet().containsAll(endpoints)) {
      throw noEndpoint(
          "host %s sees protocol endpoints only that are out of service, at LUN %s"
              .formatted(host, endpoints));
    }
  }

  /// One bind to be taken back.
  ///
  /// @param endpoint `naa.` name of its endpoint; empty to leave it unchecked
  /// @param secondaryId as the bind returned it; empty to leave it unchecked
  public record Handle(VolumeId volume, Optional<String> endpoint, Optional<String> secondaryId) {

    private boolean names(Binding binding) {
      return endpoint.filter(naa -> !naa.equalsIgnoreCase(binding.endpoint().naa())).isEmpty()
          && secondaryId.filter(id -> !id.equalsIgnoreCase(binding.secondaryId())).isEmpty();
    }
  }

  /// Takes one bind of a volume back. A handle of a place that a binding moved from ends that
  /// place; the binding stays. A handle of a place that the host has already left succeeds if the
  /// call ends a move.
  ///
  /// @return refused with NotFound if the host has not bound it, with InvalidArgument if the handle
  ///   is that of another binding
  public UnbindOutcome unbind(HostId host, BindContext context, Handle handle) {
    return attempt(handle.volume(), () -> unbindOne(host, context, handle));
  }

  private UnbindOutcome attempt(VolumeId volume, Runnable unbind) {
    try (var _ = locks.hold(volume)) {
      FaultTranslation.runTranslated(unbind);
      return new UnbindOutcome.Done(volume);
    } catch (VasaException e) {
      return new UnbindOutcome.Refused(volume, e);
    }
  }

  private void unbindOne(HostId host, BindContext context, Handle handle) {
    VolumeId volume = handle.volume();
    Binding binding =
        of(host, volume)
            .orElseThrow(
                () ->
                    VasaException.notFound(
                        "host %s has not bound virtual volume %s".formatted(host, volume)));
    boolean moving = context != BindContext.NORMAL;
    if (former(host, volume).filter(handle::names).isPresent()
        && (moving || !handle.names(binding))) {
      luns.leave(OperationId.random(), host, volume);
      observer.reached("LEAVE", Step.IN_POOL);
      return;
    }
    if (!handle.names(binding)) {
      if (moving) {
        return; // it was left by an unbind whose answer was lost
      }
      throw VasaException.invalidArgument(
          "expected virtual volume %s at endpoint %s with secondary id %s, got endpoint %s and %s"
              .formatted(
                  volume,
                  binding.endpoint().naa(),
                  binding.secondaryId(),
                  handle.endpoint().orElse("(any)"),
                  handle.secondaryId().orElse("(any)")));
    }
    luns.unbind(OperationId.random(), host, volume);
    observer.reached("UNBIND", Step.IN_POOL);
  }

  /// Takes all binds of a volume back that certain hosts made. The binds of other hosts stay.
  ///
  /// @param hosts the hosts whose binds end; asked for each host that has bound the volume
  /// @return refused with NotFound if it is unknown
  public UnbindOutcome unbindFromAllHosts(VolumeId id, Predicate<HostId> hosts) {
    return attempt(id, () -> unbindFrom(id, hosts));
  }

  private void unbindFrom(VolumeId id, Predicate<HostId> hosts) {
    volumes.require(id);
    luns.unbindFrom(OperationId.random(), id, hosts);
    observer.reached("UNBIND_FROM_ALL_HOSTS", Step.IN_POOL);
  }

  /// Takes all binds of a host back.
  ///
  /// @return how many bindings ended
  public int unbindAll(HostId host) {
    List<Binding> ended = luns.unbindAll(OperationId.random(), host);
    observer.reached("UNBIND_ALL", Step.IN_POOL);
    return ended.size();
  }

  /// Whether the host was ever declared.
  public boolean knows(HostId host) {
    return !luns.initiatorsOf(host).isEmpty();
  }

  /// All bindings, as the pool has them.
  public List<Binding> list() {
    return luns.bindings();
  }

  public List<Binding> of(VolumeId volume) {
    return luns.bindingsOf(volume);
  }

  private Optional<Binding> of(HostId host, VolumeId volume) {
    return luns.bindingsOf(volume).stream()
        .filter(binding -> binding.host().equals(host))
        .findFirst();
  }

  /// The places that bindings moved from and that their hosts have not left yet.
  public List<Binding> former() {
    return luns.formerBindings();
  }

  private Optional<Binding> former(HostId host, VolumeId volume) {
    return luns.formerBindings().stream()
        .filter(former -> former.host().equals(host) && former.volume().equals(volume))
        .findFirst();
  }
}
