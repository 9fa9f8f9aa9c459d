package io.coppice.scsi;

import io.coppice.engine.VolumeId;
import java.util.Set;

/// What the directory tells the device server after a change is stable.
interface Reachability {

  /// Initiators see a volume that they did not see before: as a subsidiary unit of the endpoint, or
  /// as a plain unit if `endpoint` is 0.
  void appeared(VolumeId volume, int endpoint, Set<String> initiators);

  /// Initiators do not see a volume any more. Returns when their commands on it have ended.
  ///
  /// @param endpoint as in [#appeared]
  void disappeared(VolumeId volume, int endpoint, Set<String> initiators);

  /// Initiators do not reach a volume at one place any more, but go on to at another one. Returns
  /// when the commands that they had under way have ended.
  ///
  /// @param number of the subsidiary unit at the endpoint
  void left(VolumeId volume, int endpoint, int number, Set<String> initiators);

  /// Initiators do not belong to a host any more and see no endpoint. Returns when their commands
  /// there have ended.
  void expelled(Set<String> initiators);

  /// Nobody sees the volume any more.
  void unused(VolumeId volume);
}
