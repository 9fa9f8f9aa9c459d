package io.coppice.vasa.pool;

import io.coppice.engine.ScrubStatus;
import io.coppice.engine.StorageEngine;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import java.util.Map;
import org.springframework.stereotype.Service;

/// The search for damage in the pool, as an administrator steers it.
@Service
public final class Scrubbing {

  private final StorageEngine engine;
  private final ChangeLog changes;

  public Scrubbing(StorageEngine engine, ChangeLog changes) {
    this.engine = engine;
    this.changes = changes;
  }

  public ScrubStatus status() {
    return engine.scrub().status();
  }

  /// Begins a pass now, or hurries the one under way. Ends a pause.
  public void start() {
    engine.scrub().start();
    note("ScrubStarted");
  }

  /// Stops reading until [#resume] or [#start].
  public void pause() {
    engine.scrub().pause();
    note("ScrubPaused");
  }

  public void resume() {
    engine.scrub().resume();
    note("ScrubResumed");
  }

  private void note(String message) {
    changes.note(
        NewChange.of(
            ChangeTopic.SYSTEM,
            ChangeKind.UPDATE,
            new NewChange.Subject("Scrub", engine.pool().id().toString(), message),
            Map.of()));
  }
}
