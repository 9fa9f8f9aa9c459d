package io.coppice.vasa.recovery;

import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.task.Task;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.volume.RecoveryFinding;
import io.coppice.vasa.volume.VolumeRecovery;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// Makes the database agree with the pool.
///
/// Order: operations first, because they alone tell an unfinished volume from one whose row was
/// lost; then volumes, of which every one that is left is somebody's; then bindings, whose rows
/// need those of volumes. Every step may be cut short and repeated.
@Service
public final class Reconciliation {

  private static final Logger log = LoggerFactory.getLogger(Reconciliation.class);

  private final VolumeRecovery volumes;
  private final Bindings bindings;
  private final Tasks tasks;

  public Reconciliation(VolumeRecovery volumes, Bindings bindings, Tasks tasks) {
    this.volumes = volumes;
    this.bindings = bindings;
    this.tasks = tasks;
  }

  /// Runs at start, before anybody can call an operation.
  ///
  /// @return what was found and done, nothing after a clean stop
  public List<RecoveryFinding> atStart() {
    List<RecoveryFinding> findings = new ArrayList<>(volumes.settleAll());
    findings.addAll(volumes.agreeWithPool());
    int rows = bindings.mirror();
    for (Task task : tasks.unfinished()) {
      tasks.fail(
          task.id(),
          new Fault.StorageFault("operation.rolledBack"),
          "task %s was cut short and has no effect".formatted(task.id()));
    }
    findings.forEach(this::report);
    log.atInfo()
        .addKeyValue("findings", findings.size())
        .addKeyValue("bindingRows", rows)
        .log("rows agree with the pool");
    return findings;
  }

  /// Settles what the loss of the database left unsettled while the process lives.
  public List<RecoveryFinding> whileRunning() {
    List<RecoveryFinding> findings = volumes.settleUnsettled();
    findings.forEach(this::report);
    return findings;
  }

  private void report(RecoveryFinding finding) {
    log.atWarn().addKeyValue("volume", finding.volume()).log(finding.message());
  }
}
