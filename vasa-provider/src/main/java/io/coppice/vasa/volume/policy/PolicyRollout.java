package io.coppice.vasa.volume.policy;

import io.coppice.vasa.volume.VirtualVolume;
import java.util.List;

/// The outcome of giving the present edition of a profile to the volumes of administrators that had
/// an older one.
///
/// @param applied volumes that have it now
/// @param refused those that could not be given it, and keep their editions
/// @param ofMachines vVols with an older edition, which stay: vCenter says which one they have
/// @param left volumes of administrators that have an older edition and were not tried yet
public record PolicyRollout(int applied, List<Refused> refused, int ofMachines, int left) {

  public PolicyRollout {
    refused = List.copyOf(refused);
  }

  /// A volume that could not be given an edition.
  ///
  /// @param reason one sentence
  public record Refused(VirtualVolume volume, String reason) {}
}
