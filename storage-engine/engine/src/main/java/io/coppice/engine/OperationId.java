package io.coppice.engine;

import java.util.Objects;
import java.util.UUID;

/// Names one changing call, so that a caller who does not know whether it happened may repeat it.
///
/// The id is stored in the call's log record. A repeat with the same id returns the first result
/// and changes nothing, also after a crash: a revert that is repeated must not lose what was
/// written since. The engine remembers at least the last [#REMEMBERED] ids; of the oldest results
/// it may forget the volumes' attributes, so that all of them together stay below 16 MiB.
public record OperationId(UUID value) {

  /// How many operations the engine remembers at least.
  public static final int REMEMBERED = 65_536;

  public OperationId {
    Objects.requireNonNull(value, "value");
  }

  public static OperationId random() {
    return new OperationId(UUID.randomUUID());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
