package io.coppice.engine;

import java.util.List;
import java.util.function.Consumer;

/// There is no device to read.
enum NoScrub implements Scrub {
  INSTANCE;

  @Override
  public ScrubStatus status() {
    return new ScrubStatus(false, false, null, null, 0, 0, 0, List.of());
  }

  @Override
  public void start() {}

  @Override
  public void pause() {}

  @Override
  public void resume() {}

  @Override
  public void configure(ScrubSettings settings) {}

  @Override
  public void listen(Consumer<ScrubFinding> listener) {}
}
