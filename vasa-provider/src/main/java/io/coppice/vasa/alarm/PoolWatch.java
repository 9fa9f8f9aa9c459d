package io.coppice.vasa.alarm;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.status.PoolStatus;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.inventory.Inventory;
import java.util.Map;

/// The watch over the pool's service. It adds one event each time that the pool stops, is degraded,
/// or serves again as it was made to. One thread.
final class PoolWatch {

  private final StorageEngine engine;
  private final EventLog events;
  private PoolStatus.State reported = PoolStatus.State.SERVING;

  PoolWatch(StorageEngine engine, EventLog events) {
    this.engine = engine;
    this.events = events;
  }

  /// Whether the next [#look] has something to report.
  boolean hasChanged() {
    return engine.status().state() != reported;
  }

  /// Reports a change since the last look; again at the next one if the event was not kept.
  ///
  /// @return the state now
  PoolStatus look() {
    PoolStatus now = engine.status();
    if (now.state() != reported) {
      events.append(
          NewEvent.system(
              ObjectType.STORAGE_ARRAY,
              Inventory.arrayId(engine.pool().id()),
              "io.coppice.event." + name(now.state()),
              parameters(now)));
      reported = now.state();
    }
    return now;
  }

  private static Map<String, String> parameters(PoolStatus status) {
    String since = status.since().toString();
    return status.reason().isEmpty()
        ? Map.of("since", since)
        : Map.of("since", since, "reason", status.reason());
  }

  private static String name(PoolStatus.State state) {
    return switch (state) {
      case SERVING -> "PoolServing";
      case DEGRADED -> "PoolDegraded";
      case STOPPED -> "PoolStopped";
    };
  }
}
