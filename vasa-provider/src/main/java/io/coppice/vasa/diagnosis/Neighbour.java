package io.coppice.vasa.diagnosis;

import io.coppice.engine.VolumeId;

/// Another volume that hosts used in the same time.
///
/// @param commandsShare its part of the commands of all volumes, 0 to 1
/// @param bytesShare its part of their bytes, 0 to 1
public record Neighbour(VolumeId volume, double commandsShare, double bytesShare) {

  /// The larger part of the two.
  double share() {
    return Math.max(commandsShare, bytesShare);
  }
}
