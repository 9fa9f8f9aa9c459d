package io.coppice.engine.change;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.Completion;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.OldBlocks;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.io.CopyIo;
import io.coppice.engine.io.IoFreeList;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.io.PoolVolume;
import io.coppice.engine.state.CrossThreadFailures;
import io.coppice.engine.state.Quiesce;
import io.coppice.engine.state.VolumeState;
import io.coppice.engine.thread.Uninterrupted;
import io.coppice.engine.timeline.Base;
import io.coppice.engine.timeline.Journal;
import io.coppice.engine.timeline.Timeline;
import io.coppice.engine.timeline.WrittenBlocks;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The way back to a point of a journal: a draft of the content that its volume had then.
///
/// A *draft* is a hidden clone of the volume, or of what a revert has replaced since. What was
/// written over after the point goes onto it by pointer, the oldest content of each block alone.
/// The volume is written meanwhile: what it writes over from then on is what the draft has already.
/// One record at the end makes the draft a volume, or the content of its volume. So callers and
/// every crash see all of it or nothing. A draft that is found at an open is given up. The last
/// record is refused if the journal has forgotten the point meanwhile: only then can what the copy
/// has read have been something else.
public final class JournalCopy {

  private static final int BLOCK = PoolLayout.BLOCK;

  /// Most records under way together.
  private static final int MOST_AT_ONCE = 256;

  /// Free bytes for each record under way. A record asks for more than it takes, for the nodes that
  /// it may need; so many at once would be refused in a pool that has space for all of them.
  private static final long FREE_FOR_ONE = 512 << 10;

  /// Most bytes of a list that are read at a time.
  private static final int PIECE = 1 << 20;

  private final OpenPool pool;
  private final IoFreeList spares;
  private final StagedCopy staging;

  public JournalCopy(OpenPool pool, IoFreeList spares) {
    this.pool = pool;
    this.spares = spares;
    staging = new StagedCopy(pool);
  }

  /// Makes a volume of the content at a point.
  public OperationResult clone(
      OperationId operation, VolumeState volume, CloneSpec spec, long moment) {
    return withDraft(
        volume,
        moment,
        (draft, way) -> staging.change(new Change.Publish(operation, draft, spec, way)));
  }

  /// A volume and the moment of one of its points.
  public record Target(VolumeState volume, long moment) {}

  /// Brings volumes back to points, all with one record.
  public OperationResult revert(OperationId operation, List<Target> targets) {
    return revert(operation, targets, List.of());
  }

  /// @param targets those that have no draft yet
  /// @param drafts those of the others
  private OperationResult revert(
      OperationId operation, List<Target> targets, List<Drafted> drafts) {
    if (targets.isEmpty()) {
      return quiesced(operation, drafts, drafts);
    }
    Target next = targets.getFirst();
    return withDraft(
        next.volume,
        next.moment,
        (draft, way) -> {
          Change.Restored one = new Change.Restored(next.volume.info().id(), draft, way);
          return revert(
              operation,
              targets.subList(1, targets.size()),
              Stream.concat(drafts.stream(), Stream.of(new Drafted(next.volume, one))).toList());
        });
  }

  private record Drafted(VolumeState volume, Change.Restored restored) {}

  /// @param waiting those whose writes may be under way
  private OperationResult quiesced(
      OperationId operation, List<Drafted> drafts, List<Drafted> waiting) {
    if (waiting.isEmpty()) {
      List<Change.Restored> restored = drafts.stream().map(Drafted::restored).toList();
      return staging.change(new Change.Restore(operation, restored));
    }
    try (Quiesce _ = new Quiesce(waiting.getFirst().volume, false)) {
      return quiesced(operation, drafts, waiting.subList(1, waiting.size()));
    }
  }

  /// The last step, which uses the draft up.
  private interface LastStep {
    OperationResult run(VolumeId draft, Change.Way way);
  }

  private OperationResult withDraft(VolumeState volume, long moment, LastStep last) {
    Timeline timeline = volume.timeline();
    Timeline.Way way = timeline == null ? null : timeline.way(moment);
    if (timeline == null || way == null) {
      throw new StorageException.NotFound(
          "Expected a point of the journal of volume %s, found none at %s."
              .formatted(volume.info().id(), Instant.ofEpochMilli(moment)));
    }
    VolumeId id = VolumeId.random();
    Base base = way.base();
    int source = base == null ? volume.number() : base.number();
    return staging.run(
        new Change.Draft(OperationId.random(), source, id),
        id,
        draft -> {
          new Filling(draft, way).run(timeline);
          return last.run(id, new Change.Way(way.journal().number(), way.point().offset()));
        });
  }

