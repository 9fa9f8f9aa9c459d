package io.coppice.scsi.transport;

import java.nio.ByteBuffer;
import java.util.Objects;

/// The outcome of a command: a value, never an exception.
///
/// | Component | Meaning |
/// |---|---|
/// | `sense` | fixed or descriptor format sense data from its position; empty without CHECK CONDITION |
/// | `dataIn` | what goes to the initiator, from its position; the buffer got from [ScsiCommand#dataIn] or empty |
/// | `transferLength` | bytes that the CDB asked to move, in whichever direction: the transport derives the residual from it and from what the initiator expected |
public record ScsiResponse(
    ScsiStatus status, ByteBuffer sense, ByteBuffer dataIn, long transferLength) {

  private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

  public ScsiResponse {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(sense, "sense");
    Objects.requireNonNull(dataIn, "dataIn");
  }

  /// GOOD, nothing goes back.
  ///
  /// @param transferLength bytes of Data-Out that the CDB asked for
  public static ScsiResponse good(long transferLength) {
    return new ScsiResponse(ScsiStatus.GOOD, NONE, NONE, transferLength);
  }

  /// GOOD with data.
  public static ScsiResponse good(ByteBuffer dataIn) {
    return new ScsiResponse(ScsiStatus.GOOD, NONE, dataIn, dataIn.remaining());
  }

  /// A status without sense data.
  public static ScsiResponse of(ScsiStatus status) {
    return new ScsiResponse(status, NONE, NONE, 0);
  }

  /// CHECK CONDITION. No data is transferred.
  public static ScsiResponse checkCondition(ByteBuffer sense) {
    return new ScsiResponse(ScsiStatus.CHECK_CONDITION, sense, NONE, 0);
  }
}
