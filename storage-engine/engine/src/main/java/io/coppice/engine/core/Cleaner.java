package io.coppice.engine.core;

import io.coppice.engine.log.Committer;
import io.coppice.engine.log.Log;
import io.coppice.engine.log.ZoneReader;
import io.coppice.engine.segment.PageContent;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Empties zones that are partly dead: the blocks of them that live are stored once more at the end
/// of the log, under the addresses that they have. No map is edited and no snapshot rewritten.
///
/// *What lives* in a zone: its batches name every block that was stored there, with its CRC; the
/// living ones of each segment are known, because every placement that comes or goes is counted,
/// and so is where each was moved to. The committer looks at both when a block's turn comes, and
/// again when it is stable.
///
/// *Order, and what a crash leaves after each step:*
///
/// 1. The zone is read, each block compared with the CRC of its batch. One that does not match is
///    left where it is and reported, never stored as good.
/// 2. The blocks that live go into the log as RELOCATE records. A torn batch is dropped by
///    recovery, and the blocks are where they were.
/// 3. The batch is stable: only now their places are changed, for reads from here on. After a crash
///    the log says the same again. There a block may still live that was dead here, because
///    reclaiming is not in the log: it is moved, too, and dies later, as it did here.
/// 4. The zone is given up like any other in which nothing lives: by the first checkpoint cut
///    afterwards, when it counts, and when no reader is left that could have looked up a place in
///    it. Until then both copies are there, so that the checkpoint before may still be used.
///
/// One zone at a time; the device is read by a thread of its own, everything else is the
/// committer's.
final class Cleaner implements Runnable {

  private static final Logger LOGGER = System.getLogger(Cleaner.class.getName());

  /// Blocks that are moved at once.
  private static final int PIECE = 64;

  /// Blocks moved for each block that hosts write, when there is hardly a free zone left.
  private static final int HIGHEST_PRICE = 8;

  private static final long MAX_CREDIT = 4L << 20;

  private final PoolState state;
  private final SpaceGate gate;
  private final Log log;
  private final EngineOptions options;
  private final Supplier<ZoneReader> reader;
  private final Supplier<Committer> committer;
  private final Thread thread;

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

  /// How a job ended.
  private enum End {
    DONE,
    /// For want of room, or because the pool is closed: nothing is known of what is left.
    GIVEN_UP,
    UNREADABLE
  }

  /// @param reader used by the cleaner's thread alone
  Cleaner(
      PoolState state,
      SpaceGate gate,
      Log log,
      EngineOptions options,
      Supplier<ZoneReader> reader,
      Supplier<Committer> committer) {
    this.state = state;
    this.gate = gate;
    this.log = log;
    this.options = options;
    this.reader = reader;
    this.committer = committer;
    thread = Thread.ofPlatform().name("coppice-cleaner").daemon().unstarted(this);
  }

  void start() {
    thread.start();
  }

  CleaningReport report() {
    return new CleaningReport(zones.sum(), moved.sum(), left.sum());
  }

  // ---- committer

  boolean isBusy() {
    return job != null;
  }

  /// Begins with the zone that is most worth it, if one is and there is room to copy it.
  ///
  /// @param urgent whether somebody waits for it: then any gain is worth it
  boolean begin(boolean urgent) {
    if (job != null) {
      return false;
    }
    Segment victim = victim(urgent);
    if (victim == null || !gate.hasRoomToClean(victim.residents() + overhead(victim))) {
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

  /// Cost and benefit: free space gained, times the age of what is copied, over reading and
  /// writing.
  private @Nullable Segment victim(boolean urgent) {
    Segments segments = state.segments();
    double perZone = segments.blocksPerZone();
    int youngest = segments.nextId();
    Segment best = null;
    double most = 0;
    for (Segment segment : segments.all()) {
      double live = segment.residents() / perZone;
      boolean worth = urgent || live * 100 <= options.cleanerMaxLivePercent();
      if (worth && canGain(segment)) {
        double age = urgent ? 1 : youngest - segment.id();
        double score = (1 - live) * age / (1 + live);
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

  /// Headers that its blocks need, and what may be lost where they are cut at the end of a zone.
  private static int overhead(Segment segment) {
    return segment.residents() / PIECE + 3;
  }

  /// Between batches: begins, when free zones run low, and lets those pay who use them up.
  void slice(long logBytes) {
    finishJob();
    Space space = state.space();
    long window = space.total() / 100 * options.cleanerStartPercent();
    long spare = space.room(Space.Writer.HOST);
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
    pay((logBytes - paidBatches) * (window - spare) / Math.max(1, window) * HIGHEST_PRICE, urgent);
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

  /// Somebody waits for the zone that is being emptied.
  synchronized void hurry() {
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

  @Override
  public void run() {
    ZoneReader zoneReader = null;
    for (Job now = take(); now != null; now = take()) {
      if (zoneReader == null) {
        zoneReader = reader.get();
      }
      End end = End.UNREADABLE;
      try {
        end = clean(now, zoneReader);
      } catch (RuntimeException e) {
        LOGGER.log(
            Level.WARNING,
            "Zone {0} could not be read for cleaning: {1}",
            now.zone,
            e.getMessage());
      }
      now.end = end;
      committer.get().wake();
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

  private End clean(Job now, ZoneReader zoneReader) {
    List<ZoneReader.Block> blocks;
    try {
      blocks = zoneReader.read(now.zone, now.victim.id());
    } finally {
      state.epochs().leave(now.ticket);
    }
    int from = 0;
    Map<Integer, PageContent> pages = new HashMap<>();
    while (from < blocks.size()) {
      if (!awaitTurn()) {
        return End.GIVEN_UP;
      }
      Relocation piece = move(blocks, from, pages);
      Relocation.End end = piece.await();
      if (end == Relocation.End.NO_ROOM || end == Relocation.End.FAILED) {
        return End.GIVEN_UP;
      }
      moved.add(piece.moved());
      from = piece.next();
    }
    return End.DONE;
  }

  /// Moves a piece; reads the pages of segments that it turns out to need.
  ///
  /// @param pages read so far
  private Relocation move(
      List<ZoneReader.Block> blocks, int from, Map<Integer, PageContent> pages) {
    int ticket = state.epochs().enter(); // from before a page is named until it has been read
    try {
      while (true) {
        Relocation piece =
            new Relocation(state, gate, log, blocks, from, PIECE, List.copyOf(pages.values()));
        committer.get().submit(piece);
        if (piece.await() != Relocation.End.UNREAD) {
          return piece;
        }
        piece.missing().forEach(each -> pages.put(each.segment(), state.pages().load(each)));
      }
    } finally {
      state.epochs().leave(ticket);
    }
  }

  /// Waits until a piece is paid for, somebody is in a hurry, or nobody wants the device.
  ///
  /// @return false if the pool is being closed
  private synchronized boolean awaitTurn() {
    long price = (long) PIECE * 4096;
    long patience = options.cleanerIdlePauseMillis();
    long start = System.nanoTime();
    while (!stopping && !hurried && credit < price) {
      long rest = patience - (System.nanoTime() - start) / 1_000_000;
      if (rest <= 0) {
        break;
      }
      waitHere(rest);
    }
    credit = Math.max(0, credit - price);
    return !stopping;
  }

  // Nobody but this class knows the thread; an interrupt means nothing to it.
  private void waitHere(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.interrupted();
    }
  }

  /// Has the thread end; from any thread.
  synchronized void stop() {
    stopping = true;
    notifyAll();
  }

  /// Waits until the thread has ended. A piece that is in the log is waited for.
  void awaitEnd() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
