package io.coppice.scsi.limit;

import io.coppice.scsi.setting.LimitSettings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The queues that hold back the I/Os of volumes that have a limit, by themselves or in a group.
///
/// An I/O passes when the buckets of its volume and of its group have no debt. Otherwise it waits
/// in its volume's queue, in order, and holds nothing but its place: no thread, and nothing of
/// other volumes. If volumes share a group's limit, the one that has had least in relation to its
/// weight comes next (start-time fair queueing). A volume that its own limit stops is passed over.
///
/// Safe for any thread. One lock, held for a few hundred nanoseconds and never while an I/O begins.
/// Volumes without any limit have no queue here and never come.
public final class FairQueues {

  private static final Logger LOGGER = System.getLogger(FairQueues.class.getName());

  private static final long MILLISECOND = 1_000_000;

  /// Shortest time between two looks at the waiting I/Os: the burst makes up for it.
  private static final long TICK = MILLISECOND;

  /// Longest time between two looks: a change of settings is seen by then.
  private static final long LONGEST_TICK = 100 * MILLISECOND;

  /// The outcome of an offer.
  public enum Outcome {
    /// It may begin; the caller begins it.
    BEGIN,
    /// It waits, and begins when its turn comes.
    WAIT,
    /// Too many wait already.
    FULL
  }

  private final LimitSettings settings;
  private final LimiterTimer alarm;
  private final long burstNanos;
  private final ConcurrentHashMap<String, Group> groups = new ConcurrentHashMap<>();
  private final Object lock = new Object();

  /// Shares in which something waits.
  private final Set<Share> active = new HashSet<>(); // guarded by lock

  private boolean busy; // guarded by lock: some thread is in release
  private boolean again; // guarded by lock: it has to look once more
  private long nextLook = Long.MAX_VALUE; // guarded by lock

  /// The settings that it was made with.
  public LimitSettings settings() {
    return settings;
  }

  public FairQueues(LimitSettings settings, LimiterTimer alarm) {
    this.settings = settings;
    this.alarm = alarm;
    this.burstNanos = settings.burstMs() * MILLISECOND;
  }

  /// The limit that several volumes share.
  public final class Group {
    private final Share share = new Share(burstNanos);

    private Group() {}

    /// Changes the limit; this also counts at once for waiting I/Os.
    private void limit(Limits limits) {
      synchronized (lock) {
        share.meter().limit(limits, alarm.now());
      }
      release();
    }
  }

  /// The group of that name; null if it has no limit.
  public @Nullable Group group(String name) {
    return groups.get(name);
  }

  /// Changes the limit of a group. If the limit is new or has gone, the queues in the group learn
  /// of it from [#configure].
  public void limitGroup(String name, Limits limits) {
    if (limits.isNone()) {
      Group group = groups.remove(name);
      if (group != null) {
        group.limit(limits);
      }
    } else {
      groups.computeIfAbsent(name, _ -> new Group()).limit(limits);
    }
  }

  /// A queue without a limit.
  ///
  /// @param look called now and then, without locks, while something waits in it
  public FairQueue queue(Runnable look) {
    return new FairQueue(new Share(burstNanos), burstNanos, look);
  }

  /// Changes the limits of a volume; this also counts at once for waiting I/Os.
  ///
  /// @param group null for none
  public void configure(FairQueue queue, Limits limits, int weight, @Nullable Group group) {
    synchronized (lock) {
      queue.meter().limit(limits, alarm.now());
      queue.weight(weight);
      queue.moveTo(group == null ? new Share(burstNanos) : group.share);
      if (!queue.isEmpty()) {
        active.add(queue.share());
      }
    }
    release();
  }

  /// Takes an I/O in.
  ///
  /// @param bytes the bytes that it moves, 0 and more
  /// @param first whether it goes before those that already wait
  public Outcome offer(FairQueue queue, LimitedIo io, long bytes, boolean first) {
    synchronized (lock) {
      long now = alarm.now();
      Share share = queue.share();
      if (share.waiting().isEmpty() && !queue.isReleasing() && ready(queue, now)) {
        queue.charge(bytes, now);
        return Outcome.BEGIN;
      }
      if (isFull(queue)) {
        return Outcome.FULL;
      }
      boolean alone = queue.isEmpty();
      queue.add(new FairQueue.Entry(io, bytes, now), first);
      if (alone && !queue.isReleasing() && share.next(now) == queue) {
        queue.take(now); // others of the group wait, but for their own limits
        return Outcome.BEGIN;
      }
      active.add(share);
      arm(share.readyAt(), now);
      return Outcome.WAIT;
    }
  }

