package io.coppice.driver.iscsi;

import io.coppice.driver.scsi.ScsiRequest;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.driver.scsi.Sense;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A SCSI command under way. After its command PDU is queued, only the receiving thread touches it.
final class ScsiTask {
  private static final int OVERFLOW = 0x04;
  private static final int UNDERFLOW = 0x02;
  private static final int STATUS_PRESENT = 0x01;

  private final ScsiRequest request;
  private final int tag;
  private final SessionParameters parameters;
  private final ByteBuffer dataIn;
  private final CompletableFuture<ScsiResult> result = new CompletableFuture<>();
  private int received;
  private int nextDataSn;
  private int nextR2tSn;

  ScsiTask(ScsiRequest request, int tag, SessionParameters parameters) {
    this.request = request;
    this.tag = tag;
    this.parameters = parameters;
    this.dataIn = ByteBuffer.allocate(request.dataInBytes());
  }

  ScsiRequest request() {
    return request;
  }

  int tag() {
    return tag;
  }

  CompletableFuture<ScsiResult> result() {
    return result;
  }

  /// The command PDU with its immediate data, and the unsolicited Data-Out PDUs that follow it.
  List<Pdu> start(int cmdSn) {
    ByteBuffer out = request.dataOut();
    int total = out.remaining();
    int limit = Math.min(total, parameters.firstBurstLength());
    int immediate =
        parameters.immediateData() ? Math.min(limit, parameters.targetSegmentLength()) : 0;
    boolean more = !parameters.initialR2T() && limit > immediate;
    int flags = (more ? 0 : Opcode.FINAL) | direction() | 0x01;
    Pdu command =
        Pdu.of(Opcode.SCSI_COMMAND, flags)
            .lun(request.lun().value())
            .tag(tag)
            .word(20, Math.max(total, request.dataInBytes()))
            .word(24, cmdSn)
            .bytes(32, request.cdb().bytes())
            .data(out.slice(0, immediate));
    List<Pdu> pdus = new ArrayList<>();
    pdus.add(command);
    if (more) {
      addDataOut(pdus, Opcode.NO_TAG, immediate, limit - immediate);
    }
    return pdus;
  }

  private int direction() {
    if (request.dataOut().hasRemaining()) {
      return 0x20;
    }
    return request.dataInBytes() > 0 ? 0x40 : 0;
  }

  /// The Data-Out PDUs that answer an R2T.
  List<Pdu> transfer(Pdu r2t) {
    int offset = r2t.wordAt(40);
    int length = r2t.wordAt(44);
    int total = request.dataOut().remaining();
    if (r2t.wordAt(36) != nextR2tSn) {
      throw violation("R2TSN " + nextR2tSn, Integer.toString(r2t.wordAt(36)));
    }
    if (length <= 0 || length > parameters.maxBurstLength()) {
      throw violation(
          "an R2T of 1 to " + parameters.maxBurstLength() + " bytes", Integer.toString(length));
    }
    if (offset < 0 || offset > total - length) {
      throw violation("an R2T within " + total + " bytes", offset + " + " + length);
    }
    nextR2tSn++;
    List<Pdu> pdus = new ArrayList<>();
    addDataOut(pdus, r2t.wordAt(20), offset, length);
    return pdus;
  }

  private void addDataOut(List<Pdu> pdus, int transferTag, int offset, int length) {
    int sent = 0;
    int dataSn = 0;
    while (sent < length) {
      int size = Math.min(length - sent, parameters.targetSegmentLength());
      boolean last = sent + size == length;
      pdus.add(
          Pdu.of(Opcode.DATA_OUT, last ? Opcode.FINAL : 0)
              .lun(request.lun().value())
              .tag(tag)
              .word(20, transferTag)
              .word(36, dataSn++)
              .word(40, offset + sent)
              .data(request.dataOut().slice(offset + sent, size)));
      sent += size;
    }
  }

  /// Where the data segment of a Data-In PDU belongs.
  ByteBuffer place(Pdu pdu) {
    int offset = pdu.wordAt(40);
    int length = pdu.dataLength();
    if (pdu.wordAt(36) != nextDataSn) {
      throw violation("DataSN " + nextDataSn, Integer.toString(pdu.wordAt(36)));
    }
    if (offset != received || length > dataIn.capacity() - offset) {
      throw violation(
          "Data-In at %d of %d bytes".formatted(received, dataIn.capacity()),
          offset + " + " + length);
    }
    return dataIn.slice(offset, length);
  }

  /// Takes note of a Data-In PDU; true if it carried the status and so ended the command.
  boolean arrived(Pdu pdu) {
    if (pdu.dataLength() == 0) {
      place(pdu);
    }
    nextDataSn++;
    received += pdu.dataLength();
    if ((pdu.flags() & STATUS_PRESENT) == 0) {
      return false;
    }
    finish(pdu, null);
    return true;
  }

  /// Ends the command with a SCSI Response PDU.
  void respond(Pdu pdu) {
    if (pdu.byteAt(2) != 0) {
      throw violation("response 00h", "%02Xh".formatted(pdu.byteAt(2)));
    }
    ByteBuffer data = pdu.data();
    Sense sense = null;
    if (data.remaining() >= 2) {
      int length = Short.toUnsignedInt(data.getShort(0));
      if (length > data.remaining() - 2) {
        throw violation("sense data of " + length + " bytes", "" + (data.remaining() - 2));
      }
      if (length > 0) {
        sense = Sense.decode(data.slice(2, length));
      }
    }
    int expDataSn = pdu.wordAt(36);
    int sequence = request.dataInBytes() > 0 ? nextDataSn : nextR2tSn;
    if (expDataSn != 0 && expDataSn != sequence) {
      throw violation("ExpDataSN " + sequence, Integer.toString(expDataSn));
    }
    finish(pdu, sense);
  }

  private void finish(Pdu pdu, @Nullable Sense sense) {
    long residual = Integer.toUnsignedLong(pdu.wordAt(44));
    long overflow = (pdu.flags() & OVERFLOW) != 0 ? residual : 0;
    long underflow = (pdu.flags() & UNDERFLOW) != 0 ? residual : 0;
    int status = pdu.byteAt(3);
    if (status == ScsiResult.GOOD && received + underflow != request.dataInBytes()) {
      if (request.dataInBytes() > 0) {
        throw violation(
            "%d bytes or an underflow that says so".formatted(request.dataInBytes()),
            "%d bytes and underflow %d".formatted(received, underflow));
      }
    }
    result.complete(new ScsiResult(status, sense, dataIn.slice(0, received), overflow, underflow));
  }

  private IscsiProtocolException violation(String expected, String came) {
    return new IscsiProtocolException(
        "%s: expected %s, got %s".formatted(request.cdb().name(), expected, came));
  }
}
