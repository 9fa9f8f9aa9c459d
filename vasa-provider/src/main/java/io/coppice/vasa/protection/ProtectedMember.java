package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;

/// A member of a protected group.
public sealed interface ProtectedMember {

  /// A virtual machine: its config and data vVols, as they are when a point is taken. Swap and
  /// memory are of no later use.
  ///
  /// @param id its `VMW_VmID`
  record Machine(String id) implements ProtectedMember {}

  /// One volume.
  record Volume(VolumeId id) implements ProtectedMember {}
}
