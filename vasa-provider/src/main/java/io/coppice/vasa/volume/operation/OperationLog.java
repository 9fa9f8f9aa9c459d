package io.coppice.vasa.volume.operation;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.step.StepObserver;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.task.VasaTask;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionOperations;

/// The log of changes that touch both the database and the pool. It runs each of them.
///
/// Order, and what a crash leaves after each step:
///
/// 1. One transaction writes the operation row, its task (running) and the rows of what is to be
///    made (CREATING). A crash before it leaves nothing. A crash after it leaves an intent whose
///    engine call did not happen: recovery looks the pool up and takes the rows back.
/// 2. One engine call with the operation's id, stable on return. A crash after it leaves an intent
///    whose effect is in the pool. Volumes that it made carry the operation's id in their
///    attributes, so recovery knows that they are unfinished and removes them. The pool remembers
///    by the id whether a revert or a copy happened.
/// 3. One transaction makes the rows final, ends the task and deletes the operation row. At this
///    point the change counts: the caller is answered only after it, and attributes that name an
///    operation without a row mean nothing.
///
/// Step 2 cannot come before step 1: a volume in the pool that nobody asked for would look like one
/// whose row was lost, and those are never deleted. If the engine refuses, step 3 takes the rows
/// back instead. If the database is gone at step 3, the operation is *unsettled*: it is settled as
/// after a crash once the database answers.
public final class OperationLog {

  private final OperationRepository rows;
  private final Tasks tasks;
  private final TransactionOperations transactions;
  private final InstantSource clock;
  private final StepObserver observer;
  private final Set<OperationId> unsettled = ConcurrentHashMap.newKeySet();
  private volatile Relief relief = _ -> false;

  public OperationLog(
      JdbcClient jdbc,
      Tasks tasks,
      TransactionOperations transactions,
      InstantSource clock,
      StepObserver observer) {
    this.rows = new OperationRepository(jdbc);
    this.tasks = tasks;
    this.transactions = transactions;
    this.clock = clock;
    this.observer = observer;
  }

  /// The work of an operation in the steps above.
  ///
  /// @param intend writes the rows of step 1 beside the operation's
  /// @param carryOut the engine call of step 2
  /// @param conclude makes the rows final
  /// @param withdraw takes the rows of `intend` back
  public record Steps<T>(
      Runnable intend, Supplier<T> carryOut, Consumer<T> conclude, Runnable withdraw) {

    /// The work of an operation that has no rows of its own in step 1.
    public static <T> Steps<T> of(Supplier<T> carryOut, Consumer<T> conclude) {
      return new Steps<>(() -> {}, carryOut, conclude, () -> {});
    }
  }

  /// Runs an operation that is reported as a task.
  ///
  /// @return the task, ended
  public <T> VasaTask runAsTask(
      VolumeOperation operation, String name, TaskResult result, Steps<T> steps) {
    return runAsTask(operation, name, _ -> result, steps);
  }

  /// As [#runAsTask(VolumeOperation, String, TaskResult, Steps)].
  ///
  /// @param result what the engine call tells of it
  public <T> VasaTask runAsTask(
      VolumeOperation operation, String name, Function<T, TaskResult> result, Steps<T> steps) {
    String id = Tasks.idOf(name, operation.id().value());
    run(
        operation.reportedAs(id),
        new Steps<>(
            steps.intend(),
            steps.carryOut(),
            done -> {
              steps.conclude().accept(done);
              tasks.succeed(id, result.apply(done));
            },
            steps.withdraw()));
    return tasks.require(id);
  }

  /// Records an operation that goes on behind the call, with its running task: step 1 alone.
  public VasaTask beginTask(VolumeOperation operation, String name) {
    String id = Tasks.idOf(name, operation.id().value());
    reached(operation, Step.BEGINNING);
    begin(operation.reportedAs(id), () -> {}, true);
    reached(operation, Step.INTENDED);
    try {
      return tasks.require(id);
    } catch (RuntimeException e) { // nobody carries it out
      leave(operation);
      throw e;
    }
  }

  /// Leaves an operation to be settled as after a crash.
  public void leave(VolumeOperation operation) {
    unsettled.add(operation.id());
  }

  /// Step 3 of an operation that [#beginTask] began.
  ///
  /// @param also runs in its transaction
  public void succeed(VolumeOperation operation, TaskResult result, Runnable also) {
    reached(operation, Step.CARRIED_OUT);
    end(
        operation,
        () -> {
          tasks.succeed(task(operation), result);
          also.run();
        });
    reached(operation, Step.CONCLUDED);
  }

  /// Ends an operation that was refused on its way; otherwise as [#succeed].
  public void fail(VolumeOperation operation, VasaException why) {
    reached(operation, Step.REFUSED);
    end(operation, () -> fail(operation, why, () -> {}));
  }

  /// Ends an operation that was withdrawn on its way; otherwise as [#succeed].
  public void cancel(VolumeOperation operation, Runnable also) {
    end(
        operation,
        () -> {
          tasks.cancelled(task(operation));
          also.run();
        });
    reached(operation, Step.CONCLUDED);
  }

