package io.coppice.vasa.replication.partner;

import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.GroupChangeOutcome;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.viewer.Viewer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionOperations;

/// The changes of groups that wait for a cycle: a synchronization and the preparation of a
/// fail-over. Each is a task. A call waits some seconds for its end, then it answers SyncOngoing
/// with the task; the same call again waits again.
///
/// *Crash argument:* the task and what it is to do are rows of one transaction, before the work
/// begins; they end in one transaction after it. What a crash leaves between is taken up by
/// [#resume]: a cycle goes on where it was; one more replica of the same name does no harm. Safe
/// for any thread.
public final class LongChanges {

  /// How long a call waits for the end of its change.
  public static final Duration PATIENCE = Duration.ofSeconds(20);

  static final String SYNCHRONIZE = "syncReplicationGroup";
  static final String PREPARE = "prepareFailoverReplicationGroup";

  private static final Logger log = LoggerFactory.getLogger(LongChanges.class);

  /// Attempts after a start, while peers start too.
  private static final int ATTEMPTS = 12;

  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final ReplicationGroups groups;
  private final Tasks tasks;
  private final GroupChangeRows rows;
  private final TransactionOperations transactions;
  private final Duration patience;
  private final Map<UUID, Ongoing> ongoing = new ConcurrentHashMap<>();

  /// @param patience how long a call waits for the end
  public LongChanges(
      ReplicationGroups groups,
      Tasks tasks,
      JdbcClient jdbc,
      TransactionOperations transactions,
      Duration patience) {
    this.groups = groups;
    this.tasks = tasks;
    this.rows = new GroupChangeRows(jdbc);
    this.transactions = transactions;
    this.patience = patience;
  }

  /// A change on its way.
  ///
  /// @param replicaName of a synchronization; null for a preparation
  private record Ongoing(String task, @Nullable String replicaName, CompletableFuture<End> end) {}

  /// Runs a cycle, after the one that may be on its way.
  ///
  /// @throws VasaException (SyncOngoing) if it goes on, or another change of the group does;
  ///   otherwise as [ReplicationGroups#synchronize]
  GroupChangeOutcome synchronize(ReplicatedGroup group, String name) {
    return run(group, name, SYNCHRONIZE);
  }

  /// Prepares a fail-over.
  ///
  /// @throws VasaException (SyncOngoing) as [#synchronize]; otherwise as
  ///   [io.coppice.vasa.replication.group.RoleChanges#prepare]
  GroupChangeOutcome prepare(ReplicatedGroup group) {
    return run(group, null, PREPARE);
  }

  private GroupChangeOutcome run(ReplicatedGroup group, @Nullable String name, String operation) {
    Ongoing mine =
        ongoing.computeIfAbsent(
            group.id(),
            id -> {
              String task = Tasks.idOf(operation, UUID.randomUUID());
              transactions.executeWithoutResult(
                  _ -> {
                    tasks.beginLong(task, null);
                    rows.insert(new GroupChangeRows.Row(task, id, name));
                  });
              return started(id, new Ongoing(task, name, new CompletableFuture<>()), 1);
            });
    if (!Objects.equals(mine.replicaName(), name)) {
      throw goesOn(group, mine);
    }
    try {
      return mine.end().get(patience.toMillis(), TimeUnit.MILLISECONDS).get();
    } catch (TimeoutException e) {
      throw goesOn(group, mine);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw goesOn(group, mine);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a change of a group ended without an answer", e);
    }
  }

  private static VasaException goesOn(ReplicatedGroup group, Ongoing change) {
    return new VasaException(
        new Fault.SyncOngoing(change.task()),
        "%s is being synchronized: wait for the end of task %s"
            .formatted(group.text(), change.task()));
  }

  /// Takes up what a stop or a crash cut. Repeatable.
  public void resume() {
    for (GroupChangeRows.Row row : rows.all()) {
      ongoing.computeIfAbsent(
          row.group(),
          id ->
              started(
                  id,
                  new Ongoing(row.task(), row.replicaName(), new CompletableFuture<>()),
                  ATTEMPTS));
    }
  }

  private Ongoing started(UUID group, Ongoing change, int attempts) {
    Actor actor = Actor.current();
    Thread.ofVirtual()
        .name("replication-change")
        .start(() -> actor.run(() -> Viewer.unlimited(() -> carryOut(group, change, attempts))));
    return change;
  }

  /// Does the work, ends the task, and only then lets the next change of the group begin.
  private boolean carryOut(UUID group, Ongoing change, int attempts) {
    End end = attempt(group, change, attempts);
    try {
      transactions.executeWithoutResult(
          _ -> {
            switch (end) {
              case End.Reached _ -> tasks.succeed(change.task(), new TaskResult.None());
              case End.Failed(VasaException why) ->
                  tasks.fail(change.task(), why.fault(), String.valueOf(why.getMessage()));
            }
            rows.delete(change.task());
          });
    } catch (DataAccessException | TransactionException e) {
      log.atWarn().setCause(e).log("the end of task {} is noted at the next start", change.task());
    } finally {
      ongoing.remove(group, change);
      change.end().complete(end);
    }
    return true;
  }

  /// The end of a change.
  private sealed interface End {

    /// @throws VasaException as the change failed
    GroupChangeOutcome get();

    record Reached(GroupChangeOutcome outcome) implements End {
      @Override
      public GroupChangeOutcome get() {
        return outcome;
      }
    }

    record Failed(VasaException why) implements End {
      @Override
      public GroupChangeOutcome get() {
        throw why;
      }
    }
  }

  private End attempt(UUID group, Ongoing change, int attempts) {
    for (int left = attempts - 1; ; left--) {
      try {
        return new End.Reached(FaultTranslation.translated(() -> work(group, change)));
      } catch (VasaException e) {
        if (left <= 0 || !(e.fault() instanceof Fault.PeerNotReachable)) {
          return new End.Failed(e);
        }
      } catch (RuntimeException e) {
        return new End.Failed(FaultTranslation.of(e, change.task()));
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private GroupChangeOutcome work(UUID group, Ongoing change) {
    String name = change.replicaName();
    if (name == null) {
      groups.roles().prepare(group);
      return new GroupChangeOutcome.Done(false);
    }
    UUID cycle = groups.synchronize(group, name, List.of());
    return new GroupChangeOutcome.Synchronized(
        GroupChanging.replica(groups.replica(groups.require(group), cycle)));
  }
}
