package io.coppice.vasa.policy;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.util.List;

/// The compliance of a virtual volume with the requirements of its profile.
///
/// @param profile id of the profile judged
/// @param mismatch the volume has another profile or edition than the one asked about; the status
///   is unknown then
/// @param violations requirements that are not kept; at least one if it is not compliant
public record Compliance(
    VolumeId volume,
    String profile,
    ComplianceStatus status,
    boolean mismatch,
    Instant checked,
    List<Violation> violations) {

  public Compliance {
    violations = List.copyOf(violations);
  }
}
