package io.coppice.scsi.page;

import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.cdb.OperationCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/// REPORT SUPPORTED OPERATION CODES and REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS parameter data
/// (SPC-5 §6.35, §6.36).
public final class SupportedOperations {

  private static final int ALL = 0;
  private static final int BY_OPCODE = 1;
  private static final int BY_SERVICE_ACTION = 2;
  private static final int TIMEOUTS_LENGTH = 12;
  private static final int NOT_SUPPORTED = 0x01;
  private static final int SUPPORTED = 0x03;
  private static final int TIMEOUTS_ALL = 0x02;
  private static final int TIMEOUTS_ONE = 0x80;

  private SupportedOperations() {}

  /// The reply. Empty if the request gives a service action for an operation code that has none, or
  /// gives none for one that has them (INVALID FIELD IN CDB).
  ///
  /// @param operations what the unit supports
  public static Optional<ByteBuffer> encode(
      Cdb.ReportSupportedOperationCodes request, List<OperationCode> operations) {
    if (request.options() == ALL) {
      return Optional.of(all(request.withTimeouts(), operations));
    }
    boolean actions =
        operations.stream().anyMatch(o -> o.opcode() == request.opcode() && o.hasServiceAction());
    boolean plain =
        operations.stream().anyMatch(o -> o.opcode() == request.opcode() && !o.hasServiceAction());
    if (request.options() == BY_OPCODE && actions
        || request.options() == BY_SERVICE_ACTION && plain) {
      return Optional.empty();
    }
    return Optional.of(
        operations.stream()
            .filter(o -> o.opcode() == request.opcode())
            .filter(o -> o.serviceAction() == request.serviceAction() || !actions)
            .findFirst()
            .map(o -> one(request.withTimeouts(), o))
            .orElseGet(() -> ByteBuffer.allocate(4).put(1, (byte) NOT_SUPPORTED)));
  }

  /// @param extended whether the 16-byte form is asked for
  public static ByteBuffer taskManagement(boolean extended) {
    ByteBuffer to = ByteBuffer.allocate(extended ? 16 : 4);
    // ABORT TASK, ABORT TASK SET, CLEAR TASK SET, LOGICAL UNIT RESET, TARGET RESET
    to.put(0, (byte) 0xda);
    return extended ? to.put(3, (byte) 12) : to;
  }

  private static ByteBuffer all(boolean withTimeouts, List<OperationCode> operations) {
    int each = 8 + (withTimeouts ? TIMEOUTS_LENGTH : 0);
    ByteBuffer to = ByteBuffer.allocate(4 + each * operations.size());
    to.putInt(each * operations.size());
    for (OperationCode operation : operations) {
      int flags = (operation.hasServiceAction() ? 1 : 0) | (withTimeouts ? TIMEOUTS_ALL : 0);
      to.put((byte) operation.opcode()).put((byte) 0);
      to.putShort((short) operation.serviceAction()).put((byte) 0).put((byte) flags);
      to.putShort((short) operation.cdbLength());
      if (withTimeouts) {
        putTimeouts(to);
      }
    }
    return to.flip();
  }

  private static ByteBuffer one(boolean withTimeouts, OperationCode operation) {
    int length = 4 + operation.cdbLength() + (withTimeouts ? TIMEOUTS_LENGTH : 0);
    ByteBuffer to = ByteBuffer.allocate(length);
    to.put((byte) 0).put((byte) (SUPPORTED | (withTimeouts ? TIMEOUTS_ONE : 0)));
    to.putShort((short) operation.cdbLength()).put(operation.usage());
    if (withTimeouts) {
      putTimeouts(to);
    }
    return to.flip();
  }

  /// A timeouts descriptor that recommends nothing.
  private static void putTimeouts(ByteBuffer to) {
    to.putShort((short) (TIMEOUTS_LENGTH - 2)).putShort((short) 0).putLong(0);
  }
}
