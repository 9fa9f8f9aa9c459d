package io.coppice.vasa.replication.runbook;

import io.coppice.engine.StorageEngine;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.InstantSource;

/// The runbooks of a pool, their runs, and the rounds that begin tests.
public final class PoolRunbooks implements AutoCloseable {

  private final Runbooks runbooks;
  private final RunbookRuns runs;
  private final RunbookRounds rounds;
  private final RunbookNames names;

  public PoolRunbooks(
      VolumeStore store,
      ReplicationGroups groups,
      Exports exports,
      PlainHosts hosts,
      Duties duties,
      InstantSource clock) {
    StorageEngine engine = store.engine();
    RunRecords reports = new RunRecords(engine.records());
    runbooks =
        new Runbooks(new RunbookRecords(engine.records()), reports, groups, store.changes()::note);
    GroupTurn turn =
        new GroupTurn(
            groups, new RunbookExports(engine, groups, exports, hosts), duties.gate(), clock);
    runs =
        new RunbookRuns(runbooks, reports, new RunSteps(turn, clock), store.changes()::note, clock);
    rounds = new RunbookRounds(runbooks, runs, duties.gate(), duties.own(), clock);
    names = new RunbookNames(groups, hosts);
  }

  /// The surroundings of work by itself: the gate that it passes, and the account of it.
  public record Duties(WorkGate gate, OwnWork own) {}

  public Runbooks runbooks() {
    return runbooks;
  }

  public RunbookRuns runs() {
    return runs;
  }

  public RunbookRounds rounds() {
    return rounds;
  }

  public RunbookNames names() {
    return names;
  }

  /// Settles what a crash cut as soon as the control plane is there, and begins tests from now on.
  /// Repeatable.
  public void start() {
    rounds.start();
  }

  /// Begins no other test, and leaves what goes on to the next start.
  @Override
  public void close() {
    rounds.close();
    runs.close();
  }
}
