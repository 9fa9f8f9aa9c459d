package io.coppice.admin.event;

import io.coppice.admin.IscsiPortals;
import io.coppice.admin.SystemFacts;
import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.problem.HttpFailure;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Problem;
import io.coppice.api.job.Job;
import io.coppice.api.system.ChangedObject;
import io.coppice.api.system.StreamHello;
import io.coppice.vasa.event.ChangeFilter;
import io.coppice.vasa.event.ChangeHistory;
import io.coppice.vasa.event.HistorySettings;
import io.coppice.vasa.event.KeptChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.task.Tasks;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// The streams of events that clients hold open, a bounded number of them.
///
/// Each has a virtual thread, which waits for news and writes them. A reader that stalls holds no
/// thread of the server: its virtual thread waits in the write until the connection's time for a
/// write is over, and the stream ends. One more thread asks the database for news, and only while
/// there is a stream. Nothing is queued for a stream but a position in what is kept.
@Component
final class EventStreams implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(EventStreams.class);
  private static final String PATH = "/api/v1/events/stream";
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration BEAT = Duration.ofSeconds(15);

  /// Events that are read and written at a time.
  private static final int AT_ONCE = 100;

  private static final Problem ENDED_TOKEN =
      new HttpFailure(HttpStatus.UNAUTHORIZED, "unauthorized")
          .problem("the token of this stream is not valid any more", PATH, null);

  private static final ChangeFilter ALL = new ChangeFilter(null, null, null, null, null);

  private final ChangeHistory history;
  private final EventViews views;
  private final Tasks tasks;
  private final JobChanges jobs;
  private final SessionChanges sessions;
  private final HistorySettings settings;
  private final StreamHello hello;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();

  // Guarded by the lock.
  private int writing;
  private int open;
  private long looks;
  private long newest;
  private @Nullable Problem trouble;
  private @Nullable Thread looking;
  private boolean running;

  EventStreams(
      ChangeHistory history,
      EventViews views,
      Tasks tasks,
      HistorySettings settings,
      SystemFacts facts,
      IscsiPortals iscsi) {
    this.sessions = new SessionChanges(iscsi::sessions, System::nanoTime);
    this.history = history;
    this.views = views;
    this.tasks = tasks;
    this.jobs = new JobChanges(tasks);
    this.settings = settings;
    this.hello = new StreamHello(facts.version(), UUID.randomUUID());
  }

  /// A place among the streams, taken before the answer begins.
  ///
  /// @throws RequestRejectedException (503 `busy`) if there are as many as may be, or the server
  ///   stops
  void enter() {
    lock.lock();
    try {
      if (!running || open >= settings.streams()) {
        throw new RequestRejectedException(
            HttpStatus.SERVICE_UNAVAILABLE,
            "busy",
            null,
            "expected fewer than %d open streams of events, got one more"
                .formatted(settings.streams()));
      }
      open++;
    } finally {
      lock.unlock();
    }
  }

  void leave() {
    lock.lock();
    try {
      open--;
    } finally {
      lock.unlock();
    }
  }

  /// The position from which a stream goes on.
  ///
  /// @param after id of the last event that the client has; null: what happens from now on
  /// @throws VasaException (LostEvent) if what followed is not kept
  long startAfter(@Nullable Long after) {
    if (after == null) {
      return history.newestId();
    }
    history.requireKeptAfter(after);
    return after;
  }

  /// The place where a stream begins.
  ///
  /// @param after from [#startAfter]
  /// @param resumed whether the client had a stream before: then it hears of jobs that have ended
  /// @param figures what it sends beside events
  record Start(long after, boolean resumed, FigureFeed figures) {}

  /// Writes a stream in a thread of its own, until the client goes, its token ends or the server
  /// stops. Gives the place back at the end.
  ///
  /// @param caller the client, which gets what its token may see
  /// @param isAllowed whether its token is still valid; asked at each comment
  /// @param end what to do after the last event
  void serve(
      EventStream stream,
      AdminCaller caller,
      Start start,
      BooleanSupplier isAllowed,
      Runnable end) {
    Thread.ofVirtual()
        .name("event-stream")
        .start(
            () -> {
              long look = enlist();
              try {
                caller.call(
                    () -> {
                      write(stream, caller, start, isAllowed, look);
                      return true;
                    });
              } catch (VasaException e) {
                tell(stream, e);
              } catch (IOException | InterruptedException e) {
                log.debug("a stream of events has ended: {}", e.toString());
              } catch (Exception e) {
                log.atWarn().setCause(e).log("a stream of events has failed");
              } finally {
                delist();
                end.run();
              }
            });
  }

  /// @return the number of a look after which the stream may begin
  private long enlist() {
    lock.lock();
    try {
      writing++;
      if (looking == null && running) {
        looking = Thread.ofVirtual().name("event-news").start(this::lookForNews);
        return looks; // those of before are of another time
      }
      return looks - 1;
    } finally {
      lock.unlock();
    }
  }

  private void delist() {
    lock.lock();
    try {
      writing--;
      open--;
    } finally {
      lock.unlock();
    }
  }

  private void write(
      EventStream stream, AdminCaller caller, Start start, BooleanSupplier isAllowed, long enlisted)
      throws IOException, InterruptedException {
    long position = start.after();
    long beat = System.nanoTime();
    stream.send(null, EventStream.HELLO, hello);
    stream.flush();
    long look = awaitLook(enlisted, beat + BEAT.toNanos());
    long job = jobs.last();
    long session = sessions.last();
    sendJobs(stream, start.resumed() ? jobs.recent() : jobs.unfinished());
    while (isRunning()) {
      if (System.nanoTime() - beat >= BEAT.toNanos()) {
        if (!isAllowed.getAsBoolean()) {
          end(stream, ENDED_TOKEN);
          return;
        }
        stream.beat();
        beat = System.nanoTime();
      }
      Problem found = trouble();
      if (found != null) {
        end(stream, found);
        return;
      }
      position = sendEvents(stream, position);
      long last = jobs.last();
      sendJobs(stream, jobs.after(job));
      job = last;
      session = sendSessions(stream, caller, session);
      start.figures().sendDue(stream);
      stream.flush();
      look = awaitLook(look, nextTurn(beat, start.figures()));
    }
  }

  /// The time at which a comment or figures are due, by [System#nanoTime].
  private static long nextTurn(long beat, FigureFeed figures) {
    long now = System.nanoTime();
    return now + Math.min(beat + BEAT.toNanos() - now, figures.left(now));
  }

  private static void end(EventStream stream, Problem why) throws IOException {
    stream.send(null, EventStream.PROBLEM, why);
    stream.flush();
  }

  /// Tells the client why its stream ends.
  private static void tell(EventStream stream, VasaException failure) {
    try {
      String detail = String.valueOf(failure.getMessage());
      end(stream, HttpFailure.of(failure).problem(detail, PATH, null));
    } catch (IOException e) {
      log.debug("a stream of events has ended: {}", e.toString());
    }
  }

  private @Nullable Problem trouble() {
    lock.lock();
    try {
      return trouble;
    } finally {
      lock.unlock();
    }
  }

  private void sendJobs(EventStream stream, List<Job> some) throws IOException {
    if (some.isEmpty()) {
      return; // for figures alone nobody asks the database
    }
    Set<String> seen = tasks.seen(some.stream().map(Job::id).toList());
    for (Job job : some) {
      if (seen.contains(job.id())) {
        stream.send(null, EventStream.JOB, job);
      }
    }
  }

  /// Sends changes of iSCSI sessions to those who may list them.
  ///
  /// @return the number of the last one
  private long sendSessions(EventStream stream, AdminCaller caller, long session)
      throws IOException {
    long last = sessions.last();
    if (!caller.isBound()) {
      for (ChangedObject changed : sessions.after(session)) {
        stream.send(null, EventStream.CHANGED, changed);
      }
    }
    return last;
  }

  /// @return the position after what was sent, or was not to be seen
  private long sendEvents(EventStream stream, long position) throws IOException {
    long from = position;
    while (from < newest()) {
      long all = newest();
      history.requireKeptAfter(from);
      List<KeptChange> some = history.following(ALL, from, AT_ONCE);
      if (some.isEmpty()) {
        return all;
      }
      for (KeptChange change : some) {
        stream.send(change.id(), EventStream.EVENT, views.of(change));
        ChangedObject object = object(change);
        if (object != null) {
          stream.send(change.id(), EventStream.CHANGED, object);
        }
      }
      from = some.getLast().id();
    }
    return from;
  }

  /// The object that a change is about, if it has one of a type that this version knows. What an
  /// earlier version wrote is told as an event in any case.
  private static @Nullable ChangedObject object(KeptChange change) {
    String type = change.objectType();
    String id = change.objectId();
    return type == null || id == null || ObjectType.parse(type).isEmpty()
        ? null
        : new ChangedObject(type, id, change.change());
  }

  private long newest() {
    lock.lock();
    try {
      return newest;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a look that found something after the look `since`, but not longer than to a time.
  ///
  /// @param until by [System#nanoTime]
  /// @return the number of the last such look
  private long awaitLook(long since, long until) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = until - System.nanoTime();
      while (looks <= since && left > 0 && running) {
        left = news.awaitNanos(left);
      }
      return looks;
    } finally {
      lock.unlock();
    }
  }

  /// Looks for news until no stream is left. The first look of each such time is always told.
  private void lookForNews() {
    boolean first = true;
    while (goesOn()) {
      Look found = look(first);
      first = false;
      tellAll(found);
      try {
        TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void tellAll(Look found) {
    lock.lock();
    try {
      if (found.isNew() || !Objects.equals(found.trouble(), trouble)) {
        newest = Math.max(newest, found.newest());
        trouble = found.trouble();
        looks++;
        news.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean goesOn() {
    lock.lock();
    try {
      if (writing == 0 || !running) {
        looking = null;
        return false;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private record Look(boolean isNew, long newest, @Nullable Problem trouble) {}

  private Look look(boolean first) {
    try {
      long id = history.newestId();
      if (first) {
        jobs.begin();
        sessions.begin();
      }
      boolean changed = jobs.look();
      changed |= sessions.look();
      return new Look(first || changed || id > newest(), id, null);
    } catch (DataAccessException | TransactionException e) {
      return new Look(
          true,
          0,
          HttpFailure.NO_DATABASE.problem(
              "the database cannot be reached; go on with the last id later", PATH, null));
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("news for streams of events could not be read");
      return new Look(
          true,
          0,
          HttpFailure.INTERNAL.problem("an error of this server; its log has it", PATH, null));
    }
  }

  @Override
  public void start() {
    lock.lock();
    try {
      running = true;
    } finally {
      lock.unlock();
    }
  }

  /// Ends all streams; their clients go on at the next start.
  @Override
  public void stop() {
    lock.lock();
    try {
      running = false;
      news.signalAll(); // no interrupt, which would break a connection of the database
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isRunning() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }
}
