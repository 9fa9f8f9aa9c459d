package io.coppice.engine.checkpoint;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.SegmentRow;
import io.coppice.engine.log.Log;
import io.coppice.engine.map.Node;
import io.coppice.engine.segment.PageContent;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SpaceGate;
import io.coppice.engine.superblock.Superblocks;
import io.coppice.engine.thread.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The checkpoints of a pool. The committer cuts one, a thread of its own writes it, and the
/// committer finishes it.
///
/// Order, and what a crash leaves after each step:
///
/// 1. *Cut*: all nodes are frozen, the small tables copied, the log position noted. Nothing on the
///    device has changed.
/// 2. Nodes and tables go into free zones, each into two, and are synced. A crash leaves the old
///    checkpoint; nothing names the new bytes, and their zones count as free.
/// 3. The superblock is stored, as [Superblocks] says. From then on a restart uses the new
///    checkpoint and the log from the cut on. Not before 2: it would name bytes that are not there.
/// 4. Zones in which nothing lived at the cut, whether it died or was moved, and those of the old
///    tables, are free. Not before 3: a restart from the old checkpoint would find them
///    overwritten. Not before the last reader has left that could hold an address in them.
public final class Checkpoints {

  private static final Logger LOGGER = System.getLogger(Checkpoints.class.getName());

  /// Zones of a checkpoint that gathers all nodes, beside those for the nodes, about.
  private static final int ZONES_BESIDE_GATHERED = 3;

  private final CheckpointWriter.Target target;
  private final PoolState state;
  private final Log log;
  private final SpaceGate gate;
  private final Runnable wake;

  private final Superblocks superblocks;
  private Map<Integer, Integer> tables;
  private CheckpointWriter.Place place = CheckpointWriter.Place.NONE;
  private @Nullable Running running;
  private volatile @Nullable Thread thread;
  private volatile boolean smallVolumes; // what the next superblock is to say
  private volatile boolean journals; // likewise
  private volatile boolean groupReverts; // likewise
  private long bytesAtCut;
  private long recordsAtCut;
  private long completed;
  private int attempts;
  private int shortWith = -1; // zones that were too few for the last one; -1: they were enough
  private final Set<Integer> leaving = new HashSet<>(); // given up, held by readers
  private final Set<Integer> stuck = new HashSet<>(); // they hold nodes that could not be moved
  private boolean storedTwice;

  /// A checkpoint under way; the thread sets `outcome` last.
  private static final class Running {
    private final CheckpointImage image;
    private final CheckpointWriter writer;
    private final int ticket;
    private volatile @Nullable Outcome outcome;

    Running(CheckpointImage image, CheckpointWriter writer, int ticket) {
      this.image = image;
      this.writer = writer;
      this.ticket = ticket;
    }
  }

  /// The pages with many changes.
  ///
  /// @param read those that the next checkpoint is to store anew
  private record CrowdedPages(List<PageContent> read, List<Pages.Missing> unreadable) {}

  private sealed interface Outcome {
    record Complete(CheckpointWriter.Written written, CrowdedPages pages) implements Outcome {}

    record NoZone() implements Outcome {}

    record Failed(Throwable cause) implements Outcome {}
  }

  /// @param tables blocks of the current checkpoint's tables by segment
  public Checkpoints(
      BlockDevice device,
      PoolState state,
      Log log,
      SpaceGate gate,
      Superblocks superblocks,
      Map<Integer, Integer> tables,
      Runnable wake) {
    target =
        new CheckpointWriter.Target(
            device, superblocks.current().pool(), state.segments().zoneSize());
    this.state = state;
    this.log = log;
    this.gate = gate;
    this.superblocks = superblocks;
    this.tables = new HashMap<>(tables);
    this.wake = wake;
  }

  public boolean isRunning() {
    return running != null;
  }

  /// Whether the pool on the device says that it has accounts.
  public boolean hasAccounts() {
    return current().features().hasAccounts();
  }

  /// Whether the pool says that blocks may have moved.
  public boolean hasRelocation() {
    return current().features().hasRelocation();
  }

  /// Whether the pool says that moved blocks may be in zones of their own.
  public boolean hasSurvivors() {
    return current().features().hasSurvivors();
  }

  /// Lets volumes be as small as a block. The next checkpoint makes the superblock say so; until it
  /// is stored, no volume may be smaller than the superblock allows.
  public void allowSmallVolumes() {
    smallVolumes = true;
  }

  /// Lets volumes have journals, likewise.
  public void allowJournals() {
    journals = true;
  }

  /// Whether the superblock that counts says that volumes may have journals.
  public boolean hasJournals() {
    return current().features().hasJournals();
  }

  /// Lets volumes be reverted together, likewise.
  public void allowGroupReverts() {
    groupReverts = true;
  }

