package io.coppice.iscsi.command;

import io.coppice.iscsi.login.SessionParameters;
import io.coppice.iscsi.pdu.Bhs;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.TargetPdu;
import org.jspecify.annotations.Nullable;

/// The arrival of one write command's data: immediate, unsolicited, then in answer to R2Ts (RFC
/// 7143 §4.2.5.2, Data Transfer Overview; §11.7; §11.8).
///
/// Data comes in order, since DataPDUInOrder and DataSequenceInOrder are Yes. So the data received
/// is a prefix, and sequence `n` is the `n`-th MaxBurstLength after the end of the unsolicited
/// data. This is pure bookkeeping: the bytes are elsewhere.
final class DataOutTransfer {

  private final SessionParameters parameters;
  private final int expected;
  private final int tagBase;

  private int received;
  private boolean unsolicited;
  private int solicitedFrom;
  private int dataSn;
  private int r2tsSent;
  private int r2tsServed;

  /// @param expected bytes that the command brings
  /// @param serial distinguishes this command from others with the same task tag: stale data of an
  ///   aborted one must not get into its successor
  DataOutTransfer(SessionParameters parameters, int expected, int serial) {
    this.parameters = parameters;
    this.expected = expected;
    this.tagBase = (serial % 0xff_ffff) << 8;
  }

  /// The command itself has come, with `immediate` bytes of data.
  ///
  /// @param last its F bit: no unsolicited Data-Out follows
  void begin(int immediate, boolean last) {
    received = immediate;
    unsolicited = !last && !parameters.initialR2T() && immediate < expected;
    solicitedFrom = immediate;
  }

  /// Whether a Data-Out is the one that must come next, in number, offset and length.
  boolean accepts(InitiatorPdu.DataOut pdu, int length) {
    if (pdu.dataSn() != dataSn || pdu.bufferOffset() != received) {
      return false;
    }
    int end = received + length;
    if (pdu.targetTransferTag() == Bhs.NO_TAG) {
      return unsolicited
          && (length > 0 || pdu.last())
          && end <= Math.min(parameters.firstBurstLength(), expected);
    }
    int sequenceEnd = sequenceEnd(r2tsServed);
    return !unsolicited
        && r2tsServed < r2tsSent
        && pdu.targetTransferTag() == tag(r2tsServed)
        && length > 0
        && end <= sequenceEnd
        && pdu.last() == (end == sequenceEnd);
  }

  /// The bytes of an accepted Data-Out are there.
  void advance(InitiatorPdu.DataOut pdu, int length) {
    received += length;
    dataSn++;
    if (pdu.last()) {
      dataSn = 0;
      if (unsolicited) {
        unsolicited = false;
        solicitedFrom = received;
      } else {
        r2tsServed++;
      }
    }
  }

  boolean isComplete() {
    return received == expected;
  }

  int r2tsSent() {
    return r2tsSent;
  }

  /// The next R2T to send now; null if none is left or enough are in flight.
  TargetPdu.@Nullable ReadyToTransfer nextR2t(InitiatorPdu.ScsiCommand command) {
    int start = solicitedFrom + r2tsSent * parameters.maxBurstLength();
    boolean inFlight = r2tsSent - r2tsServed >= parameters.maxOutstandingR2T();
    if (unsolicited || inFlight || start >= expected) {
      return null;
    }
    TargetPdu.ReadyToTransfer r2t =
        new TargetPdu.ReadyToTransfer(
            command.lun(),
            command.initiatorTaskTag(),
            tag(r2tsSent),
            r2tsSent,
            start,
            sequenceEnd(r2tsSent) - start);
    r2tsSent++;
    return r2t;
  }

  private int sequenceEnd(int sequence) {
    return Math.min(solicitedFrom + (sequence + 1) * parameters.maxBurstLength(), expected);
  }

  private int tag(int sequence) {
    return tagBase | (sequence & 0xff);
  }
}
