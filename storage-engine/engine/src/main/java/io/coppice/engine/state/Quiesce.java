package io.coppice.engine.state;

import io.coppice.engine.thread.Uninterrupted;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Sole possession of a volume: it waits for every write under way, and keeps later writes waiting.
public final class Quiesce implements AutoCloseable {

  private final @Nullable VolumeState volume;
  private final CountDownLatch turn = new CountDownLatch(1);
  private final RangeOrder.Entry entry;

  /// @param admitsReads whether reads may go on
  public Quiesce(@Nullable VolumeState volume, boolean admitsReads) {
    this.volume = volume;
    entry =
        new RangeOrder.Entry(0, RangeOrder.EVERYTHING, true, admitsReads) {
          @Override
          protected void granted() {
            turn.countDown();
          }
        };
    if (volume != null) {
      volume.order().enter(entry);
      Uninterrupted.await(turn::await);
    }
  }

  @Override
  public void close() {
    if (volume != null) {
      volume.order().leave(entry);
    }
  }
}