  /// Whether the superblock that counts says that volumes may be reverted together.
  public boolean hasGroupReverts() {
    return current().features().hasGroupReverts();
  }

  /// The smallest size in bytes that a volume may have by the superblock that counts.
  public long smallestVolume() {
    return current().features().smallestVolume();
  }

  /// The superblock that counts.
  public Superblock current() {
    return superblocks.current();
  }

  /// Number of checkpoints since the open that count.
  public long completed() {
    return completed;
  }

  /// Whether the last one failed for want of a zone, and another would have no more of them. That
  /// it failed says nothing any more once readers have left who held the zones of the one before:
  /// those come free without a checkpoint.
  public boolean isOutOfZones() {
    return state.segments().freeZones() <= shortWith;
  }

  /// Zones in which nothing lives, and which the next one will make free: not those that only
  /// readers hold any more.
  public int freeable() {
    return state.segments().deadSegments() - leaving.size();
  }

  public long bytesSinceCut(long bytesWritten) {
    return bytesWritten - bytesAtCut;
  }

  public long recordsSinceCut() {
    return log.records() - recordsAtCut;
  }

  /// Step 1. No command may be partly in the log.
  public void cut(long bytesWritten) {
    bytesAtCut = bytesWritten;
    recordsAtCut = log.records();
    boolean full = decideFull();
    state.oldBlocks().settle(); // the image has only what is in maps
    state.editor().startInterval();
    state.space().checkpointCut();
    boolean withJournals = journals || current().features().hasJournals();
    CheckpointImage image = CheckpointImage.of(state, log.position(), withJournals, full);
    state.space().setPageBlocks(state.pages().pageBlocks());
    CheckpointWriter writer =
        new CheckpointWriter(
            target, state.segments(), ++attempts, full ? CheckpointWriter.Place.NONE : place);
    Running now = new Running(image, writer, state.epochs().enter());
    running = now;
    gate.setCheckpointRuns(true);
    thread = Thread.ofPlatform().name("coppice-checkpoint").daemon().start(() -> run(now));
  }

  /// Waits until nothing is being written. Only after the committer has ended.
  public void awaitEnd() {
    Thread last = thread;
    if (last != null) {
      Uninterrupted.join(last);
    }
  }

  /// Decides whether all nodes are gathered in other zones. They are when more than half of their
  /// zones' content is dead: the zones become free as a whole. They also are, once and if there is
  /// space, when some have no second copy, because an older writer stored them. Zones that only
  /// readers hold do not count: gathering would not free them, but take others. Neither do those
  /// that the last gathering could not empty.
  private boolean decideFull() {
    Segments segments = state.segments();
    long live = 0;
    long size = 0;
    boolean isOnceOnly = false;
    for (Segment segment : segments.all()) {
      if (segment.kind() == Segment.Kind.META
          && segment.zone() >= 0
          && segment.id() != place.segment()
          && !leaving.contains(segment.id())
          && !stuck.contains(segment.id())) {
        live += segment.residents();
        size += segments.blocksPerZone();
        isOnceOnly |= segment.residents() > 0 && segments.twins().of(segment.zone()) < 0;
      }
    }
    if (isOnceOnly && !storedTwice) {
      long zones = live / segments.blocksPerZone() + ZONES_BESIDE_GATHERED;
      storedTwice =
          segments.freeZones() > 2 * zones + state.space().reserve() / segments.zoneSize();
      return storedTwice;
    }
    return size > 2L * segments.blocksPerZone() && 2 * live < size;
  }

  private void run(Running now) {
    Outcome outcome;
    try {
      CheckpointWriter.Written written = written(now);
      superblocks.store(
          before -> before.next(features(before, now.image), written.root(), now.image.position()));
      outcome = new Outcome.Complete(written, load(now.image.crowded()));
    } catch (CheckpointWriter.NoZone e) {
      outcome = new Outcome.NoZone();
    } catch (RuntimeException | Error e) {
      outcome = new Outcome.Failed(e);
    }
    now.outcome = outcome;
    wake.run();
  }

  // The tables and the superblock agree: the image says whether there is a table of journals.
  private Superblock.Features features(Superblock before, CheckpointImage image) {
    Superblock.Features features = before.features().current();
    Superblock.Features now = smallVolumes ? features.withSmallVolumes() : features;
    now = groupReverts ? now.withGroupReverts() : now;
    return image.journals() == null ? now : now.withJournals();
  }

  /// A medium without space is like a pool without a zone: nothing names what was written.
  private static CheckpointWriter.Written written(Running now) {
    try {
      return now.writer.write(now.image);
    } catch (DeviceException.NoSpace e) {
      throw new CheckpointWriter.NoZone();
    }
  }

