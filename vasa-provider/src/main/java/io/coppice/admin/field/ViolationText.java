package io.coppice.admin.field;

import io.coppice.vasa.policy.Violation;
import java.util.List;
import java.util.stream.Collectors;

/// Violations of policies as parts of sentences.
public final class ViolationText {

  private ViolationText() {}

  /// All of them, with `;` between; empty if there are none.
  public static String of(List<Violation> violations) {
    return violations.stream().map(ViolationText::of).collect(Collectors.joining("; "));
  }

  private static String of(Violation violation) {
    return violation.reason().isEmpty()
        ? "the policy asks for %s %s, and the volume has %s"
            .formatted(
                violation.expected().id().id(),
                CapabilityText.of(violation.expected()),
                CapabilityText.of(violation.current()))
        : violation.reason();
  }
}
