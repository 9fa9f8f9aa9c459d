package io.coppice.engine;

import java.util.Objects;
import java.util.UUID;

/// The name of one changing call. A caller who is unsure whether it happened may repeat it.
///
/// The id is stored in the call's log record. A repeat with the same id returns the first result
/// and changes nothing, even after a crash: a repeated revert must not lose later writes. The
/// engine remembers at least the last [#REMEMBERED] ids. It may forget the volumes' attributes of
/// the oldest results, so that all of them together stay below 16 MiB.
public record OperationId(UUID value) {

  /// Least number of operations that the engine remembers.
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
