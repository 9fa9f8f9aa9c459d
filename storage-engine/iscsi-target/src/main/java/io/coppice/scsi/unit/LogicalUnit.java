package io.coppice.scsi.unit;

import io.coppice.scsi.page.NetworkAddress;
import java.util.UUID;

/// A logical unit, shared by all nexuses that reach it. Its identity is that of the object.
public sealed interface LogicalUnit permits EndpointUnit, VolumeUnit, WellKnownUnit {

  /// Its NAA designator.
  NetworkAddress naa();

  /// Its UUID designator.
  UUID uuid();

  /// Bytes of its medium, 0 if it has none; may change at any time.
  long sizeInBytes();

  /// Whether its data takes space that others may take too; may change at any time.
  default boolean isThin() {
    return true;
  }

  /// D_SENSE: whether sense data goes in descriptor format.
  default boolean sensesInDescriptors() {
    return false;
  }
}
