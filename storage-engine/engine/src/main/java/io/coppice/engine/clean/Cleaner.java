package io.coppice.engine.clean;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.log.Command;
import io.coppice.engine.log.Committer;
import io.coppice.engine.log.Log;
import io.coppice.engine.log.SurvivorWriter;
import io.coppice.engine.log.ZoneBlock;
import io.coppice.engine.log.ZoneReader;
import io.coppice.engine.log.ZoneWindow;
import io.coppice.engine.segment.PageContent;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.PagedCommand;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SpaceAccounting;
import io.coppice.engine.state.SpaceGate;
import io.coppice.engine.state.SurvivorZones;
import io.coppice.engine.thread.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The thread that empties zones that are partly dead. It stores their living blocks once more,
/// under the same addresses. No map is edited and no snapshot rewritten. Blocks that have outlived
/// their zone go into zones of their own, apart from the writes of hosts.
///
/// *What lives* in a zone: its batches name every block that was stored there, with its CRC. The
/// living blocks of each segment are known, because every placement that comes or goes is counted.
/// It is also known where each was moved. The committer looks at both when a block's turn comes,
/// and again when it is stable.
///
/// *Order, and what a crash leaves after each step:*
///
/// 1. The zone is read, and each block compared with the CRC of its batch. A block that does not
///    match is left where it is and reported, never stored as good.
/// 2. A piece of the living blocks is written to a zone of survivors, beside the log, by this
///    thread, and is stable there. Nothing names it: after a crash the blocks are where they were.
///    (Without a zone for it, they go into the log as RELOCATE records: what a torn batch says
///    never happened.)
/// 3. Only then a MOVED record goes into the log. When that is stable, too, their places are
///    changed, for reads from here on. After a crash the log says the same again, and what it names
///    is there. A block may live then that was dead when the record was written, because reclaiming
///    is not in the log: it is moved, too, and dies later, as it did here.
/// 4. The zone is given up like any other in which nothing lives: when the first checkpoint cut
///    afterwards counts, and no reader is left that could have looked up a place in it. Until then
///    both copies are there, so that the checkpoint before may still be used.
///
/// A zone of survivors is given up in the same way. So it is not written again before a checkpoint
/// counts whose log has no record that names a piece of it: replay never finds other bytes there.
///
/// It empties one zone at a time. It reads the device and writes survivors in a thread of its own,
/// which never takes the device for more than a step ([CleaningSettings#stepMillis]) without
/// letting others pass. The committer does everything else. Its buffers are taken at the open. An
/// error ends the zone, not the thread. An error in reading a zone leaves everything as it was, and
/// the zone is tried again. A later error, or one time after time, stops the pool, since hosts may
/// be waiting.
public final class Cleaner {

  private static final Logger LOGGER = System.getLogger(Cleaner.class.getName());

  /// Blocks that are moved at once.
  private static final int PIECE = 64;

  private static final long PRICE = (long) PIECE * PoolLayout.BLOCK;

  private static final long MAX_CREDIT = 4L << 20;

  /// Consecutive errors in reading zones after which it reports that it cannot.
  private static final int MOST_ERRORS = 5;

  private static final long PAUSE_AFTER_ERROR_MILLIS = 500;

  private final PoolState state;
  private final SpaceGate gate;
  private final Log log;
  private final CleaningSettings options;
  private final SurvivorZones survivors;
  private final LatencyWatch latency;
  private final Tools tools;
  private final Committer committer;
  private @Nullable Thread thread;

  // The committer's.
  private @Nullable Job job;
  private final Set<Integer> unmovable = new HashSet<>();
  private long paidBatches;
  private long looked = -1;

  // Guarded by this.
  private @Nullable Job next;
  private boolean stopping;
  private boolean hurried;
  private long credit;

  // The thread's.
  private long stepNanos;
  private int errors;

  private final LongAdder zones = new LongAdder();
  private final LongAdder moved = new LongAdder();
  private final LongAdder left = new LongAdder();

  /// One zone to empty.
  private static final class Job {
    private final Segment victim;
    private final int zone;
    private final int ticket;
    private volatile @Nullable End end;

    Job(Segment victim, int ticket) {
      this.victim = victim;
      this.zone = victim.zone();
      this.ticket = ticket;
    }
  }

  /// The outcome of a job.
  private enum End {
    DONE,
    /// Ended for want of room, or because the pool is closed: the state of the rest is unknown.
    GIVEN_UP,
    UNREADABLE
  }

  /// The tools that only the cleaner's thread uses.
  public interface Tools {
    ZoneReader reader(ZoneWindow.Pace pace);

    SurvivorWriter writer();
  }

  /// The parts of the engine that the cleaner works on.
  public record Parts(PoolState state, SpaceGate gate, Log log, SurvivorZones survivors) {}

