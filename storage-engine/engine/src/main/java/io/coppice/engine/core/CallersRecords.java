package io.coppice.engine.core;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.state.LockRules;
import io.coppice.engine.state.RecordTable;
import io.coppice.engine.state.RequestBounds;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Function;

/// The records of the pool that callers keep there. They may not touch those of locks.
///
/// @param change submits a change and waits for its result
record CallersRecords(RecordTable table, Function<Change, OperationResult> change)
    implements PoolRecords {

  @Override
  public Optional<String> find(String key) {
    return table.find(key);
  }

  @Override
  public NavigableMap<String, String> withPrefix(String prefix) {
    return table.withPrefix(prefix);
  }

  @Override
  public void apply(OperationId operation, List<RecordChange> changes) {
    RequestBounds.records(changes);
    LockRules.requireForeign(changes);
    RedirectOnWriteEngine.done(
        change.apply(new Change.Records(operation, List.copyOf(changes))), operation);
  }
}
