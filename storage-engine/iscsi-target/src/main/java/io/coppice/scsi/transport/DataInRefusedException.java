package io.coppice.scsi.transport;

/// There is no memory for the Data-In of a command now: it ends with TASK SET FULL, and may be sent
/// again.
public final class DataInRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// @param length bytes that were asked for
  public DataInRefusedException(int length) {
    super(
        "expected memory for %d bytes of Data-In, got none".formatted(length), null, false, false);
  }
}
