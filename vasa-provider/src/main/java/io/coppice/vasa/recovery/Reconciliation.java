package io.coppice.vasa.recovery;

import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.volume.lifecycle.RecoveryFinding;
import io.coppice.vasa.volume.lifecycle.VolumeRecovery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// The work that makes the database agree with the pool.
///
/// Operations come first, because they alone tell an unfinished volume from one whose row was lost.
/// Containers follow, then volumes: every volume that is left belongs to somebody. Every step may
/// be cut short and repeated.
@Service
public final class Reconciliation {

  private static final Logger log = LoggerFactory.getLogger(Reconciliation.class);

  private final Containers containers;
  private final VolumeRecovery volumes;
  private final Tasks tasks;
  private final EventLog events;
  private final OwnWork own;

  public Reconciliation(
      Containers containers, VolumeRecovery volumes, Tasks tasks, EventLog events, OwnWork own) {
    this.own = own;
    this.containers = containers;
    this.volumes = volumes;
    this.tasks = tasks;
    this.events = events;
  }

  /// Runs when the database has become reachable, before calls are answered.
  ///
  /// @return the findings and repairs; none after a clean stop
  public List<RecoveryFinding> atStart() {
    List<RecoveryFinding> findings = new ArrayList<>(volumes.settleAll());
    for (StorageContainer container : containers.agreeWithPool()) {
      log.atWarn()
          .addKeyValue("container", container.id())
          .log("the container {} was in the pool without a row", container.name());
      own.done("recovery.container-adopted", container.id().toString());
    }
    findings.addAll(volumes.agreeWithPool());
    tasks.failOrphans(
        new Fault.StorageFault("io.coppice.fault.OperationUndone"),
        "the operation was cut short and has no effect");
    findings.forEach(this::report);
    log.atInfo().addKeyValue("findings", findings.size()).log("rows agree with the pool");
    return findings;
  }

  /// The progress of [#atStart]; empty if there is nothing to count.
  public String progress() {
    return volumes.progress().text();
  }

  /// Settles what the loss of the database left unsettled while the process lives, and lets volumes
  /// forget the operations that made them.
  public List<RecoveryFinding> whileRunning() {
    List<RecoveryFinding> findings = volumes.settleUnsettled();
    volumes.removeMarks();
    volumes.agreeOnCarriers();
    findings.forEach(this::report);
    return findings;
  }

  private static String work(RecoveryFinding.Kind kind) {
    return switch (kind) {
      case ADOPTED -> "recovery.volume-adopted";
      case FORGOTTEN -> "recovery.volume-forgotten";
      case FINISHED -> "recovery.operation-finished";
      case ROLLED_BACK -> "recovery.operation-undone";
    };
  }

  private void report(RecoveryFinding finding) {
    log.atWarn().addKeyValue("volume", finding.volume()).log(finding.message());
    String volume = "rfc4122." + finding.volume();
    own.done(work(finding.kind()), finding.volume().toString());
    UUID container = finding.container();
    events.append(
        NewEvent.system(
                ObjectType.VIRTUAL_VOLUME,
                volume,
                "io.coppice.event."
                    + switch (finding.kind()) {
                      case ADOPTED -> "VolumeAdopted";
                      case FORGOTTEN -> "VolumeForgotten";
                      case FINISHED -> "OperationFinished";
                      case ROLLED_BACK -> "OperationUndone";
                    },
                Map.of("volume", volume))
            .in(container == null ? Set.of() : Set.of(container)));
  }
}
