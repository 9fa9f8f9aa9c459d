package io.coppice.vasa.protection.rule;

import io.coppice.vasa.fault.VasaException;
import java.time.Duration;

/// The promise of a rule to keep its recovery points. Whatever it says, a rule keeps its youngest
/// point: if no other can be taken, the last one stays.
public sealed interface Keeping {

  /// The youngest points.
  ///
  /// @param count 1 or more
  record Newest(int count) implements Keeping {

    /// @throws VasaException (InvalidArgument) if the count is below 1
    public Newest {
      if (count < 1) {
        throw VasaException.invalidArgument("expected a count of at least 1, got " + count);
      }
    }
  }

  /// Points that are younger than a time. Their age is the time that has passed, so a clock that
  /// jumps makes no point older.
  ///
  /// @param time whole seconds, 1 s or more
  record Younger(Duration time) implements Keeping {

    /// @throws VasaException (InvalidArgument) if the time is below 1 s or has fractions
    public Younger {
      if (time.compareTo(Duration.ofSeconds(1)) < 0 || time.getNano() != 0) {
        throw VasaException.invalidArgument("expected a time of whole seconds, got " + time);
      }
    }
  }
}
