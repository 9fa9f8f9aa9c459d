package io.coppice.vasa.replication.runbook;

import java.util.Objects;
import java.util.UUID;

/// A runbook, as the pool of the site that takes over keeps it.
public record Runbook(UUID id, RunbookPlan plan) {

  public Runbook {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(plan, "plan");
  }

  /// Such as `runbook "berlin-lost"`, for sentences.
  String text() {
    return "runbook \"%s\"".formatted(plan.name());
  }
}
