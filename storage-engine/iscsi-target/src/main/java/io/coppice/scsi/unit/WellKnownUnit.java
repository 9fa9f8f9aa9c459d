package io.coppice.scsi.unit;

import io.coppice.scsi.page.NetworkAddress;
import java.util.UUID;

/// The REPORT LUNS well-known logical unit (SPC-5 §8.2).
public final class WellKnownUnit implements LogicalUnit {

  private final NetworkAddress naa;
  private final UUID uuid;

  public WellKnownUnit(NetworkAddress naa, UUID uuid) {
    this.naa = naa;
    this.uuid = uuid;
  }

  @Override
  public NetworkAddress naa() {
    return naa;
  }

  @Override
  public UUID uuid() {
    return uuid;
  }

  @Override
  public long sizeInBytes() {
    return 0;
  }
}
