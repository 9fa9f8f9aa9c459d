package io.coppice.replication.intake;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ByteRange;
import io.coppice.replication.Cycle;
import io.coppice.replication.Place;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.message.Checksums;
import io.coppice.replication.message.LinkMessage;
import io.coppice.replication.replica.ReplicaCatalog;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The data of one cycle on its way into the carriers of its members.
///
/// Nobody reads a carrier, so what a cycle has written is hidden until one record takes the
/// snapshots of all carriers: the replica. *What a crash leaves:* the replicas before it are
/// snapshots, which nothing changes. Each write is stable before the place that the cycle's record
/// names goes beyond it, so the same cycle goes on from there; writing a block again does no harm.
/// Another cycle brings the carriers back to its bases first.
///
/// Used by one thread; writes end on others.
final class CycleIntake {

  /// Most data that is being written, in blocks of 4096 bytes: 32 MiB.
  private static final int MOST_BLOCKS = 8192;

  /// What a write counts at least, so that at most 128 are under way.
  private static final int LEAST_COST = 64;

  private final ReplicaCatalog catalog;
  private final Cycle cycle;
  private final CycleProgress progress;
  private final Map<UUID, VolumeId> carriers;
  private final StorageEngine engine;
  private final Semaphore room = new Semaphore(MOST_BLOCKS);
  private final AtomicReference<@Nullable StorageException> failure = new AtomicReference<>();
  private final boolean isReplica;
  private final Notes notes;
  private Place received;
  private long unnoted;
  private int open = -1; // the member whose carrier is `volume`
  private @Nullable Volume volume;

  private CycleIntake(
      StorageEngine engine,
      ReplicaCatalog catalog,
      Cycle cycle,
      CycleProgress progress,
      Map<UUID, VolumeId> carriers,
      Place place,
      boolean isReplica,
      Notes notes) {
    this.engine = engine;
    this.catalog = catalog;
    this.cycle = cycle;
    this.progress = progress;
    this.carriers = carriers;
    this.received = place;
    this.isReplica = isReplica;
    this.notes = notes;
  }

  /// The rule for noting what is stable, and the one who is told.
  ///
  /// @param bytes of data after which it is due
  record Notes(long bytes, Consumer<Place> listener) {}

  /// Begins a cycle, or goes on with it.
  ///
  /// @throws ReplicationException (NO_BASE) if a base is gone; (STATE) if the target has a later
  ///   replica
  /// @throws StorageException as the engine; the cycle may be begun again
  static CycleIntake begin(StorageEngine engine, ReplicaCatalog catalog, Cycle cycle, Notes notes) {
    CycleProgress progress = new CycleProgress(engine.records(), cycle);
    Place end = new Place(cycle.members().size(), 0);
    if (catalog.find(cycle.group(), cycle.id()).isPresent()) {
      return new CycleIntake(engine, catalog, cycle, progress, Map.of(), end, true, notes);
    }
    catalog.of(cycle.group()).stream()
        .findFirst()
        .filter(newest -> newest.number() >= cycle.number())
        .ifPresent(
            newest -> {
              throw new ReplicationException(
                  Reason.STATE,
                  "Expected a cycle after number %d of the group, got number %d: the source does not know the newest replica here."
                      .formatted(newest.number(), cycle.number()));
            });
    Carriers carriers = new Carriers(engine, catalog, cycle);
    Place place = carriers.exist() ? progress.place() : null;
    if (place == null) {
      carriers.requireBases();
      progress.prepare();
      carriers.prepare();
      place = Place.START;
      progress.reach(place);
    }
    return new CycleIntake(
        engine, catalog, cycle, progress, carriers.volumes(), place, false, notes);
  }

  /// The place up to which everything has come.
  Place place() {
    return received;
  }

