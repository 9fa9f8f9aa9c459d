package io.coppice.driver.soap;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The compliance of an object with its policy, and where it deviates.
public record ComplianceResult(
    String objectId,
    @Nullable String profileId,
    String status,
    boolean profileMismatch,
    List<Violation> violations) {
  /// A capability as promised and as it is.
  public record Violation(Capability expected, Capability current) {}

  static ComplianceResult of(Xml x) {
    return new ComplianceResult(
        x.required("compl:objectId"),
        x.text("compl:profileId"),
        x.required("compl:complianceStatus"),
        x.flag("compl:profileMismatch"),
        x.all("compl:violatedPolicy").stream()
            .map(
                v ->
                    new Violation(
                        Capability.of(v.one("compl:expectedValue")),
                        Capability.of(v.one("compl:currentValue"))))
            .toList());
  }
}
