package io.coppice.iscsi.connection;

import io.coppice.iscsi.pdu.Bhs;
import io.coppice.iscsi.pdu.Digest;
import io.coppice.iscsi.pdu.PduEncoder;
import io.coppice.iscsi.pdu.SerialNumber;
import io.coppice.iscsi.pdu.TargetPdu;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/// The sender of one connection's PDUs. It gives them their StatSN, so that numbering and order
/// cannot disagree. Belongs to the connection's thread. Whoever writes flushes once per batch.
///
/// A PDU is written whole or, if memory for it is missing, not at all: an `OutOfMemoryError` leaves
/// the stream as it was.
public final class PduWriter implements PduEncoder.Numbers {

  /// Statuses sent last, which an initiator may not have seen yet; a power of two.
  private static final int REMEMBERED = 256;

  /// Bytes after which a batch is sent before it is complete: the peer works on them meanwhile.
  private static final int FLUSH_AT = 512 << 10;

  private final ChannelHandlerContext context;
  private final int[] answeredTags = new int[REMEMBERED];
  private final Digest digest = new Digest();
  private boolean headerDigest;
  private boolean dataDigest;
  private int segmentMax = 8192;
  private int unflushed;
  private int statSn;
  private int loginCmdSn;
  private int toldMaxCmdSn;
  private @Nullable CommandWindow window;

  PduWriter(ChannelHandlerContext context) {
    this.context = context;
  }

  /// During login there is no window yet: ExpCmdSN and MaxCmdSN are the login's CmdSN.
  public void beginLogin(int statSn, int cmdSn) {
    this.statSn = statSn;
    this.loginCmdSn = cmdSn;
  }

  public void use(CommandWindow window) {
    this.window = window;
  }

  public void useDigests(boolean header, boolean data) {
    headerDigest = header;
    dataDigest = data;
  }

  /// Sets, from the next PDU on, the longest data segment that the peer takes (its
  /// MaxRecvDataSegmentLength), in bytes.
  public void useSegments(int most) {
    segmentMax = most;
  }

  /// The longest data segment that may be written now, in bytes.
  public int segmentMax() {
    return segmentMax;
  }

  @Override
  public int statSn() {
    return statSn;
  }

  @Override
  public int expCmdSn() {
    return window == null ? loginCmdSn : window.expCmdSn();
  }

  @Override
  public int maxCmdSn() {
    toldMaxCmdSn = window == null ? loginCmdSn : window.maxCmdSn();
    return toldMaxCmdSn;
  }

  /// The number of commands that the initiator may send by what it was told last.
  public int placesKnown() {
    return toldMaxCmdSn - expCmdSn() + 1;
  }

  /// The number of further commands that it could send by now.
  public int placesUntold() {
    return window == null ? 0 : window.maxCmdSn() - toldMaxCmdSn;
  }

  /// Sends what has been written.
  void flush() {
    unflushed = 0;
    context.flush();
  }

  public ByteBufAllocator alloc() {
    return context.alloc();
  }

  /// Whether the answer of a command is on its way to an initiator that has seen all statuses
  /// before `expStatSn`.
  public boolean isAnswerInFlight(int initiatorTaskTag, int expStatSn) {
    if (!SerialNumber.within(expStatSn, statSn - REMEMBERED, statSn)) {
      return false;
    }
    for (int number = expStatSn; number != statSn; number++) {
      if (answeredTags[number & REMEMBERED - 1] == initiatorTaskTag) {
        return true;
      }
    }
    return false;
  }

  /// Sends the last PDU of a command, the one with its status.
  public void writeStatus(TargetPdu pdu, int initiatorTaskTag) {
    writeHeader(pdu, initiatorTaskTag);
  }

  /// @param data the data segment, 1 byte and more; taken over
  /// @param gone runs on the connection's thread once the data has left, or never will
  public void writeStatus(TargetPdu pdu, int initiatorTaskTag, ByteBuf data, Runnable gone) {
    writeWhole(pdu, initiatorTaskTag, data, gone);
  }

  public void write(TargetPdu pdu) {
    writeHeader(pdu, Bhs.NO_TAG);
  }

  /// @param data the data segment, 1 byte and more; taken over
  public void write(TargetPdu pdu, ByteBuf data) {
    writeWhole(pdu, Bhs.NO_TAG, data, null);
  }

  /// When several are written one after the other, it is enough to pass `gone` for the last one.
  ///
  /// @param data the data segment, 1 byte and more; taken over
  /// @param gone runs on the connection's thread once the data has left, or never will
  public void write(TargetPdu pdu, ByteBuf data, Runnable gone) {
    writeWhole(pdu, Bhs.NO_TAG, data, gone);
  }

  private ChannelPromise promise(@Nullable Runnable gone) {
    return gone == null ? context.voidPromise() : context.newPromise().addListener(_ -> gone.run());
  }

  /// All that may fail for want of memory comes before the first byte is written. So after a
  /// failure nothing has been written, the stream goes on, and what was taken over is given back.
  private void writeWhole(
      TargetPdu pdu, int initiatorTaskTag, ByteBuf data, @Nullable Runnable gone) {
    int length = data.readableBytes();
    ByteBuf trailer = null;
    ChannelPromise written;
    ByteBuf header;
    try {
      trailer = trailer(data, length);
      header = header(pdu, length);
      written = promise(gone);
    } catch (RuntimeException | Error e) {
      ReferenceCountUtil.release(trailer);
      data.release();
      if (gone != null) {
        gone.run();
      }
      throw e;
    }
    send(pdu, header, initiatorTaskTag);
    context.write(data, written);
    if (trailer != null) {
      context.write(trailer, context.voidPromise());
    }
    unflushed += length;
    if (unflushed >= FLUSH_AT) {
      flush();
    }
  }

  /// @param answered the command that ends with this PDU; [Bhs#NO_TAG] if none does
  private void writeHeader(TargetPdu pdu, int answered) {
    send(pdu, header(pdu, 0), answered);
  }

  private ByteBuf header(TargetPdu pdu, int dataLength) {
    ByteBuf header = context.alloc().directBuffer(Bhs.LENGTH + Digest.LENGTH);
    PduEncoder.encode(pdu, dataLength, this, header);
    if (headerDigest) {
      digest.reset();
      digest.update(header, header.readerIndex(), Bhs.LENGTH);
      header.writeInt(digest.value());
    }
    return header;
  }

  private void send(TargetPdu pdu, ByteBuf header, int answered) {
    if (pdu.statusNumber() == TargetPdu.StatusNumber.TAKEN) {
      answeredTags[statSn & REMEMBERED - 1] = answered;
      statSn++;
    }
    context.write(header, context.voidPromise());
  }

  private @Nullable ByteBuf trailer(ByteBuf data, int length) {
    int padding = Digest.padding(length);
    if (padding == 0 && !dataDigest) {
      return null;
    }
    ByteBuf trailer = context.alloc().directBuffer(padding + Digest.LENGTH);
    trailer.writeZero(padding);
    if (dataDigest) {
      digest.reset();
      digest.update(data, data.readerIndex(), length);
      digest.updatePadding(length);
      trailer.writeInt(digest.value());
    }
    return trailer;
  }
}
