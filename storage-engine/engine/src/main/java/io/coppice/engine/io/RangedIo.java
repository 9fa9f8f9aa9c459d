package io.coppice.engine.io;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.log.Command;
import io.coppice.engine.state.RangeOrder;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A changing I/O of one volume. It holds the blocks of its range from its turn until its last part
/// has ended, then completes once.
abstract class RangedIo extends RangeOrder.Entry implements IoCommand {

  /// The most that one command stores, and so the most that is atomic over a crash; in bytes.
  static final int MAX_COMMAND = 1 << 20;

  private static final int BLOCK = PoolLayout.BLOCK;

  private final OpenPool pool;
  private final AtomicInteger parts = new AtomicInteger();
  private @Nullable VolumeState volume;
  private @Nullable Completion completion;
  private long end;
  private volatile @Nullable StorageException failure;

  /// The range of a volume that an I/O concerns, in bytes.
  record Range(VolumeState volume, long offset, long length) {

    /// Whether the range is whole blocks.
    boolean isAligned() {
      return (offset | length) % PoolLayout.BLOCK == 0;
    }

    long end() {
      return offset + length;
    }
  }

  /// @param exclusive nothing that overlaps may run beside it
  RangedIo(OpenPool pool, Range range, boolean exclusive, Completion completion) {
    this(pool);
    aim(range.volume(), range.offset(), range.length(), exclusive, completion);
  }

  /// An I/O for which [#aim] is called.
  RangedIo(OpenPool pool) {
    super(false);
    this.pool = pool;
  }

  /// Sets the range from now on, before it first enters the order or after it has ended.
  final void aim(VolumeState of, long offset, long length, boolean exclusive, Completion whom) {
    volume = of;
    end = offset + length;
    completion = whom;
    cover(offset / BLOCK, (end + BLOCK - 1) / BLOCK, exclusive);
    failure = null;
    parts.set(1);
  }

  final OpenPool pool() {
    return pool;
  }

  final VolumeState volume() {
    return Objects.requireNonNull(volume, "the volume of an I/O that is not under way");
  }

  /// Starts the parts, each announced by [#part] or [#background]. Must not block.
  abstract void begin();

  @Override
  protected final void granted() {
    VolumeState of = volume();
    if (of.isDeleted()) {
      failed(of.notFound());
      return;
    }
    long size = of.info().sizeInBytes();
    if (end > size) { // a revert that came before has shrunk the volume
      failed(
          new StorageException.InvalidRequest(
              "Expected a range that ends at %d bytes or before, got %d in volume %s."
                  .formatted(size, end, of.info().id())));
      return;
    }
    try {
      begin();
      done();
    } catch (RuntimeException | Error e) {
      failed(BlockReads.failureOf(e));
    }
  }

  /// Announces one more part that is under way.
  final IoCommand part() {
    parts.incrementAndGet();
    return this;
  }

  /// Starts a part that is a command. It ends with the command, or here if there is none.
  final <C extends Command & Admission.Touching> void submit(Function<IoCommand, C> command) {
    IoCommand part = part();
    C made;
    try {
      made = command.apply(part);
    } catch (RuntimeException | Error e) {
      part.failed(BlockReads.failureOf(e));
      return;
    }
    pool.admission().submit(made);
  }

  /// Starts parts that store whole blocks, from block `first` of the volume on. Their commands take
  /// up to 1 MiB, or one block more, which a ragged write of 1 MiB touches.
  final void submitBlocks(long first, ByteBuffer from) {
    entersQueue(System.nanoTime());
    int start = from.position();
    int limit = from.limit();
    int most = limit - start <= MAX_COMMAND + BLOCK ? MAX_COMMAND + BLOCK : MAX_COMMAND;
    for (int at = start; at < limit; at += most) {
      int length = Math.min(most, limit - at);
      BlockWrite.BlockRun run =
          new BlockWrite.BlockRun(first + (at - start) / BLOCK, from.slice(at, length));
      submit(part -> new BlockWrite(pool, volume(), run, false, part));
    }
  }

  /// Runs a part that blocks. It ends when `work` returns, or fails with the exception that `work`
  /// throws. Further parts that `work` starts end for themselves.
  final void background(Runnable work) {
    background(
        part -> {
          work.run();
          part.done();
        });
  }

  /// As [#background], for work that hands its part on.
  final void background(Consumer<IoCommand> work) {
    IoCommand part = part();
    try {
      pool.reads()
          .execute(
              () -> {
                try {
                  work.accept(part);
                } catch (RuntimeException | Error e) {
                  part.failed(BlockReads.failureOf(e));
                }
              });
    } catch (RuntimeException | Error e) {
      part.failed(BlockReads.failureOf(e));
    }
  }

  @Override
  public final void done() {
    if (parts.decrementAndGet() == 0) {
      volume().order().leave(this);
      Completion whom = Objects.requireNonNull(completion, "an I/O that is not under way ends");
      StorageException reason = failure;
      volume = null;
      completion = null;
      ended(whom, reason);
    }
  }

  /// Tells the caller. The I/O has left the order, and nothing holds it any more.
  ///
  /// @param reason of its failure; absent if it is done
  void ended(Completion whom, @Nullable StorageException reason) {
    if (reason == null) {
      whom.succeeded();
    } else {
      whom.failed(reason);
    }
  }

  @Override
  public final void entersQueue(long at) {
    Completion whom = completion;
    if (whom != null) {
      whom.entersQueue(at);
    }
  }

  @Override
  public final void leavesQueue(long at) {
    Completion whom = completion;
    if (whom != null) {
      whom.leavesQueue(at);
    }
  }

  @Override
  public final void failed(StorageException reason) {
    failure = reason;
    done();
  }
}
