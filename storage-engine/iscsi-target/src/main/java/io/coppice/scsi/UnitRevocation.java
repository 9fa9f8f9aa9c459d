package io.coppice.scsi;

import io.coppice.scsi.directory.pool.AccessRevocation;
import io.coppice.scsi.task.NexusState;
import io.coppice.scsi.unit.CompletionBarrier;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The departure of initiators from a logical unit at one target.
///
/// Its paths are closed when it is made, under the directory's lock. A path that opens later
/// belongs to whatever the directory says later.
final class UnitRevocation implements AccessRevocation {

  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
  private final CompletionBarrier drain = new CompletionBarrier(() -> ended.complete(null));
  private final ConcurrentLinkedQueue<NexusState> left = new ConcurrentLinkedQueue<>();
  private final End end;

  /// The step after the last command.
  @FunctionalInterface
  interface End {

    /// @param left the nexuses whose paths were closed
    /// @param isBack as for [AccessRevocation#settle]
    void come(List<NexusState> left, Predicate<String> isBack);
  }

  UnitRevocation(End end) {
    this.end = end;
  }

  /// The barrier of what the departure waits for. Whoever names it all releases it once after that.
  CompletionBarrier drain() {
    return drain;
  }

  void add(NexusState nexus) {
    left.add(nexus);
  }

  @Override
  public void await() {
    ended.join(); // no interrupt ends it: the promise is that the commands have ended
  }

  @Override
  public void settle(Predicate<String> isBack) {
    end.come(List.copyOf(left), isBack);
  }
}