  private static boolean ready(FairQueue queue, long now) {
    return queue.meter().isReady(now) && queue.share().meter().isReady(now);
  }

  private boolean isFull(FairQueue queue) {
    return queue.size() >= settings.waitingIos()
        || (!queue.isEmpty() && queue.backlogNanos() >= settings.longestWaitMs() * MILLISECOND);
  }

  /// Takes an I/O out again.
  ///
  /// @return false if it does not wait, or no longer: then it has begun or is about to
  public boolean withdraw(FairQueue queue, LimitedIo io) {
    synchronized (lock) {
      boolean waited = queue.remove(io);
      if (queue.share().waiting().isEmpty()) {
        active.remove(queue.share());
      }
      return waited;
    }
  }

  /// The number of I/Os that wait in a queue.
  public int waiting(FairQueue queue) {
    synchronized (lock) {
      return queue.size();
    }
  }

  /// The time of [#arm] has come.
  private void look() {
    List<FairQueue> queues = new ArrayList<>();
    synchronized (lock) {
      nextLook = Long.MAX_VALUE;
      active.forEach(share -> queues.addAll(share.waiting()));
    }
    queues.forEach(FairQueues::look);
    release();
  }

  // Whatever one look brings, the waiting I/Os must be looked at again.
  private static void look(FairQueue queue) {
    try {
      queue.look().run();
    } catch (RuntimeException | Error e) {
      LOGGER.log(Level.ERROR, "the limit of a volume could not be looked up", e);
    }
  }

  /// Begins everything whose turn has come. One thread at a time does so, to keep the order; a
  /// thread that comes meanwhile leaves the work to it.
  private void release() {
    synchronized (lock) {
      again = true;
      if (busy) {
        return;
      }
      busy = true;
    }
    List<FairQueue.Entry> due = new ArrayList<>();
    Set<FairQueue> from = new HashSet<>();
    try {
      while (takeDue(due, from)) {
        due.forEach(this::begin);
        due.clear();
      }
    } catch (RuntimeException | Error e) { // for want of memory: what was taken begins all the same
      due.forEach(this::begin);
      tryAgain(from);
      throw e;
    }
  }

  private void tryAgain(Set<FairQueue> from) {
    synchronized (lock) {
      from.forEach(queue -> queue.releasing(false));
      busy = false;
      again = false;
      long now = alarm.now();
      arm(now + LONGEST_TICK, now);
    }
  }

  // Whatever happens to one I/O, those behind it must not wait for ever.
  private void begin(FairQueue.Entry entry) {
    try {
      entry.io().beginAfter(Math.max(0, alarm.now() - entry.since()));
    } catch (RuntimeException | Error e) {
      LOGGER.log(Level.ERROR, "an I/O that had waited for its limit did not begin", e);
    }
  }

  /// @param from the queues of the I/Os taken before, which have begun by now
  /// @return false if there is nothing more to do
  private boolean takeDue(List<FairQueue.Entry> due, Set<FairQueue> from) {
    synchronized (lock) {
      from.forEach(queue -> queue.releasing(false));
      from.clear();
      takeDue(due, from, alarm.now());
      busy = again || !due.isEmpty();
      again = false;
      return busy;
    }
  }

  private void takeDue(List<FairQueue.Entry> due, Set<FairQueue> from, long now) {
    long next = Long.MAX_VALUE;
    for (Share share : List.copyOf(active)) {
      for (FairQueue queue = share.next(now); queue != null; queue = share.next(now)) {
        due.add(queue.take(now));
        queue.releasing(true);
        from.add(queue);
      }
      if (share.waiting().isEmpty()) {
        active.remove(share);
      } else {
        next = Math.min(next, share.readyAt());
      }
    }
    if (!active.isEmpty()) {
      arm(next, now);
    }
  }

  private void arm(long time, long now) {
    long at = Math.clamp(time, now + TICK, now + LONGEST_TICK);
    if (at < nextLook) {
      nextLook = at;
      alarm.at(at, this::look);
    }
  }
}