  /// @param latency what hosts wait for
  public Cleaner(
      Parts parts,
      CleaningSettings options,
      LatencyWatch latency,
      Tools tools,
      Committer committer) {
    state = parts.state;
    gate = parts.gate;
    log = parts.log;
    survivors = parts.survivors;
    this.options = options;
    this.latency = latency;
    this.tools = tools;
    this.committer = committer;
  }

  public void start() {
    ZoneReader reader = tools.reader((_, nanoseconds) -> deviceTook(nanoseconds));
    SurvivorWriter writer = tools.writer();
    thread =
        Thread.ofPlatform().name("coppice-cleaner").daemon().start(() -> cleanAll(reader, writer));
  }

  public CleaningReport report() {
    return new CleaningReport(zones.sum(), moved.sum(), left.sum());
  }

  // ---- committer

  public boolean isBusy() {
    return job != null;
  }

  /// Begins with the zone that is most worth it, if there is one and room to copy it.
  ///
  /// @param urgent whether a writer waits for it: then any gain is worth it
  public boolean begin(boolean urgent) {
    if (job != null) {
      return false;
    }
    Segment victim = victim(urgent);
    if (victim == null || !gate.admitToClean(victim.residents() + overhead(victim))) {
      return false;
    }
    Job now = new Job(victim, state.epochs().enter());
    job = now;
    synchronized (this) {
      next = now;
      hurried = urgent;
      notifyAll();
    }
    return true;
  }

  private @Nullable Segment victim(boolean urgent) {
    Segments segments = state.segments();
    double perZone = segments.blocksPerZone();
    Segment best = null;
    double most = 0;
    for (Segment segment : segments.all()) {
      double live = segment.residents() / perZone;
      boolean worth = urgent || live * 100 <= options.maxLivePercent();
      if (worth && canGain(segment)) {
        double age = urgent ? 1 : segments.ids().age(segment.id());
        double score = CleaningPolicy.score(live, age);
        if (score > most) {
          most = score;
          best = segment;
        }
      }
    }
    return best;
  }

  // Less than a 32nd of a zone is not worth the copying, however urgent.
  private boolean canGain(Segment segment) {
    int perZone = state.segments().blocksPerZone();
    return segment.kind() == Segment.Kind.LOG
        && !segment.isOpen()
        && segment.zone() >= 0
        && segment.residents() > 0
        && segment.residents() + overhead(segment) <= perZone - perZone / 32
        && !unmovable.contains(segment.id());
  }

  /// Headers that its blocks need, and the possible loss where they are cut at the end of a zone.
  private static int overhead(Segment segment) {
    return segment.residents() / PIECE + 3;
  }

  /// Between batches: begins when free zones run low, and makes writers that use them up pay.
  public void slice() {
    finishJob();
    SpaceAccounting space = state.space();
    long logBytes = log.bytes();
    long window =
        CleaningPolicy.window(
            space.packedRoom(), options.startPercent(), state.segments().zoneSize());
    long spare = space.room(SpaceAccounting.Writer.HOST);
    if (spare >= window) {
      paidBatches = logBytes;
      return;
    }
    boolean urgent = spare <= 0;
    if (job == null && looked != state.segments().sealedSoFar()) {
      looked = state.segments().sealedSoFar();
      if (begin(urgent)) {
        looked = -1;
      }
    }
    pay(CleaningPolicy.pays(logBytes - paidBatches, spare, window), urgent);
    paidBatches = logBytes;
  }

  private void pay(long bytes, boolean urgent) {
    if (job != null && (bytes > 0 || urgent)) {
      synchronized (this) {
        credit = Math.min(MAX_CREDIT, credit + bytes);
        hurried |= urgent;
        notifyAll();
      }
    }
  }

  /// Hurries, because a writer waits for the zone that is being emptied.
  public synchronized void hurry() {
    hurried = true;
    notifyAll();
  }

  private void finishJob() {
    Job done = job;
    End end = done == null ? null : done.end;
    if (done == null || end == null) {
      return;
    }
    job = null;
    Segment victim = done.victim;
    int residents = victim.zone() == done.zone ? victim.residents() : 0;
    if (end != End.GIVEN_UP && residents > 0) {
      unmovable.add(victim.id());
      left.add(residents);
      LOGGER.log(
          Level.ERROR,
          "Zone {0} keeps {1} blocks of segment {2} that are damaged or do not read.",
          done.zone,
          residents,
          victim.id());
    } else if (residents == 0) {
      zones.increment();
    }
  }

  // ---- the cleaner's thread

  private void cleanAll(ZoneReader reader, SurvivorWriter writer) {
    for (Job now = take(); now != null; now = take()) {
      End end = End.GIVEN_UP;
      try {
        end = clean(now, reader, writer);
      } catch (RuntimeException e) {
        LOGGER.log(
            Level.WARNING,
            "Zone {0} could not be read for cleaning: {1}",
            now.zone,
            e.getMessage());
        end = End.UNREADABLE;
      } catch (Error e) {
        // It is unknown how far it came, and writers must not wait for the zone for ever.
        String sentence = "The pool stopped because zones could not be emptied: " + e;
        committer.submit(new PoolStop(new StorageException.DeviceFailed(sentence, e)));
      }
      now.end = end;
      committer.wake();
    }
  }