  /// Writes data that has come.
  ///
  /// @throws ReplicationException (DAMAGED) if it fails its checksum, is not in order or not inside
  ///   its member
  void write(LinkMessage.Blocks blocks) {
    ByteBuffer data = blocks.data();
    int length = data.remaining();
    Volume into = accept(blocks.member(), new ByteRange(blocks.offset(), length));
    if (!Checksums.of(data).equals(blocks.checksums())) {
      throw new ReplicationException(
          Reason.DAMAGED,
          "The data of member %s at %d does not have the checksums that came with it."
              .formatted(cycle.members().get(blocks.member()).id(), blocks.offset()));
    }
    End end = begin((length + 4095) / 4096);
    into.write(blocks.offset(), data, end);
    arrived(new Place(blocks.member(), blocks.offset() + length), length);
  }

  /// Makes ranges holes.
  ///
  /// @throws ReplicationException as [#write]
  void unmap(LinkMessage.Holes holes) {
    ByteRange last = holes.ranges().getLast();
    long first = holes.ranges().getFirst().offset();
    Volume into = accept(holes.member(), new ByteRange(first, last.end() - first));
    into.unmap(holes.ranges(), begin(1));
    arrived(new Place(holes.member(), last.end()), 4096);
  }

  private Volume accept(int member, ByteRange range) {
    Place place = new Place(member, range.offset());
    if (member >= cycle.members().size()
        || range.end() > cycle.members().get(member).sizeInBytes()
        || place.compareTo(received) < 0) {
      throw new ReplicationException(
          Reason.DAMAGED,
          "Expected data after byte %d of member %d of %d, got %d bytes at %d of member %d."
              .formatted(
                  received.offset(),
                  received.member(),
                  cycle.members().size(),
                  range.length(),
                  range.offset(),
                  member));
    }
    requireNoFailure();
    if (open != member || volume == null) {
      VolumeId carrier = carriers.get(cycle.members().get(member).id());
      if (carrier == null) {
        throw new ReplicationException(
            Reason.DAMAGED, "Expected no data of a cycle that has ended here, got some.");
      }
      volume = engine.open(carrier);
      open = member;
    }
    return volume;
  }

  private void requireNoFailure() {
    StorageException reason = failure.get();
    if (reason != null) {
      throw reason;
    }
  }

  private End begin(int blocks) {
    int cost = Math.max(LEAST_COST, blocks);
    room.acquireUninterruptibly(cost);
    return new End(cost);
  }

  private void arrived(Place place, long bytes) {
    received = place;
    unnoted += bytes;
    if (unnoted >= notes.bytes()) {
      note();
    }
  }

  /// Waits until what has come is stable, and notes it.
  private void note() {
    drain();
    requireNoFailure();
    progress.reach(received);
    unnoted = 0;
    notes.listener().accept(received);
  }

  private void drain() {
    room.acquireUninterruptibly(MOST_BLOCKS);
    room.release(MOST_BLOCKS);
  }

  /// Makes the replica, once everything has come.
  ///
  /// @throws ReplicationException (DAMAGED) if another cycle is meant
  void commit(UUID meant) {
    if (!meant.equals(cycle.id())) {
      throw new ReplicationException(
          Reason.DAMAGED, "Expected the end of cycle %s, got %s.".formatted(cycle.id(), meant));
    }
    if (isReplica) {
      return;
    }
    drain();
    requireNoFailure();
    catalog.take(cycle, carriers);
    new Carriers(engine, catalog, cycle).sweep();
  }

  /// Ends without a replica: waits for the writes under way, and notes how far they came.
  void giveUp() {
    drain();
    if (failure.get() == null && unnoted > 0) {
      try {
        progress.reach(received);
      } catch (StorageException e) {
        // The pool has failed, or has no space: the cycle goes on from the place before.
      }
    }
  }

  /// The end of a write.
  private final class End implements Completion {
    private final int cost;

    End(int cost) {
      this.cost = cost;
    }

    @Override
    public void succeeded() {
      room.release(cost);
    }

    @Override
    public void failed(StorageException reason) {
      failure.compareAndSet(null, reason);
      room.release(cost);
    }
  }
}