  /// The filling of a draft: each block once, with the oldest content.
  private final class Filling implements OldBlocks.Runs {

    private final VolumeState draft;
    private final Timeline.Way way;
    private final VolumeState hidden;
    private final PoolVolume target;
    private final WrittenBlocks seen = new WrittenBlocks();
    private final int most;
    private final Semaphore room;
    private volatile @Nullable StorageException failure;

    Filling(VolumeState draft, Timeline.Way way) {
      this.draft = draft;
      this.way = way;
      hidden = hidden(way.journal().number());
      target = new PoolVolume(pool, spares, draft);
      most = Math.clamp(pool.state().space().free() / FREE_FOR_ONE, 1, MOST_AT_ONCE);
      room = new Semaphore(most);
    }

    private VolumeState hidden(int number) {
      VolumeState found = pool.state().findHidden(number);
      if (found == null) {
        throw new StorageException.Overtaken("The journal was ended meanwhile.");
      }
      return found;
    }

    // The list is looked at after the draft was made: it has at least what was written over until
    // then. The rest is what the draft has already.
    void run(Timeline timeline) {
      long from = way.point().offset();
      Timeline.Part part = timeline.part(way);
      if (part == null) {
        throw new StorageException.Overtaken(
            "Volume %s was reverted while its earlier content was put together."
                .formatted(draft.info().origin()));
      }
      byte[] piece = {};
      while (from < part.stored()) {
        byte[] more = stored(from, part.stored());
        from += more.length;
        piece = after(piece, more);
      }
      byte[] whole = joined(piece, part.rest());
      OldBlocks.read(whole, true, this);
      Uninterrupted.await(() -> room.acquire(most));
      check();
    }

    /// Reads the runs of a piece, and returns what is left of it.
    private byte[] after(byte[] left, byte[] more) {
      byte[] piece = joined(left, more);
      int read = OldBlocks.read(piece, false, this);
      return Arrays.copyOfRange(piece, read, piece.length);
    }

    private static byte[] joined(byte[] one, byte[] other) {
      byte[] both = Arrays.copyOf(one, one.length + other.length);
      System.arraycopy(other, 0, both, one.length, other.length);
      return both;
    }

    /// Bytes of the list from the hidden volume, perhaps not all before the end. Whole blocks are
    /// read: what is stored ends with one, but the part that is looked for may end before.
    private byte[] stored(long offset, long end) {
      int skipped = (int) (offset % BLOCK);
      long block = Journal.listBlock(offset);
      long length = end - (offset - skipped);
      long blocks = Math.min(2 * Journal.SLOTS - block, (length + BLOCK - 1) / BLOCK);
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(PIECE, blocks * BLOCK));
      new PoolVolume(pool, spares, hidden).read(block * BLOCK, bytes);
      return Arrays.copyOfRange(bytes.array(), skipped, (int) Math.min(length, bytes.capacity()));
    }

    @Override
    public void run(OldBlocks.Run run) {
      long at = 0;
      while (at < run.blocks()) {
        long start = at;
        while (at < run.blocks() && seen.add(run.first() + at)) {
          at++;
        }
        if (at > start) {
          put(run.part(start, at - start));
        }
        at++; // if there is another one, it has older content
      }
    }

    private void put(OldBlocks.Run run) {
      long size = draft.info().sizeInBytes();
      long offset = run.first() * BLOCK;
      if (offset >= size) {
        return; // the volume was larger then
      }
      if (run.isHole()) {
        long length = Math.min(size - offset, run.blocks() * BLOCK);
        begin(end -> target.unmap(offset, length, end));
        return;
      }
      VolumeState source = hidden(run.hidden());
      long[] done = {0};
      Journal.slotBlocks(
          run.slot(),
          run.slot() + run.blocks(),
          (block, count) -> {
            long at = offset + done[0] * BLOCK;
            done[0] += count;
            long length = Math.min(size - at, count * BLOCK);
            if (length > 0) {
              begin(
                  end ->
                      CopyIo.start(
                          pool, new CopyIo.Ranges(source, block * BLOCK, draft, at, length), end));
            }
          });
    }

    private interface Begun {
      void begin(Completion end);
    }

    private void begin(Begun io) {
      check();
      Uninterrupted.await(room::acquire);
      io.begin(
          new Completion() {
            @Override
            public void succeeded() {
              room.release();
            }

            @Override
            public void failed(StorageException reason) {
              failure = reason;
              room.release();
            }
          });
    }

    private void check() {
      StorageException reason = failure;
      if (reason != null) {
        Uninterrupted.await(() -> room.acquire(room.availablePermits()));
        throw CrossThreadFailures.here(reason);
      }
    }
  }
}
