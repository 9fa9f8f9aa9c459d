package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;

/// A step of a runbook: groups that go at once.
///
/// @param groups ids of replication groups, 1 to 8
/// @param pause wait before the next step, 0 s to 1 h
public record RunbookStep(List<UUID> groups, Duration pause) {

  private static final String FIELD = "steps";

  /// @throws VasaException (InvalidArgument) if it is out of bounds, or names a group twice
  public RunbookStep {
    groups = List.copyOf(groups);
    RunbookBounds.count(FIELD, "groups in a step", groups.size(), 1, RunbookBounds.MOST_GROUPS);
    RunbookBounds.within(FIELD, pause, Duration.ZERO, RunbookBounds.LONGEST_PAUSE);
    if (new HashSet<>(groups).size() < groups.size()) {
      throw VasaException.invalidArgument(
              "expected each group once in a step, got one twice: %s".formatted(groups))
          .about(FIELD);
    }
  }
}