  private static String task(VolumeOperation operation) {
    return Objects.requireNonNull(operation.task(), "task");
  }

  /// Runs an operation that changes rows only, in one transaction, and is reported as a task.
  ///
  /// @return the task, ended
  public VasaTask note(String name, VolumeId volume, TaskResult result, Runnable change) {
    String id = Tasks.idOf(name, UUID.randomUUID());
    transactions.executeWithoutResult(
        _ -> {
          tasks.begin(id, volume);
          change.run();
          tasks.succeed(id, result);
        });
    observer.reached(name, Step.CONCLUDED);
    return tasks.require(id);
  }

  public <T> T run(VolumeOperation operation, Steps<T> steps) {
    reached(operation, Step.BEGINNING);
    begin(operation, steps.intend(), false);
    reached(operation, Step.INTENDED);
    T done;
    try {
      done = steps.carryOut().get();
    } catch (StorageException.DeviceFailed e) {
      throw FaultTranslation.of(e); // whether it happened is known after the next open
    } catch (StorageException e) {
      VasaException fault = FaultTranslation.of(e);
      reached(operation, Step.REFUSED);
      end(operation, () -> fail(operation, fault, steps.withdraw()));
      throw fault;
    } catch (RuntimeException e) {
      leave(operation);
      throw e;
    }
    reached(operation, Step.CARRIED_OUT);
    end(operation, () -> steps.conclude().accept(done));
    reached(operation, Step.CONCLUDED);
    return done;
  }

  /// The result of one engine call of a step 2, which is repeated as long as there is space to be
  /// had. A call that was refused has changed nothing, so its id is still free.
  public <T> T havingRoom(Supplier<T> call) {
    for (int attempt = 0; ; attempt++) {
      try {
        return call.get();
      } catch (StorageException.OutOfSpace e) {
        if (!relief.makeRoom(attempt)) {
          throw e;
        }
      }
    }
  }

  /// A way to give the pool space that it lacks.
  @FunctionalInterface
  public interface Relief {

    /// Makes room for a call that was refused, on the thread that holds the locks of its volumes.
    ///
    /// @param attempt how often room was made for this call before
    /// @return whether some was made
    boolean makeRoom(int attempt);
  }

  /// Has calls that find the pool full repeated after `source` has made room ([#havingRoom]).
  public void relieveBy(Relief source) {
    relief = source;
  }

  /// Lets a test cut the operation short here.
  public void reached(VolumeOperation operation, Step step) {
    observer.reached(operation.kind().name(), step);
  }

  private void begin(VolumeOperation operation, Runnable intend, boolean outlives) {
    inTransaction(
        operation,
        () -> {
          intend.run(); // first: a task is of the container of its volume
          String task = operation.task();
          if (task != null && outlives) {
            tasks.beginLong(task, operation.volume());
          } else if (task != null) {
            tasks.begin(task, operation.volume());
          }
          rows.insert(operation, clock.instant());
        });
  }

  private void fail(VolumeOperation operation, VasaException fault, Runnable withdraw) {
    withdraw.run();
    String task = operation.task();
    if (task != null) {
      tasks.fail(task, fault.fault(), String.valueOf(fault.getMessage()));
    }
  }

  /// Runs `last` and forgets the operation, in one transaction.
  ///
  /// @throws VasaException (StorageFault) if the operation has no row any more: another thread has
  ///   settled it, so `last` is taken back and nobody learns that it happened
  public void end(VolumeOperation operation, Runnable last) {
    inTransaction(
        operation,
        () -> {
          last.run();
          if (!rows.delete(operation.id())) {
            throw settledAlready(operation);
          }
        });
    unsettled.remove(operation.id());
  }

  private static VasaException settledAlready(VolumeOperation operation) {
    return new VasaException(
        new Fault.StorageFault("io.coppice.fault.OperationUndone"),
        "the operation on %s was settled by recovery before it ended; look at what there is, and repeat it"
            .formatted(operation.volume()));
  }

  /// Runs a transaction. A commit whose answer was lost may have happened: only the row shows it.
  private void inTransaction(VolumeOperation operation, Runnable work) {
    try {
      transactions.executeWithoutResult(_ -> work.run());
    } catch (DataAccessException | TransactionException e) {
      leave(operation);
      throw e;
    }
  }

  /// Runs changes of rows that no operation needs to remember.
  public void inTransaction(Runnable work) {
    transactions.executeWithoutResult(_ -> work.run());
  }

  /// Operations whose last step failed since the start, and that still have a row.
  public List<VolumeOperation> unsettled() {
    if (unsettled.isEmpty()) {
      return List.of();
    }
    List<VolumeOperation> left = unsettled.stream().flatMap(id -> rows.find(id).stream()).toList();
    unsettled.retainAll(left.stream().map(VolumeOperation::id).toList());
    return left;
  }

  /// Whether the operation has a row: it has begun and not ended.
  public boolean hasBegun(VolumeOperation operation) {
    return rows.find(operation.id()).isPresent();
  }

  /// All operations that have begun, oldest first: at start, those that a crash cut short.
  public List<VolumeOperation> begun() {
    return rows.list();
  }
}
