package io.coppice.vasa.binding;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// Announced moves of bindings from one host to another (VASA 2.0 prepareForBindingChange,
/// bindingChangeComplete, cancelBindingChange).
///
/// Two hosts may have a virtual volume bound at once, so a move needs nothing from the target. A
/// move is prepared when it is known that the destination may bind, and complete when it has bound.
/// A prepared move stands in one row per volume and destination, written in one transaction with
/// its task, and outlives a restart. If nobody ends it, it is forgotten after a time, or with its
/// volume.
///
/// Each call comes with the hosts that its caller may speak for. Other hosts, their bindings and
/// their destinations do not exist for it. So a volume has one change for each registration.
///
/// An end that also ends bindings removes the bindings in the pool first, then the row. A crash
/// between the two leaves a change that can be ended again, which finds the bindings gone.
@Service
public final class BindingMoves {

  private final Bindings bindings;
  private final VirtualVolumes volumes;
  private final Tasks tasks;
  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final InstantSource clock;
  private final SeenTime time;
  private final BindingChangeSettings settings;

  public BindingMoves(
      Bindings bindings,
      VirtualVolumes volumes,
      Tasks tasks,
      JdbcClient jdbc,
      TransactionOperations transactions,
      InstantSource clock,
      SeenTime time,
      BindingChangeSettings settings) {
    this.bindings = bindings;
    this.volumes = volumes;
    this.tasks = tasks;
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.clock = clock;
    this.time = time;
    this.settings = settings;
  }

  /// Announces that the bindings of volumes move to a host: all of them or, if one cannot, none. A
  /// change of a volume that is prepared for the same host begins anew.
  ///
  /// @param ids at least one
  /// @param own the caller's hosts
  /// @return the task, ended
  /// @throws VasaException (NotFound) if a volume or the host is unknown; (InvalidArgument) if a
  ///   volume is not bound by another host, or is prepared to move to another one
  public VasaTask prepare(List<VolumeId> ids, HostId destination, Predicate<HostId> own) {
    if (!bindings.knows(destination) || !own.test(destination)) {
      throw VasaException.notFound("there is no host " + destination);
    }
    Set<VolumeId> distinct = new TreeSet<>(Comparator.comparing(VolumeId::value));
    distinct.addAll(ids);
    distinct.forEach(id -> requireMovable(id, destination, own));
    String task = Tasks.idOf("prepareForBindingChange", UUID.randomUUID());
    transactions.executeWithoutResult(
        _ -> {
          forgetOld();
          distinct.forEach(id -> put(id, destination, own));
          tasks.begin(task, ids.getFirst());
          tasks.succeed(task, new TaskResult.None());
        });
    return tasks.require(task);
  }

  private void requireMovable(VolumeId id, HostId destination, Predicate<HostId> own) {
    volumes.requireReady(id);
    if (bindings.of(id).stream().map(Binding::host).filter(own).allMatch(destination::equals)) {
      throw VasaException.invalidArgument(
          "expected a virtual volume that another host than %s has bound, got %s"
              .formatted(destination, id));
    }
  }

  /// Writes under a lock of the volume's row: of two at once one finds the other's change.
  private void put(VolumeId id, HostId destination, Predicate<HostId> own) {
    jdbc.sql("select id from volume where id = ? for update")
        .param(id.value())
        .query(UUID.class)
        .optional();
    destinationOf(id, own)
        .filter(other -> !other.equals(destination))
        .ifPresent(
            other -> {
              throw VasaException.invalidArgument(
                  "expected a virtual volume without another binding change, but %s moves to %s"
                      .formatted(id, other));
            });
    jdbc.sql(
            """
            insert into binding_change (volume_id, destination, prepared_at)
            values (:volume, :destination, :now)
            on conflict (volume_id, destination) do update set prepared_at = excluded.prepared_at
            """)
        .param("volume", id.value())
        .param("destination", destination.value())
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .update();
  }

  /// Forgets old changes. After a jump of the clock all are kept for the full time.
  private void forgetOld() {
    if (!time.sawEvenClockFor(settings.kept())) {
      return;
    }
    Instant oldest = clock.instant().minus(settings.kept());
    jdbc.sql("delete from binding_change where prepared_at < :oldest")
        .param("oldest", oldest.atOffset(ZoneOffset.UTC))
        .update();
  }

  /// Ends a change whose destination has bound the volume.
  ///
  /// @param own the caller's hosts
  /// @return refused with NotFound if no change of it is prepared, with InvalidArgument if the
  ///   destination has not bound it
  public UnbindOutcome complete(VolumeId id, Predicate<HostId> own) {
    return end(
        id,
        own,
        destination -> {
          if (bindings.of(id).stream().noneMatch(binding -> binding.host().equals(destination))) {
            throw VasaException.invalidArgument(
                "expected host %s to have bound virtual volume %s, it has not"
                    .formatted(destination, id));
          }
          endBindings(id, own.and(host -> !host.equals(destination)));
        });
  }

  /// Takes an announced change back.
  ///
  /// @param own the caller's hosts
  /// @return refused with NotFound if no change of it is prepared
  public UnbindOutcome cancel(VolumeId id, Predicate<HostId> own) {
    return end(id, own, destination -> endBindings(id, destination::equals));
  }

  private UnbindOutcome end(VolumeId id, Predicate<HostId> own, Consumer<HostId> ending) {
    try {
      HostId destination =
          destinationOf(id, own)
              .orElseThrow(
                  () ->
                      VasaException.notFound(
                          "no binding change of virtual volume %s is prepared".formatted(id)));
      ending.accept(destination);
      jdbc.sql("delete from binding_change where volume_id = ? and destination = ?")
          .params(id.value(), destination.value())
          .update();
      return new UnbindOutcome.Done(id);
    } catch (VasaException e) {
      return new UnbindOutcome.Refused(id, e);
    }
  }

  private void endBindings(VolumeId id, Predicate<HostId> superfluous) {
    if (!settings.endBindings()) {
      return;
    }
    for (Binding binding : bindings.of(id)) {
      if (superfluous.test(binding.host())) {
        var handle =
            new Bindings.Handle(
                id, Optional.of(binding.endpoint().naa()), Optional.of(binding.secondaryId()));
        for (int i = 0; i < binding.count(); i++) {
          bindings.unbind(binding.host(), BindContext.NORMAL, handle);
        }
      }
    }
  }

  /// The host, among the caller's own, to which a prepared change moves the volume.
  public Optional<HostId> destinationOf(VolumeId id, Predicate<HostId> own) {
    return jdbc
        .sql("select destination from binding_change where volume_id = ? order by destination")
        .param(id.value())
        .query((row, _) -> new HostId(row.getString("destination")))
        .list()
        .stream()
        .filter(own)
        .findFirst();
  }
}
