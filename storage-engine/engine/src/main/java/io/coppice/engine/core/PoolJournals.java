package io.coppice.engine.core;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.Journals;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.change.ChangeCommand;
import io.coppice.engine.change.JournalCopy;
import io.coppice.engine.change.MapQueries;
import io.coppice.engine.change.OperationLookup;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.io.IoFreeList;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.io.PoolVolume;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.state.RequestBounds;
import io.coppice.engine.state.VolumeState;
import io.coppice.engine.timeline.Journal;
import io.coppice.engine.timeline.Timeline;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/// The journals of an open pool.
///
/// The age of points goes on by the nanoseconds that the machine counts while the pool is open,
/// from the age of the newest cut in the pool. While the pool is closed it stands still. So no
/// change of the machine's clock, and no outage, makes a journal forget points early.
final class PoolJournals implements Journals {

  private static final Logger LOGGER = System.getLogger(PoolJournals.class.getName());
  private static final int BLOCK = PoolLayout.BLOCK;

  /// Volumes that are settled while writes wait: for some hundred microseconds.
  private static final int SETTLED_AT_ONCE = 4;

  private final OpenPool pool;
  private final MapQueries queries;
  private final IoFreeList spares;
  private final CommitterHousekeeping housekeeping;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final long openedAt;
  private final long ageAtOpen;
  private final Object storing = new Object();

  /// @param nanos a count of nanoseconds, as [System#nanoTime]
  PoolJournals(
      OpenPool pool, CommitterHousekeeping housekeeping, InstantSource clock, LongSupplier nanos) {
    this.pool = pool;
    this.clock = clock;
    this.housekeeping = housekeeping;
    queries = new MapQueries(pool);
    spares = new IoFreeList(pool);
    this.nanos = nanos;
    openedAt = nanos.getAsLong();
    ageAtOpen =
        pool.state().volumes().stream()
            .map(VolumeState::timeline)
            .mapToLong(timeline -> timeline == null ? 0 : timeline.lastAge())
            .max()
            .orElse(0);
  }

  private long age() {
    return ageAtOpen + (nanos.getAsLong() - openedAt) / 1_000_000;
  }

  @Override
  public void keep(OperationId operation, VolumeId volume, List<JournalTier> tiers) {
    int number = queries.require(volume).number();
    allow();
    change(new Change.Keep(operation, volume, age(), List.copyOf(tiers)));
    settle(List.of(number));
  }

  /// Makes the pool say that it has journals before it has the first.
  ///
  /// A program without that feature would not know the records, and call the pool damaged. So a
  /// superblock with the feature is stable before the first record enters the log. A crash between
  /// the two leaves the feature without a journal, which is harmless; the feature stays.
  private void allow() {
    if (!housekeeping.hasJournals()) {
      housekeeping.allowJournals();
      housekeeping.checkpoint(pool.committer()::wake);
      pool.service().check();
      if (!housekeeping.hasJournals()) {
        throw new StorageException.OutOfSpace(
            "Expected free zones for the checkpoint before the first journal, found too few.");
      }
    }
  }

  @Override
  public void end(OperationId operation, VolumeId volume) {
    if (queries.require(volume).timeline() != null) {
      change(new Change.Forget(operation, volume));
    }
  }

  @Override
  public Instant cut(Collection<VolumeId> volumes) {
    List<VolumeState> kept = kept(volumes);
    return kept.isEmpty() ? Instant.ofEpochMilli(clock.millis()) : cut(kept, age());
  }

  /// Those that are there and have a journal.
  private List<VolumeState> kept(Collection<VolumeId> volumes) {
    return volumes.stream()
        .map(pool.state()::find)
        .filter(volume -> volume != null && volume.timeline() != null)
        .toList();
  }

  @Override
  public void trim(OperationId operation, Collection<VolumeId> volumes, Instant before) {
    List<Integer> numbers = kept(volumes).stream().map(VolumeState::number).toList();
    if (!numbers.isEmpty()) {
      change(new Change.Trim(operation, roundedDown(before), numbers));
      settle(numbers);
    }
  }

  @Override
  public Optional<Instant> cutDue() {
    long age = age();
    List<VolumeState> due = new ArrayList<>();
    for (VolumeState volume : pool.state().volumes()) {
      Timeline timeline = volume.timeline();
      if (timeline != null && timeline.isDue(age)) {
        due.add(volume);
      }
    }
    return due.isEmpty() ? Optional.empty() : Optional.of(cut(due, age));
  }

  private Instant cut(List<VolumeState> volumes, long age) {
    List<Integer> numbers = volumes.stream().map(VolumeState::number).toList();
    if (numbers.size() > SETTLED_AT_ONCE) {
      settle(numbers);
    }
    OperationResult result = change(new Change.Cut(OperationId.random(), age, numbers));
    settle(numbers);
    storeLists(volumes);
    return result instanceof OperationResult.Bytes(var moment)
        ? Instant.ofEpochMilli(moment)
        : Instant.EPOCH;
  }

  /// Brings the hidden volumes of volumes up to date, a few at a time: before a cut of many, which
  /// does that with what is left, and after a change. So the writes that meet a cut do not wait for
  /// all that has come since the last point, and for all that the oldest points leave.
  private void settle(List<Integer> numbers) {
    for (int i = 0; i < numbers.size(); i += SETTLED_AT_ONCE) {
      List<Integer> part = numbers.subList(i, Math.min(numbers.size(), i + SETTLED_AT_ONCE));
      pool.questions()
          .ask(
              () -> {
                settleNow(part);
                return part;
              });
    }
  }

