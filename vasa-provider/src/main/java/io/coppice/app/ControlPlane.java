package io.coppice.app;

import io.coppice.admin.Readiness;
import io.coppice.app.database.DatabaseException;
import io.coppice.app.database.DatabaseLink;
import io.coppice.app.database.DeferredDataSource;
import io.coppice.app.database.SchemaVersion;
import io.coppice.app.pool.PoolLink;
import io.coppice.engine.status.PoolStatus;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.time.IntervalThread;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/// The control plane's life beside the running target: it comes up, and comes up again when its
/// database comes back.
///
/// Nothing else of the control plane runs meanwhile. Its gate is closed from the moment that the
/// database is missed until recovery has ended, and recovery begins only when everything that came
/// in earlier has left. Work that had to wait for the old database ends with the new one or with an
/// error.
///
/// One thread of its own does all of it. It reports a failure once and tries again. The exception
/// is a pool and a database that do not belong together: those need an operator.
final class ControlPlane implements SmartLifecycle, Readiness {

  private static final Logger log = LoggerFactory.getLogger(ControlPlane.class);
  private static final long RETRY_SECONDS = 2;

  /// A single slow answer is no reason to cut off the calls that wait with it.
  private static final int UNANSWERED_BEFORE_FALL = 2;

  /// Patience with work that came in before, once the database is reached anew. Statements that
  /// waited for a server that is gone have ended then.
  private static final Duration LEAVING = Duration.ofSeconds(10);

  private final DatabaseLink database;
  private final DeferredDataSource dataSource;
  private final PoolLink link;
  private final boolean rebuild;
  private final List<StartStep> steps;
  private final Runnable beforeDatabase;
  private final StartupProgress stages;
  private final WorkGate gate;
  private final CountDownLatch stop = new CountDownLatch(1);

  private volatile State state = new Starting("it is starting");
  private volatile @Nullable Thread thread;
  private Runnable whenReady = () -> {};

  /// @param rebuild whether a pool that names another database is given to this one
  /// @param beforeDatabase ends what still uses the database at a stop
  ControlPlane(
      DatabaseLink database,
      DeferredDataSource dataSource,
      PoolLink link,
      boolean rebuild,
      List<StartStep> steps,
      Runnable beforeDatabase,
      StartupProgress stages,
      WorkGate gate) {
    this.database = database;
    this.dataSource = dataSource;
    this.link = link;
    this.rebuild = rebuild;
    this.steps = List.copyOf(steps);
    this.beforeDatabase = beforeDatabase;
    this.stages = stages;
    this.gate = gate;
  }

  /// The state of the control plane.
  sealed interface State {}

  /// It answers calls.
  record Ready() implements State {}

  /// It does not answer yet, or not now.
  record Starting(String reason) implements State {}

  /// It will not answer before an operator has acted.
  record Refused(String reason) implements State {}

  /// Calls `work` once, when the control plane is ready for the first time; at once if it is.
  synchronized void whenReady(Runnable work) {
    if (state instanceof Ready) {
      work.run();
    } else {
      whenReady = work;
    }
  }

  private synchronized void becomeReady() {
    state = new Ready();
    gate.open();
    stages.reached("ready");
    whenReady.run();
    whenReady = () -> {};
  }

  State state() {
    return state;
  }

  @Override
  public Optional<String> obstacle() {
    return switch (state) {
      case Ready _ -> Optional.empty();
      case Starting starting -> Optional.of(waitingFor(starting));
      case Refused refused -> Optional.of(refused.reason());
    };
  }

  private static String waitingFor(Starting starting) {
    return "the control plane does not answer yet: " + starting.reason();
  }

  @Override
  public void requireReady() {
    switch (state) {
      case Ready _ -> {}
      case Starting starting -> throw VasaException.busy(waitingFor(starting) + poolClause());
      case Refused refused ->
          throw new VasaException(
              new Fault.StorageFault("io.coppice.fault.ControlPlaneStopped"),
              refused.reason() + poolClause());
    }
  }

  @Override
  public WorkGate.Pass enter() {
    requireReady();
    return gate.enter();
  }

