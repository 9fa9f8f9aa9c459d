package io.coppice.vasa.replication.runbook;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// The result of a step.
///
/// @param number 1 for the first step
public record StepResult(int number, List<GroupResult> groups) {

  public StepResult {
    if (number < 1) {
      throw new IllegalArgumentException("expected a step from 1 on, got " + number);
    }
    groups = List.copyOf(groups);
  }

  StepResult with(GroupResult result) {
    return new StepResult(
        number,
        groups.stream().map(one -> one.group().equals(result.group()) ? result : one).toList());
  }

  Optional<GroupResult> of(UUID group) {
    return groups.stream().filter(one -> one.group().equals(group)).findFirst();
  }

  /// The first of its groups that failed.
  Optional<GroupResult> failed() {
    return groups.stream().filter(one -> one.outcome().fails()).findFirst();
  }

  boolean hasOpenTests() {
    return groups.stream().anyMatch(one -> one.testSince() != null);
  }

  StepResult shortened() {
    return new StepResult(number, groups.stream().map(GroupResult::shortened).toList());
  }
}