  private void settleNow(List<Integer> numbers) {
    for (int number : numbers) {
      VolumeState volume = pool.state().find(number);
      if (volume != null) {
        pool.state().oldBlocks().settle(volume);
      }
    }
  }

  /// Stores what is full of the lists, so that neither memory nor the next checkpoint has it. If
  /// that fails, the lists stay in memory, and the next cut tries again.
  private void storeLists(List<VolumeState> volumes) {
    synchronized (storing) {
      for (VolumeState volume : volumes) {
        Timeline timeline = volume.timeline();
        if (timeline != null) {
          timeline.storable().forEach(this::store);
        }
      }
    }
  }

  @Override
  public List<VolumeId> volumes() {
    return pool.state().volumes().stream()
        .filter(volume -> volume.timeline() != null)
        .map(volume -> volume.info().id())
        .toList();
  }

  private void store(Timeline.Storable list) {
    VolumeState hidden = pool.state().findHidden(list.number());
    if (hidden == null) {
      return;
    }
    try {
      PoolVolume target = new PoolVolume(pool, spares, hidden);
      int done = 0;
      while (done < list.bytes().length) {
        long block = Journal.listBlock((list.block() - Journal.SLOTS) * BLOCK + done);
        long left = Math.min(list.bytes().length - done, (2 * Journal.SLOTS - block) * BLOCK);
        target.write(block * BLOCK, ByteBuffer.wrap(list.bytes(), done, (int) left).slice());
        done += (int) left;
      }
    } catch (StorageException e) {
      LOGGER.log(Level.DEBUG, "A journal''s list stays in memory: {0}", e.getMessage());
    }
  }

  @Override
  public Optional<JournalInfo> find(VolumeId volume) {
    VolumeState found = pool.state().find(volume);
    Timeline timeline = found == null ? null : found.timeline();
    return Optional.ofNullable(timeline).map(Timeline::info);
  }

  private Timeline require(VolumeId volume) {
    Timeline timeline = queries.require(volume).timeline();
    if (timeline == null) {
      throw new StorageException.NotFound("Volume %s has no journal.".formatted(volume));
    }
    return timeline;
  }

  @Override
  public List<Instant> points(VolumeId volume, Instant from, int most) {
    checkMost(most);
    return instants(require(volume).moments(roundedUp(from), most));
  }

  @Override
  public List<Instant> pointsBefore(VolumeId volume, Instant to, int most) {
    checkMost(most);
    return instants(require(volume).momentsBefore(roundedDown(to), most));
  }

  private static void checkMost(int most) {
    if (most < 1 || most > MOST_POINTS) {
      throw new StorageException.InvalidRequest(
          "Expected 1 to %d points, got %d.".formatted(MOST_POINTS, most));
    }
  }

  private static List<Instant> instants(List<Long> moments) {
    return moments.stream().map(Instant::ofEpochMilli).toList();
  }

  private static long roundedDown(Instant moment) {
    long next = roundedUp(moment);
    return Instant.ofEpochMilli(next).isAfter(moment) ? next - 1 : next;
  }

  private static long roundedUp(Instant moment) {
    try {
      long millis = moment.toEpochMilli();
      return Instant.ofEpochMilli(millis).isBefore(moment) ? millis + 1 : millis;
    } catch (ArithmeticException e) {
      return moment.isBefore(Instant.EPOCH) ? 0 : Long.MAX_VALUE - 1;
    }
  }

  @Override
  public Optional<Instant> pointAt(VolumeId volume, Instant moment) {
    long found = require(volume).at(roundedDown(moment));
    return found < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(found));
  }

  @Override
  public VolumeInfo clone(OperationId operation, CloneSpec spec, Instant point) {
    RequestBounds.attributes(spec.attributes());
    OperationResult earlier = new OperationLookup(pool, operation).find();
    if (earlier != null) {
      return PoolLocks.volume(earlier, operation);
    }
    VolumeState source = queries.require(spec.source());
    OperationResult result =
        new JournalCopy(pool, spares).clone(operation, source, spec, point.toEpochMilli());
    return PoolLocks.volume(result, operation);
  }

  @Override
  public List<VolumeInfo> revert(OperationId operation, Map<VolumeId, Instant> points) {
    if (points.isEmpty() || points.size() > StorageEngine.MAX_GROUP) {
      throw new StorageException.InvalidRequest(
          "Expected 1 to %d volumes, got %d.".formatted(StorageEngine.MAX_GROUP, points.size()));
    }
    OperationResult result = new OperationLookup(pool, operation).find();
    if (result == null) {
      List<JournalCopy.Target> targets = new ArrayList<>();
      points.forEach(
          (id, point) ->
              targets.add(new JournalCopy.Target(queries.require(id), point.toEpochMilli())));
      // In one order, so that two such calls never wait for each other.
      targets.sort(Comparator.comparingInt(target -> target.volume().number()));
      result = new JournalCopy(pool, spares).revert(operation, targets);
    }
    return PoolLocks.volumes(result, operation);
  }

  private OperationResult change(Change change) {
    ChangeCommand command = new ChangeCommand(pool, change);
    pool.committer().execute(command);
    return command.await(null);
  }
}
