package io.coppice.iscsi.command;

import io.coppice.iscsi.connection.IscsiCounters;
import io.coppice.iscsi.connection.PduWriter;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.login.SessionParameters;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The sender of the outcomes of commands. Data goes in sequences of at most MaxBurstLength. A GOOD
/// status goes with the last piece of data, any other in a response of its own (RFC 7143 §11.7.3,
/// §11.4). A write does not end GOOD if the initiator expects to send nothing but to be sent
/// something.
///
/// If there is no memory to send a read's data, the read ends with TASK SET FULL after the part
/// already sent. Any other outcome is sent as it is, or the `OutOfMemoryError` goes to the caller.
final class DataInTransfer {

  private static final int SENSE_LENGTH_FIELD = 2;
  private static final Runnable NOTHING = () -> {};

  private final PduWriter writer;
  private final SessionParameters parameters;
  private final IscsiCounters counters;
  private int sent; // Data-In PDUs of the command that is being answered

  DataInTransfer(PduWriter writer, SessionParameters parameters, IscsiCounters counters) {
    this.writer = writer;
    this.parameters = parameters;
    this.counters = counters;
  }

  void send(ScsiTask task, ScsiResponse response) {
    InitiatorPdu.ScsiCommand command = task.pdu();
    int limit = command.read() ? (int) Math.min(expected(command), Integer.MAX_VALUE) : 0;
    boolean good = response.status() == ScsiStatus.GOOD;
    boolean otherWay = movesTheOtherWay(command, response);
    if (good && otherWay && expected(command) > 0 && !response.dataIn().hasRemaining()) {
      ScsiResponse refusal =
          ScsiResponse.checkCondition(TransportSense.invalidFieldInInformationUnit());
      sendResponse(task, refusal, 0, TargetPdu.Residual.NONE);
      return;
    }
    long expected = otherWay || !command.read() && !command.write() ? 0 : expected(command);
    TargetPdu.Residual residual =
        good ? TargetPdu.Residual.of(response.transferLength(), expected) : TargetPdu.Residual.NONE;
    int pieces = 0;
    try {
      pieces = sendData(task, response, limit, good ? residual : null);
    } catch (OutOfMemoryError e) {
      if (!good) {
        throw e; // its sense may not be lost, and cannot be sent: the connection ends
      }
      counters.count(PeerFault.OUT_OF_MEMORY);
      sendResponse(task, ScsiResponse.of(ScsiStatus.TASK_SET_FULL), sent, TargetPdu.Residual.NONE);
      return;
    }
    if (!good || pieces == 0) {
      sendResponse(task, response, pieces, residual);
    }
  }

  private static long expected(InitiatorPdu.ScsiCommand command) {
    return Integer.toUnsignedLong(command.expectedLength());
  }

  /// Whether the CDB moves data in a direction in which the initiator expects none, by its R and W
  /// bits (RFC 7143 §11.3.1). A write without data has written nothing and may not end well. For a
  /// read without room, the residual tells that all of its data is missing.
  private static boolean movesTheOtherWay(InitiatorPdu.ScsiCommand command, ScsiResponse response) {
    boolean in = response.dataIn().hasRemaining();
    return response.transferLength() > 0 && !(in ? command.read() : command.write());
  }

  /// @return how many PDUs it took
  private int sendData(
      ScsiTask task, ScsiResponse response, int limit, TargetPdu.@Nullable Residual withStatus) {
    sent = 0;
    Runnable claim = task.dataInClaim();
    ByteBuf data = task.takeDataIn(response.dataIn(), limit);
    Runnable gone = task.keepsDataInClaim() ? NOTHING : claim;
    if (!data.isReadable()) {
      data.release();
      gone.run();
      return 0;
    }
    return sendData(task.pdu(), data, withStatus, gone);
  }

  /// @param withStatus the residual to end the command with; null if its status follows
  /// @param gone runs once the data has left, or never will
  /// @return how many PDUs it took
  private int sendData(
      InitiatorPdu.ScsiCommand command,
      ByteBuf data,
      TargetPdu.@Nullable Residual withStatus,
      Runnable gone) {
    boolean good = withStatus != null;
    TargetPdu.Residual residual = withStatus == null ? TargetPdu.Residual.NONE : withStatus;
    int start = data.readerIndex();
    int length = data.readableBytes();
    int offset = 0;
    boolean ours = true;
    try {
      while (offset < length) {
        int burstLeft = parameters.maxBurstLength() - offset % parameters.maxBurstLength();
        int piece = Math.min(Math.min(writer.segmentMax(), burstLeft), length - offset);
        boolean end = offset + piece == length;
        TargetPdu.DataIn header =
            new TargetPdu.DataIn(
                end || piece == burstLeft,
                end && good,
                command.initiatorTaskTag(),
                sent,
                offset,
                residual);
        // The last piece takes the memory over; the others hold on to it until they are sent.
        if (!end) {
          writer.write(header, data.retainedSlice(start + offset, piece));
        } else {
          ours = false;
          sendLast(header, command, data.setIndex(start + offset, start + length), gone);
        }
        sent++;
        offset += piece;
      }
    } finally {
      if (ours) {
        data.release();
        gone.run();
      }
    }
    return sent;
  }

  private void sendLast(
      TargetPdu.DataIn header, InitiatorPdu.ScsiCommand command, ByteBuf data, Runnable gone) {
    if (header.withStatus()) {
      writer.writeStatus(header, command.initiatorTaskTag(), data, gone);
    } else {
      writer.write(header, data, gone);
    }
  }

  private void sendResponse(
      ScsiTask task, ScsiResponse response, int dataPdus, TargetPdu.Residual residual) {
    TargetPdu.ScsiResponse pdu =
        new TargetPdu.ScsiResponse(
            task.pdu().initiatorTaskTag(),
            response.status().code(),
            dataPdus + task.transfer().r2tsSent(),
            residual);
    ByteBuffer sense = response.sense();
    if (sense.hasRemaining()) {
      ByteBuf segment = writer.alloc().directBuffer(SENSE_LENGTH_FIELD + sense.remaining());
      segment.writeShort(sense.remaining()).writeBytes(sense.duplicate());
      writer.writeStatus(pdu, task.pdu().initiatorTaskTag(), segment, () -> {});
    } else {
      writer.writeStatus(pdu, task.pdu().initiatorTaskTag());
    }
  }
}
