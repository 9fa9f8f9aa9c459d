package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The plan of a runbook: what an administrator decides.
///
/// @param name unique among the runbooks of a pool: 1 to 80 characters on one line
/// @param steps in order, 1 to 16; a group is in one of them
/// @param exports of volumes after a fail-over, one for a group
/// @param exportTests exports of the volumes of tests, one for a group; none for no exports
/// @param schedule when a test begins by itself; null for never
/// @param holdFor how long a test holds before it is ended, 0 s to 24 h
/// @param oldest age from which a replica is too old for a check or test, 1 s to 3650 d; null for
///   none
public record RunbookPlan(
    String name,
    List<RunbookStep> steps,
    List<RunbookExport> exports,
    List<RunbookExport> exportTests,
    @Nullable TestSchedule schedule,
    Duration holdFor,
    @Nullable Duration oldest) {

  /// @throws VasaException (InvalidArgument) if something is out of bounds
  public RunbookPlan {
    checkName(name);
    steps = List.copyOf(steps);
    exports = List.copyOf(exports);
    exportTests = List.copyOf(exportTests);
    RunbookBounds.count("steps", "steps", steps.size(), 1, RunbookBounds.MOST_STEPS);
    Set<UUID> groups = new HashSet<>();
    for (RunbookStep step : steps) {
      for (UUID group : step.groups()) {
        if (!groups.add(group)) {
          throw VasaException.invalidArgument(
                  "expected each group in one step, got group %s in two".formatted(group))
              .about("steps");
        }
      }
    }
    checkExports("exports", exports, groups);
    checkExports("exportTests", exportTests, groups);
    RunbookBounds.within("holdFor", holdFor, Duration.ZERO, RunbookBounds.LONGEST_HOLD);
    if (oldest != null) {
      RunbookBounds.within("oldest", oldest, RunbookBounds.SHORTEST_AGE, RunbookBounds.LONGEST_AGE);
    }
  }

  private static void checkName(String name) {
    boolean isOneLine = name.chars().noneMatch(Character::isISOControl);
    if (name.isBlank() || name.length() > RunbookBounds.LONGEST_NAME || !isOneLine) {
      throw VasaException.invalidArgument(
              "expected a name of 1 to %d characters on one line, got %d%s"
                  .formatted(
                      RunbookBounds.LONGEST_NAME,
                      name.length(),
                      isOneLine ? "" : " with control characters"))
          .about("name");
    }
  }

  private static void checkExports(String field, List<RunbookExport> all, Set<UUID> groups) {
    RunbookBounds.count(field, "exports", all.size(), 0, RunbookBounds.MOST_EXPORTS);
    Set<UUID> seen = new HashSet<>();
    for (RunbookExport one : all) {
      if (!groups.contains(one.group())) {
        throw VasaException.invalidArgument(
                "expected exports of groups that a step has, got group %s".formatted(one.group()))
            .about(field);
      }
      if (!seen.add(one.group())) {
        throw VasaException.invalidArgument(
                "expected one export for each group, got two for group %s".formatted(one.group()))
            .about(field);
      }
    }
  }

  /// All groups, in the order of the steps.
  public List<UUID> groups() {
    return steps.stream().flatMap(step -> step.groups().stream()).toList();
  }

  /// The export of a group's volumes, of a test or after a fail-over; empty for none.
  Optional<RunbookExport> exportOf(UUID group, boolean ofTest) {
    return (ofTest ? exportTests : exports)
        .stream().filter(one -> Objects.equals(one.group(), group)).findFirst();
  }
}
