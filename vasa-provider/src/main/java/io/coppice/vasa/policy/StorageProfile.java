package io.coppice.vasa.policy;

import java.time.Instant;
import java.util.List;

/// A storage profile (SPBM): one of its sub-profiles must hold; without any it requires nothing.
///
/// @param description may be empty
/// @param generation grows with each edit
public record StorageProfile(
    String id,
    String name,
    String description,
    long generation,
    String createdBy,
    Instant created,
    List<SubProfile> subProfiles) {

  /// Id of vCenter's "VVol No Requirements Policy".
  public static final String NO_REQUIREMENTS = "f4e5bade-15a2-4805-bf8e-52318c4ce443";

  public StorageProfile {
    subProfiles = List.copyOf(subProfiles);
  }
}
