package io.coppice.scsi.transport;

/// A lack of memory for the Data-In of a command. The command ends with TASK SET FULL and may be
/// sent again.
public final class DataInRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// @param length bytes that were asked for
  public DataInRefusedException(int length) {
    super(
        "expected memory for %d bytes of Data-In, got none".formatted(length), null, false, false);
  }
}