  private End clean(Job now, ZoneReader reader, SurvivorWriter writer) {
    List<ZoneBlock> blocks;
    try {
      blocks = read(now, reader);
      errors = 0;
    } catch (Error e) {
      if (++errors >= MOST_ERRORS) {
        throw e;
      }
      LOGGER.log(Level.WARNING, "Zone " + now.zone + " is read again for cleaning.", e);
      rest();
      return End.GIVEN_UP;
    }
    return clean(blocks, writer);
  }

  private synchronized void rest() {
    long end = System.nanoTime() + PAUSE_AFTER_ERROR_MILLIS * 1_000_000;
    for (long left = PAUSE_AFTER_ERROR_MILLIS; left > 0 && !stopping; ) {
      waitHere(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
  }

  private synchronized @Nullable Job take() {
    while (next == null && !stopping) {
      waitHere(0);
    }
    Job now = stopping ? null : next;
    next = null;
    return now;
  }

  private List<ZoneBlock> read(Job now, ZoneReader reader) {
    try {
      return reader.read(now.zone, now.victim.id());
    } finally {
      state.epochs().leave(now.ticket);
    }
  }

  private End clean(List<ZoneBlock> blocks, SurvivorWriter writer) {
    int from = 0;
    Map<Integer, PageContent> pages = new HashMap<>();
    while (from < blocks.size()) {
      if (!awaitTurn()) {
        return End.GIVEN_UP;
      }
      int first = from;
      Relocation piece =
          withPages(
              pages,
              read -> new Relocation(state, gate, survivors, log, blocks, first, PIECE, read));
      boolean done =
          switch (piece.await()) {
            case CHOSEN -> store(piece, writer, pages);
            case MOVED -> {
              moved.add(piece.moved());
              yield true;
            }
            case NOTHING_LEFT -> true;
            case UNREAD, NO_ROOM, FAILED -> false;
          };
      if (!done) {
        return End.GIVEN_UP;
      }
      from = piece.next();
    }
    return End.DONE;
  }

  /// Submits a command, and once more with the pages of segments that it turns out to need.
  ///
  /// @param pages read so far
  private <C extends Command & PagedCommand> C withPages(
      Map<Integer, PageContent> pages, Function<Collection<PageContent>, C> make) {
    int ticket = state.epochs().enter(); // from before a page is named until all has been moved
    try {
      while (true) {
        C command = make.apply(List.copyOf(pages.values()));
        committer.submit(command);
        List<Pages.Missing> missing = command.awaitMissing();
        if (missing.isEmpty()) {
          return command;
        }
        missing.forEach(each -> pages.put(each.segment(), state.pages().load(each)));
      }
    } finally {
      state.epochs().leave(ticket);
    }
  }

  private boolean store(Relocation piece, SurvivorWriter writer, Map<Integer, PageContent> pages) {
    long start = System.nanoTime();
    try {
      writer.write(piece.room(), piece.survivors());
    } catch (DeviceException e) {
      committer.submit(new FailedSurvivorWrite(survivors, piece.room(), e));
      return false;
    }
    deviceTook(System.nanoTime() - start);
    Publication publication =
        withPages(
            pages,
            read -> new Publication(state, survivors, piece.room(), piece.survivors(), read));
    if (!publication.await()) {
      return false;
    }
    moved.add(piece.survivors().size());
    return true;
  }

  /// Lets others pass when a step is over, unless a writer waits for this thread.
  private void deviceTook(long nanoseconds) {
    stepNanos += nanoseconds;
    if (stepNanos >= options.stepMillis() * 1_000_000L) {
      pause(options.idlePauseMillis(), false);
    }
  }

  /// Waits until a piece is paid for, a writer is in a hurry, or the device is idle.
  ///
  /// @return false if the pool is being closed
  private synchronized boolean awaitTurn() {
    long now = System.nanoTime();
    pause((long) options.idlePauseMillis() << latency.halvings(now), true);
    credit = Math.max(0, credit - PRICE);
    return !stopping;
  }

  private synchronized void pause(long millis, boolean unlessPaid) {
    long start = System.nanoTime();
    while (!stopping && !hurried && !(unlessPaid && credit >= PRICE)) {
      long rest = millis - (System.nanoTime() - start) / 1_000_000;
      if (rest <= 0) {
        stepNanos = 0;
        return;
      }
      waitHere(rest);
    }
  }

  // Only this class knows the thread; an interrupt means nothing to it.
  private void waitHere(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.interrupted();
    }
  }

  /// Makes the thread end; from any thread.
  public synchronized void stop() {
    stopping = true;
    notifyAll();
  }

  /// Waits until the thread has ended, and for a piece that is in the log.
  public void awaitEnd() {
    Thread started = thread;
    if (started != null) {
      Uninterrupted.join(started);
    }
  }
}