  private CrowdedPages load(List<Pages.Missing> crowded) {
    List<PageContent> read = new ArrayList<>();
    List<Pages.Missing> unreadable = new ArrayList<>();
    for (Pages.Missing each : crowded) {
      try {
        read.add(state.pages().load(each));
      } catch (StorageException e) {
        unreadable.add(each);
        LOGGER.log(Level.ERROR, "A page is not stored anew: {0}", e.getMessage());
      }
    }
    return new CrowdedPages(read, unreadable);
  }

  /// Finishes the running checkpoint if its thread is done.
  ///
  /// @return whether one was finished
  /// @throws StorageException.DeviceFailed if it could not be written: what is stored is unknown
  public boolean poll() {
    Running now = running;
    Outcome outcome = now == null ? null : now.outcome;
    if (now == null || outcome == null) {
      return false;
    }
    running = null;
    thread = null; // it would keep what was copied at the cut until the next one
    gate.setCheckpointRuns(false);
    state.epochs().leave(now.ticket);
    switch (outcome) {
      case Outcome.Complete(var written, var pages) -> {
        finish(now.image, written, pages);
        completed++;
        shortWith = -1;
      }
      case Outcome.NoZone _ -> {
        for (SegmentRow row : now.writer.added()) {
          state.segments().giveBack(row.zone());
          state.segments().giveBack(row.twin());
        }
        state.pages().notStored(now.image.pages());
        // Not what is free by now: zones may have come free since it looked for one.
        shortWith = 2 * now.writer.added().size() + 1;
      }
      case Outcome.Failed(var cause) ->
          throw new StorageException.DeviceFailed(
              "The pool stopped because a checkpoint could not be written: " + cause.getMessage(),
              cause);
    }
    return true;
  }

  /// Step 4.
  private void finish(CheckpointImage image, CheckpointWriter.Written written, CrowdedPages pages) {
    Segments segments = state.segments();
    int open = written.place().segment();
    if (open != place.segment() && place.segment() >= 0) {
      segments.seal(place.segment());
    }
    for (SegmentRow row : written.added()) {
      segments.add(row.id(), Segment.Kind.of(row.meta()), row.zone(), row.twin());
    }
    for (Node node : written.nodes()) {
      if (!node.isFreed()) {
        state.nodes().cleaned(node);
        segments.nodeStored(node.stored());
      }
    }
    state.pages().didNotRead(pages.unreadable);
    state.pages().stored(written.pages(), pages.read, state.epochs()::afterReaders);
    written.moves().apply(segments);
    noteStuck(image, written);
    for (SegmentRow row : written.added()) {
      if (row.id() != open) {
        segments.seal(row.id());
      }
    }
    tables.forEach((id, blocks) -> segments.tables(id, -blocks));
    tables = written.tableBlocks();
    tables.forEach(segments::tables);
    place = written.place();
    state.space().setTableBytes(written.tableBytes());
    release(image, written);
    gate.publishRoom();
  }

  private void noteStuck(CheckpointImage image, CheckpointWriter.Written written) {
    if (image.full()) {
      stuck.clear();
      for (Segment segment : state.segments().all()) {
        if (segment.kind() == Segment.Kind.META && written.kept().contains(segment.zone())) {
          stuck.add(segment.id());
        }
      }
    }
  }

  private void release(CheckpointImage image, CheckpointWriter.Written written) {
    Segments segments = state.segments();
    Map<Integer, Segment> free = new HashMap<>();
    image.dead().forEach(segment -> free.put(segment.id(), segment));
    if (image.full()) {
      Set<Integer> fresh = new HashSet<>();
      written.added().forEach(row -> fresh.add(row.id()));
      for (Segment segment : segments.all()) {
        if (segment.kind() == Segment.Kind.META
            && !fresh.contains(segment.id())
            && segment.isVacant()
            && !written.kept().contains(segment.zone())) {
          free.put(segment.id(), segment);
        }
      }
    }
    for (Segment segment : free.values()) {
      if (segment.tables() == 0 && segments.find(segment.id()) == segment) {
        boolean whole = segment.live() == 0;
        gate.zoneIsLeaving();
        if (segment.zone() >= 0) {
          leaving.add(segment.id());
        }
        state.epochs().afterReaders(() -> remove(segment, whole));
      }
    }
  }

  // A segment may be on the list of two checkpoints while readers delay the first removal.
  private void remove(Segment segment, boolean whole) {
    if (state.segments().find(segment.id()) == segment) {
      if (whole) {
        state.segments().remove(segment);
      } else {
        state.segments().giveUpZone(segment);
      }
      leaving.remove(segment.id());
    }
    gate.zoneHasLeft();
  }
}
