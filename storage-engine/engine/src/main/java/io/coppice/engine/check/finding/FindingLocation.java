package io.coppice.engine.check.finding;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The place of a finding, as far as it is known.
///
/// @param zone -1: none
/// @param offset byte on the device, -1: none
/// @param volume a volume or snapshot that sees the place
/// @param lba first block of 512 bytes of the volume, -1: none
public record FindingLocation(int zone, long offset, @Nullable UUID volume, long lba) {

  public static final FindingLocation NOWHERE = new FindingLocation(-1, -1, null, -1);

  public static FindingLocation offset(long offset) {
    return new FindingLocation(-1, offset, null, -1);
  }

  @Override
  public String toString() {
    return (zone < 0 ? "" : " zone " + zone)
        + (offset < 0 ? "" : " offset " + offset)
        + (volume == null ? "" : " volume " + volume)
        + (lba < 0 ? "" : " LBA " + lba);
  }
}
