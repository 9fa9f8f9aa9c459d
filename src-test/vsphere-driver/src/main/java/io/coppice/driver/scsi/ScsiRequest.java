package io.coppice.driver.scsi;

import java.nio.ByteBuffer;

/// One command for a transport.
///
/// `dataOut` may be empty; the transport reads it until the command has completed, so it must not
/// change before. `dataInBytes` is the expected transfer length of a command that reads, 0 to
/// 2^31-1. A request moves data one way at most.
public record ScsiRequest(Lun lun, Cdb cdb, ByteBuffer dataOut, int dataInBytes) {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  public ScsiRequest {
    if (dataInBytes < 0 || dataInBytes > 0 && dataOut.hasRemaining()) {
      throw new IllegalArgumentException(
          "a command moves data one way, got %d bytes out and %d in"
              .formatted(dataOut.remaining(), dataInBytes));
    }
  }

  /// A command that transfers nothing.
  public static ScsiRequest none(Lun lun, Cdb cdb) {
    return new ScsiRequest(lun, cdb, NONE, 0);
  }

  /// A command that reads up to `bytes`.
  public static ScsiRequest reading(Lun lun, Cdb cdb, int bytes) {
    return new ScsiRequest(lun, cdb, NONE, bytes);
  }

  /// A command that sends the remaining bytes of `dataOut`.
  public static ScsiRequest writing(Lun lun, Cdb cdb, ByteBuffer dataOut) {
    return new ScsiRequest(lun, cdb, dataOut.slice(), 0);
  }
}
