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

/// A changing I/O of one volume: holds the blocks of its range from its turn until its last part
/// has ended, then completes once.
abstract class RangedIo extends RangeOrder.Entry implements IoCommand {

  /// What one command stores at most, and so what is atomic over a crash; in bytes.
  static final int MAX_COMMAND = 1 << 20;

  private static final int BLOCK = PoolLayout.BLOCK;

  private final OpenPool pool;
  private final AtomicInteger parts = new AtomicInteger();
  private @Nullable VolumeState volume;
  private @Nullable Completion completion;
  private long end;
  private volatile @Nullable StorageException failure;

  /// The bytes of a volume that an I/O is about.
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

  /// One that [#aim] is called for.
  RangedIo(OpenPool pool) {
    super(false);
    this.pool = pool;
  }

  /// What it is about from now on: before it enters the order, the first time or after it has
  /// ended.
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

  /// One more part is under way.
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

  /// Starts parts that store whole blocks, from block `first` of the volume on, as commands of up
  /// to 1 MiB, or one block more: what a ragged write of 1 MiB touches.
  final void submitBlocks(long first, ByteBuffer from) {
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

  /// Runs a part that blocks. It ends when `work` returns, or fails with what it throws; further
  /// parts that it starts end for themselves.
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

  /// It has left the order, and nobody holds it any more: tells who asked for it.
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
  public final void failed(StorageException reason) {
    failure = reason;
    done();
  }
}
