package io.coppice.vasa.pool;

import io.coppice.engine.ScrubMap;
import io.coppice.engine.ScrubStatus;
import io.coppice.engine.StorageEngine;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
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

  /// The pool as a row of cells.
  ///
  /// @param cells 1 to [ScrubMap#MAX_CELLS]
  public ScrubMap map(int cells) {
    return engine.scrub().map(cells);
  }

  /// Begins a pass now, or hurries the one under way. Ends a pause.
  public void start() {
    note(engine.scrub().start(), "ScrubStarted");
  }

  /// Stops reading until [#resume] or [#start].
  public void pause() {
    note(engine.scrub().pause(), "ScrubPaused");
  }

  public void resume() {
    note(engine.scrub().resume(), "ScrubResumed");
  }

  private void note(boolean changed, String message) {
    if (changed) {
      changes.note(
          NewChange.of(
              ChangeTopic.SYSTEM,
              ChangeKind.UPDATE,
              new NewChange.Subject(ObjectType.SCRUB, engine.pool().id().toString(), message),
              Map.of()));
    }
  }
}
