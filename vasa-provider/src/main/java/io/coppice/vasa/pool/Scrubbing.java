package io.coppice.vasa.pool;

import io.coppice.engine.ScrubStatus;
import io.coppice.engine.StorageEngine;
import org.springframework.stereotype.Service;

/// The search for damage in the pool, as an administrator steers it.
@Service
public final class Scrubbing {

  private final StorageEngine engine;

  public Scrubbing(StorageEngine engine) {
    this.engine = engine;
  }

  public ScrubStatus status() {
    return engine.scrub().status();
  }

  /// Begins a pass now, or hurries the one under way. Ends a pause.
  public void start() {
    engine.scrub().start();
  }

  /// Stops reading until [#resume] or [#start].
  public void pause() {
    engine.scrub().pause();
  }

  public void resume() {
    engine.scrub().resume();
  }
}
