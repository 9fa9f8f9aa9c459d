package io.coppice.vasa.binding;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.step.StepObserver;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// The protocol endpoints, and their way out of service.
///
/// Taking one out first writes the pool's record, from which on nothing new is bound there. Then it
/// adds, in one transaction, the events that ask each host to move its bindings. A crash between
/// the two leaves hosts that were not asked. [#askAgain] at start asks all hosts that have not
/// moved, and so does a second call that takes the endpoint out of service. A repeated event costs
/// a host nothing.
@Service
public final class Endpoints {

  /// Virtual volumes in one rebind event: as many as one bind may name.
  private static final int PER_EVENT = 256;

  private final LunDirectory luns;
  private final EventLog events;
  private final TransactionOperations transactions;
  private final StepObserver observer;
  private final UUID pool;

  public Endpoints(
      LunDirectory luns,
      EventLog events,
      TransactionOperations transactions,
      StorageEngine engine,
      StepObserver observer) {
    this.luns = luns;
    this.events = events;
    this.transactions = transactions;
    this.observer = observer;
    this.pool = engine.pool().id();
  }

  /// An endpoint.
  ///
  /// @param retired since when it is out of service; null while it is in service
  /// @param bindings how many bindings go through it
  /// @param leaving how many moved from it and have not left it yet
  public record Endpoint(
      ProtocolEndpoint endpoint, @Nullable Instant retired, long bindings, long leaving) {}

  /// iSCSI name of the target that has the endpoints.
  public String target() {
    return luns.endpointTarget();
  }

  /// All, in LUN order, in service or not.
  public List<ProtocolEndpoint> all() {
    return luns.endpoints();
  }

  /// As [#all], with what goes through each.
  public List<Endpoint> list() {
    Map<Integer, Instant> retired = luns.retiredEndpoints();
    Map<Integer, Long> bindings = byEndpoint(luns.bindings());
    Map<Integer, Long> leaving = byEndpoint(luns.formerBindings());
    return luns.endpoints().stream()
        .map(
            endpoint ->
                new Endpoint(
                    endpoint,
                    retired.get(endpoint.lun()),
                    bindings.getOrDefault(endpoint.lun(), 0L),
                    leaving.getOrDefault(endpoint.lun(), 0L)))
        .toList();
  }

  private static Map<Integer, Long> byEndpoint(List<Binding> bindings) {
    return bindings.stream()
        .collect(Collectors.groupingBy(one -> one.endpoint().lun(), Collectors.counting()));
  }

  /// @throws VasaException (NotFound) if there is none
  public Endpoint require(int lun) {
    return list().stream()
        .filter(one -> one.endpoint().lun() == lun)
        .findFirst()
        .orElseThrow(() -> VasaException.notFound("there is no protocol endpoint at LUN " + lun));
  }

  /// The endpoints that a client receives: those in service, and those out of service through which
  /// something is still bound. Bindings of this host count or, without one, of any host.
  public List<ProtocolEndpoint> offeredTo(Optional<HostId> host) {
    Map<Integer, Instant> retired = luns.retiredEndpoints();
    return luns.endpoints().stream()
        .filter(one -> !retired.containsKey(one.lun()) || isUsed(one, host))
        .toList();
  }

  private boolean isUsed(ProtocolEndpoint endpoint, Optional<HostId> host) {
    return Stream.concat(luns.bindings().stream(), luns.formerBindings().stream())
        .filter(binding -> binding.endpoint().equals(endpoint))
        .anyMatch(binding -> host.isEmpty() || host.get().equals(binding.host()));
  }

  /// Adds the next endpoint, and reports it to clients by an event.
  ///
  /// @throws RefusedException (EXHAUSTED) if there are as many as there may be
  public Endpoint add() {
    ProtocolEndpoint added = luns.addEndpoint(OperationId.random());
    events.append(
        NewEvent.protocolEndpoint(ChangeKind.NEW, idOf(added)),
        Map.of("lun", Integer.toString(added.lun())));
    return require(added.lun());
  }

  /// Takes an endpoint out of service: nothing new is bound through it, and hosts are asked to move
  /// what is bound. If it is out of service already, hosts that have not moved are asked again.
  ///
  /// @throws RefusedException (UNKNOWN) if there is none; (IN_USE) if no other is in service
  public Endpoint retire(int lun) {
    boolean news = !luns.retiredEndpoints().containsKey(lun);
    luns.retireEndpoint(OperationId.random(), lun);
    observer.reached("RETIRE", Step.IN_POOL);
    Endpoint retired = require(lun);
    transactions.executeWithoutResult(
        _ -> {
          if (news) {
            noteUpdate(retired.endpoint(), "taken out of service");
          }
          ask(retired.endpoint());
        });
    observer.reached("RETIRE", Step.IN_ROWS);
    return retired;
  }

  /// Puts an endpoint back into service. Bindings that have moved stay where they are.
  ///
  /// @throws RefusedException (UNKNOWN) if there is none
  public Endpoint restore(int lun) {
    boolean news = luns.retiredEndpoints().containsKey(lun);
    luns.restoreEndpoint(OperationId.random(), lun);
    observer.reached("RESTORE", Step.IN_POOL);
    Endpoint restored = require(lun);
    if (news) {
      noteUpdate(restored.endpoint(), "put back into service");
    }
    observer.reached("RESTORE", Step.IN_ROWS);
    return restored;
  }

  /// Removes an endpoint that is out of service and empty. Clients have not seen it since it got
  /// empty; an event tells them of its end.
  ///
  /// The pool's record comes first: a crash before the event loses the event only.
  ///
  /// @throws RefusedException (UNKNOWN) if there is none; (IN_USE) if it is in service, or
  ///   something is bound through it or has not left it
  public void remove(int lun) {
    Endpoint gone = require(lun);
    luns.removeEndpoint(OperationId.random(), lun);
    observer.reached("REMOVE", Step.IN_POOL);
    events.append(
        NewEvent.protocolEndpoint(ChangeKind.DELETE, idOf(gone.endpoint())),
        Map.of("lun", Integer.toString(lun)));
    observer.reached("REMOVE", Step.IN_ROWS);
  }

  private void noteUpdate(ProtocolEndpoint endpoint, String what) {
    events.append(
        NewEvent.protocolEndpoint(ChangeKind.UPDATE, idOf(endpoint)),
        Map.of("lun", Integer.toString(endpoint.lun()), "what", what));
  }

  /// Asks all hosts that have not left endpoints out of service.
  public void askAgain() {
    Map<Integer, Instant> retired = luns.retiredEndpoints();
    transactions.executeWithoutResult(
        _ ->
            luns.endpoints().stream()
                .filter(one -> retired.containsKey(one.lun()))
                .forEach(this::ask));
  }

  private void ask(ProtocolEndpoint endpoint) {
    Map<HostId, List<String>> volumes =
        luns.bindings().stream()
            .filter(binding -> binding.endpoint().equals(endpoint))
            .collect(
                Collectors.groupingBy(
                    Binding::host,
                    TreeMap::new,
                    Collectors.mapping(
                        binding -> "rfc4122." + binding.volume(), Collectors.toList())));
    volumes.forEach(
        (host, ids) -> {
          for (int i = 0; i < ids.size(); i += PER_EVENT) {
            List<String> some = ids.subList(i, Math.min(ids.size(), i + PER_EVENT));
            events.append(NewEvent.rebind(host.value(), idOf(endpoint), some));
          }
        });
  }

  private String idOf(ProtocolEndpoint endpoint) {
    return Inventory.endpointId(pool, endpoint.lun());
  }
}
