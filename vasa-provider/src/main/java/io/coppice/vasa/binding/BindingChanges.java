package io.coppice.vasa.binding;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.Binding;
import io.coppice.scsi.HostId;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.task.Task;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.volume.VirtualVolumes;
import io.coppice.vasa.volume.VolumeState;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// Announced moves of bindings from one host to another (VASA 2.0 prepareForBindingChange,
/// bindingChangeComplete, cancelBindingChange).
///
/// Two hosts may have a virtual volume bound at once, so a move needs nothing from the target: it
/// is prepared when it is known that the destination may bind, and complete when it has. What is
/// prepared stands in one row per volume, written in one transaction with its task, and outlives a
/// restart; one that nobody ended is forgotten after a time, or with its volume.
///
/// Order of an end that ends bindings: the bindings in the pool first, then the row. A crash
/// between the two leaves a change that can be ended again, which finds the bindings gone.
@Service
public final class BindingChanges {

  private final Bindings bindings;
  private final VirtualVolumes volumes;
  private final Tasks tasks;
  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final InstantSource clock;
  private final SeenTime time;
  private final BindingChangeSettings settings;

  public BindingChanges(
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

  /// Announces that the bindings of volumes move to a host. All of them or, if one cannot, none; a
  /// change of a volume that is prepared for the same host begins anew.
  ///
  /// @param ids at least one
  /// @return the task, ended
  /// @throws VasaException (NotFound) if a volume or the host is unknown; (InvalidArgument) if a
  ///   volume is not bound by another host, or is prepared to move to another one
  public Task prepare(List<VolumeId> ids, HostId destination) {
    if (!bindings.knows(destination)) {
      throw VasaException.notFound("there is no host " + destination);
    }
    Set<VolumeId> distinct = new HashSet<>(ids);
    distinct.forEach(id -> requireMovable(id, destination));
    String task = Tasks.idOf("prepareForBindingChange", UUID.randomUUID());
    transactions.executeWithoutResult(
        _ -> {
          forgetOld();
          distinct.forEach(id -> put(id, destination));
          tasks.begin(task, ids.getFirst());
          tasks.succeed(task, new TaskResult.None());
        });
    return tasks.require(task);
  }

  private void requireMovable(VolumeId id, HostId destination) {
    if (volumes.require(id).state() != VolumeState.READY) {
      throw VasaException.notFound("snapshot %s is prepared, but not taken".formatted(id));
    }
    if (bindings.of(id).stream().allMatch(binding -> binding.host().equals(destination))) {
      throw VasaException.invalidArgument(
          "expected a virtual volume that another host than %s has bound, got %s"
              .formatted(destination, id));
    }
  }

  private void put(VolumeId id, HostId destination) {
    int written =
        jdbc.sql(
                """
                insert into binding_change (volume_id, destination, prepared_at)
                values (:volume, :destination, :now)
                on conflict (volume_id) do update set prepared_at = excluded.prepared_at
                 where binding_change.destination = excluded.destination
                """)
            .param("volume", id.value())
            .param("destination", destination.value())
            .param("now", clock.instant().atOffset(ZoneOffset.UTC))
            .update();
    if (written == 0) {
      throw VasaException.invalidArgument(
          "expected a virtual volume without another binding change, but %s moves to %s"
              .formatted(id, destinationOf(id).map(HostId::toString).orElse("another host")));
    }
  }

  /// After a jump of the clock all are kept for as long as one is kept.
  private void forgetOld() {
    if (!time.hasBeenEvenFor(settings.kept())) {
      return;
    }
    Instant oldest = clock.instant().minus(settings.kept());
    jdbc.sql("delete from binding_change where prepared_at < :oldest")
        .param("oldest", oldest.atOffset(ZoneOffset.UTC))
        .update();
  }

  /// Ends changes whose destination has bound the volume.
  ///
  /// @return one outcome per id, in order: NotFound if no change of it is prepared, InvalidArgument
  ///   if the destination has not bound it
  public List<UnbindOutcome> complete(List<VolumeId> ids) {
    return end(
        ids,
        (id, destination) -> {
          if (bindings.of(id).stream().noneMatch(binding -> binding.host().equals(destination))) {
            throw VasaException.invalidArgument(
                "expected host %s to have bound virtual volume %s, it has not"
                    .formatted(destination, id));
          }
          endBindings(id, host -> !host.equals(destination));
        });
  }

  /// Takes announced changes back.
  ///
  /// @return one outcome per id, in order: NotFound if no change of it is prepared
  public List<UnbindOutcome> cancel(List<VolumeId> ids) {
    return end(ids, (id, destination) -> endBindings(id, destination::equals));
  }

  @FunctionalInterface
  private interface Ending {
    void end(VolumeId id, HostId destination);
  }

  private List<UnbindOutcome> end(List<VolumeId> ids, Ending ending) {
    List<UnbindOutcome> outcomes = new ArrayList<>();
    for (VolumeId id : ids) {
      try {
        HostId destination =
            destinationOf(id)
                .orElseThrow(
                    () ->
                        VasaException.notFound(
                            "no binding change of virtual volume %s is prepared".formatted(id)));
        ending.end(id, destination);
        jdbc.sql("delete from binding_change where volume_id = ?").param(id.value()).update();
        outcomes.add(new UnbindOutcome.Done(id));
      } catch (VasaException e) {
        outcomes.add(new UnbindOutcome.Refused(id, e));
      }
    }
    return outcomes;
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
          bindings.unbind(binding.host(), BindContext.NORMAL, List.of(handle));
        }
      }
    }
  }

  /// The host that a prepared change moves the volume to.
  public Optional<HostId> destinationOf(VolumeId id) {
    return jdbc.sql("select destination from binding_change where volume_id = ?")
        .param(id.value())
        .query(String.class)
        .optional()
        .map(HostId::new);
  }
}
