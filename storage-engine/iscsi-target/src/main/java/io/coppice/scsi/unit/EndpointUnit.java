package io.coppice.scsi.unit;

import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.scsi.page.NetworkAddress;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// A protocol endpoint: an administrative logical unit without data of its own.
public final class EndpointUnit implements LogicalUnit {

  /// The capacity that READ CAPACITY reports: the least that a host takes for a disk. All of it
  /// reads as zeros.
  public static final long BLOCKS = 2048;

  private final int lun;
  private final NetworkAddress naa;

  EndpointUnit(ProtocolEndpoint endpoint) {
    this.lun = endpoint.lun();
    this.naa = NetworkAddress.parse(endpoint.naa());
  }

  int lun() {
    return lun;
  }

  @Override
  public NetworkAddress naa() {
    return naa;
  }

  @Override
  public UUID uuid() {
    return UUID.nameUUIDFromBytes(naa.text().getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public long sizeInBytes() {
    return 0;
  }
}
