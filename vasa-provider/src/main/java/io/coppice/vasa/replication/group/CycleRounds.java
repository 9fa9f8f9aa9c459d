package io.coppice.vasa.replication.group;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.replication.Replica;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.replica.ReplicaCatalog;
import io.coppice.replication.source.Conversation;
import io.coppice.replication.source.CycleResult;
import io.coppice.replication.source.CycleSender;
import io.coppice.replication.source.SourceGroup;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.pairing.PeerText;
import io.coppice.vasa.time.IntervalThread;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The cycles of the groups that have their source here. Each due group has a thread of its own
/// while its cycle runs; a group has one cycle at a time. Needs the pool and the peers, not the
/// database.
public final class CycleRounds implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(CycleRounds.class);

  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration SHORTEST_RETRY = Duration.ofSeconds(5);
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

  /// How long a cycle that somebody asked for waits for the one before.
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  private static final Duration STEP = Duration.ofMillis(100);

  /// Cycles that run at a time.
  private static final int MOST = 16;

  private final GroupRecords records;
  private final GroupMembers members;
  private final Function<UUID, Conversation> connect;
  private final Consumer<UUID> sent;
  private final CycleSender sender;
  private final InstantSource clock;
  private final IntervalThread ticks;
  private final Map<UUID, Run> runs = new ConcurrentHashMap<>();
  private final Semaphore room = new Semaphore(MOST);
  private volatile boolean closed;

  /// @param connect calls the peer with an id
  /// @param sent hears of a group whose cycle has ended well
  CycleRounds(
      StorageEngine engine,
      GroupRecords records,
      ReplicaCatalog catalog,
      Function<UUID, Conversation> connect,
      Consumer<UUID> sent,
      InstantSource clock) {
    this.records = records;
    this.sent = sent;
    this.members = new GroupMembers(engine);
    this.connect = connect;
    this.clock = clock;
    sender = new CycleSender(engine, catalog, clock);
    ticks = new IntervalThread("replication-rounds", TICK, this::tick);
  }

  /// The cycles of one group.
  private static final class Run {
    private final Semaphore turn = new Semaphore(1);
    private volatile CycleStatus status = CycleStatus.NONE;
    private volatile long dueNanos = System.nanoTime();
    private volatile @Nullable Conversation conversation;
  }

  public void start() {
    ticks.start();
  }

  private void tick() {
    for (ReplicatedGroup group : records.all()) {
      if (group.state() == GroupState.SOURCE && !group.plan().paused()) {
        Run run = run(group.id());
        if (System.nanoTime() - run.dueNanos >= 0 && room.tryAcquire()) {
          if (run.turn.tryAcquire()) {
            Thread.ofVirtual().name("replication-cycle").start(() -> attempt(group.id(), run));
          } else {
            room.release();
          }
        }
      }
    }
  }

  private Run run(UUID group) {
    return runs.computeIfAbsent(group, _ -> new Run());
  }

  private void attempt(UUID group, Run run) {
    try {
      cycle(group, run, CycleSender.Label.NONE);
    } catch (ReplicationException | StorageException | VasaException e) {
      log.atDebug().log("a cycle of group {} failed: {}", group, e.getMessage());
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("a cycle of group {} failed", group);
    } finally {
      run.turn.release();
      room.release();
    }
  }

  /// Runs a cycle and waits for its end. One that runs already ends first: it began too early to
  /// take along what was written until now.
  ///
  /// @param group one that has its source here
  /// @return the replica that the target has then
  /// @throws ReplicationException (BUSY) if the one before takes too long; (STATE) if the group has
  ///   no source here; as the cycle failed
  Replica now(UUID group, CycleSender.Label label) {
    return inTurn(group, LONGEST_WAIT, cycle -> cycle.apply(label));
  }

  /// Does work that may run a cycle, and belongs to it: no other cycle begins meanwhile, and
  /// [#without] ends the cycle and waits for the end of the work. Whoever has the turn must not
  /// wait for a lock of the group, whose owner may wait for the turn.
  ///
  /// @param longest how long the end of a cycle that runs is waited for
  /// @param work gets what runs the cycle, as [#now]
  /// @throws ReplicationException (BUSY) if a cycle runs longer; as the work
  <T> T inTurn(
      UUID group, Duration longest, Function<Function<CycleSender.Label, Replica>, T> work) {
    Run run = run(group);
    if (!await(run, longest)) {
      throw new ReplicationException(
          Reason.BUSY, "A cycle of the group is on its way: wait until it has ended.");
    }
    try {
      return work.apply(label -> cycle(group, run, label));
    } finally {
      run.turn.release();
    }
  }

  private Replica cycle(UUID id, Run run, CycleSender.Label label) {
    long begin = System.nanoTime();
    ReplicatedGroup group = require(id);
    run.dueNanos = begin + group.plan().interval().toNanos();
    run.status = run.status.begin(clock.instant());
    try {
      CycleResult result = send(group, run, label);
      run.status =
          run.status.end(
              Duration.ofNanos(System.nanoTime() - begin),
              result.replica().taken(),
              result.dataBytes(),
              result.linkBytes());
      sent.accept(id);
      return result.replica();
    } catch (RuntimeException e) {
      Duration retry = SHORTEST_RETRY.multipliedBy(1L << Math.min(run.status.inARow(), 4));
      run.dueNanos =
          System.nanoTime()
              + (retry.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : retry).toNanos();
      run.status = run.status.fail(sentence(e));
      throw e;
    }
  }

  /// Why a cycle failed, in one line: the words may be the other pool's.
  private static String sentence(RuntimeException e) {
    return PeerText.line(
        e instanceof ReplicationException failure
            ? failure.sentence()
            : String.valueOf(e.getMessage()));
  }

  private CycleResult send(ReplicatedGroup group, Run run, CycleSender.Label label) {
    SourceGroup source = members.source(group);
    try (Conversation conversation = connect.apply(group.plan().peer())) {
      run.conversation = conversation;
      if (closed) {
        throw new ReplicationException(Reason.UNREACHABLE, "The provider stops.");
      }
      describe(conversation, group);
      // A cycle that was cut may end before the one that is asked for begins.
      CycleResult result = sender.run(conversation, source, label);
      while (result.resumed()) {
        result = sender.run(conversation, source, label);
      }
      return result;
    } finally {
      run.conversation = null;
    }
  }

  private void describe(Conversation conversation, ReplicatedGroup group) {
    GroupPlan plan = group.plan();
    GroupMessages.Standing standing =
        GroupMessages.parse(
            conversation.call(
                GroupMessages.DESCRIBE,
                GroupMessages.text(
                    new GroupMessages.Description(
                        group.id(),
                        plan.name(),
                        plan.interval(),
                        plan.rpo(),
                        plan.keep(),
                        plan.container(),
                        plan.machines()))),
            GroupMessages.Standing.class);
    if (!standing.state().receives()) {
      if (group.state() == GroupState.SOURCE) {
        records.update(
            group.id(),
            now ->
                now.state() == GroupState.SOURCE
                    ? now.begin(GroupState.REMOTE_FAILEDOVER, null, clock.instant()).settle()
                    : now);
      }
      throw new ReplicationException(
          Reason.STATE,
          "The other end of %s is in state %s: reverse the group at the end that shall be its source."
              .formatted(group.text(), standing.state()));
    }
  }

  private ReplicatedGroup require(UUID id) {
    ReplicatedGroup group =
        records
            .find(id)
            .orElseThrow(
                () ->
                    new ReplicationException(
                        Reason.STATE, "There is no replication group %s here.".formatted(id)));
    if (group.state() != GroupState.SOURCE && group.state() != GroupState.PREPARED) {
      throw new ReplicationException(
          Reason.STATE,
          "Expected %s in state SOURCE here, it is in state %s."
              .formatted(group.text(), group.state()));
    }
    return group;
  }

  /// The cycles of a group until now.
  public CycleStatus status(UUID group) {
    Run run = runs.get(group);
    return run == null ? CycleStatus.NONE : run.status;
  }

  /// Lets the next cycle of a group begin at once.
  void hurry(UUID group) {
    run(group).dueNanos = System.nanoTime();
  }

  /// Ends the cycle of a group that runs, and keeps others from beginning while some work is done.
  void without(UUID group, Runnable work) {
    Run run = run(group);
    boolean isFree = run.turn.tryAcquire();
    while (!isFree) {
      Conversation conversation = run.conversation;
      if (conversation != null) {
        conversation.close();
      }
      isFree = await(run, STEP);
    }
    try {
      work.run();
    } finally {
      run.turn.release();
    }
  }

  private static boolean await(Run run, Duration longest) {
    try {
      return run.turn.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ReplicationException(
          Reason.BUSY, "The wait for the end of a cycle was interrupted.", e);
    }
  }

  void forget(UUID group) {
    runs.remove(group);
  }

  /// Ends all cycles; they go on after the next start.
  @Override
  public void close() {
    closed = true;
    ticks.close();
    runs.values()
        .forEach(
            run -> {
              Conversation conversation = run.conversation;
              if (conversation != null) {
                conversation.close();
              }
            });
    room.acquireUninterruptibly(MOST);
    room.release(MOST);
  }
}