  @Override
  public void start() {
    thread = Thread.ofPlatform().name("control-plane").daemon(true).start(this::run);
  }

  @Override
  public void stop() {
    stop.countDown();
    Thread running = thread;
    if (running != null) {
      IntervalThread.awaitEnd(running, Duration.ofSeconds(60));
      thread = null;
    }
    gate.end();
    beforeDatabase.run();
    database.close();
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }

  /// Stops after the web server has stopped taking calls.
  @Override
  public int getPhase() {
    return 0;
  }

  private void run() {
    int unanswered = 0;
    StartupProgress.@Nullable Wait again = null;
    do {
      if (state instanceof Ready) {
        unanswered = database.alive() ? 0 : unanswered + 1;
        if (unanswered >= UNANSWERED_BEFORE_FALL) {
          fall("the database does not answer", null);
          database.giveUp();
        }
      }
      if (state instanceof Starting) {
        rise();
        again = awaitedAgain(again);
      }
    } while (!(state instanceof Refused) && !stopped());
    if (again != null) {
      again.close();
    }
  }

  /// Keeps a wait open between two attempts, too.
  private StartupProgress.@Nullable Wait awaitedAgain(StartupProgress.@Nullable Wait before) {
    if (state instanceof Starting(String reason)) {
      return before == null
          ? stages.await("the control plane, the target goes on", () -> reasonNow(reason))
          : before;
    }
    if (before != null) {
      before.close();
    }
    return null;
  }

  private String reasonNow(String otherwise) {
    return state instanceof Starting(String reason) ? reason : otherwise;
  }

  private boolean stopped() {
    try {
      return stop.await(RETRY_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private void rise() {
    try {
      try (var _ = stages.await("the database")) {
        stages.reached(database.open());
      }
      if (!gate.awaitEmpty(LEAVING)) {
        fall("%d call(s) from before have not ended".formatted(gate.inside()), null);
        return;
      }
      Flyway flyway = Flyway.configure().dataSource(dataSource).load();
      Optional<String> unusable =
          SchemaVersion.newerThanKnown(flyway).or(() -> SchemaVersion.halfUpgraded(flyway));
      if (unusable.isPresent()) {
        refuse(unusable.get());
        return;
      }
      int migrations;
      try (var _ = stages.await("the schema to be current")) {
        migrations = flyway.migrate().migrationsExecuted;
      }
      stages.reached("schema is current, %d migrations run".formatted(migrations));
      link.establish(rebuild);
      for (StartStep step : steps) {
        try (var _ = stages.await("\"%s\"".formatted(step.name()), step.progress())) {
          step.work().run();
        }
        stages.reached(step.name());
      }
      becomeReady();
    } catch (PoolLink.MismatchException e) {
      refuse(String.valueOf(e.getMessage()));
    } catch (DatabaseException | FlywayException | DataAccessException | TransactionException e) {
      fall(String.valueOf(e.getMessage()), null);
    } catch (RuntimeException | Error e) { // the thread must outlive whatever one attempt meets
      fall(String.valueOf(e), e);
    }
  }

  private void refuse(String reason) {
    gate.close();
    state = new Refused(reason);
    stages.say("the control plane stops, %s: %s".formatted(target(), reason));
  }

  /// The clause about the pool that callers need beside the control plane's reason.
  private String poolClause() {
    PoolStatus status = link.poolStatus();
    return status.isStopped() ? "; " + status.clause() : "";
  }

  private String target() {
    PoolStatus status = link.poolStatus();
    return status.isStopped() ? status.clause() : "the target goes on";
  }

  /// Reports a reason only if it is new.
  private void fall(String reason, @Nullable Throwable unexpected) {
    gate.close();
    String line = reason.lines().findFirst().orElse(reason);
    boolean known = state instanceof Starting(String before) && before.equals(line);
    state = new Starting(line);
    if (unexpected != null) {
      log.atError().setCause(unexpected).log("the control plane cannot start");
    } else if (!known) {
      stages.say("waiting, %s: %s".formatted(target(), line));
    }
  }
}
