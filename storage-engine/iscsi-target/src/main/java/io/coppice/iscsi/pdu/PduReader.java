package io.coppice.iscsi.pdu;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The reader that cuts a byte stream into PDUs. It does not collect data segments: their bytes go,
/// as they arrive, to the memory that the [Sink] names after the header.
///
/// Belongs to one connection and its thread.
public final class PduReader {

  /// The receiver of the PDUs.
  public interface Sink {

    /// A header is complete and its digest is right.
    ///
    /// @param dataLength bytes of data segment that follow
    /// @return where to append them, with room for all of them; null to drop them
    @Nullable ByteBuf begin(InitiatorPdu pdu, int dataLength);

    /// The data segment, if any, is complete and its digest is right.
    void end(InitiatorPdu pdu, int dataLength);

    /// The stream cannot be understood from here on. Nothing more is called.
    void broken(Breach breach);
  }

  /// The way in which a stream broke.
  public enum Breach {
    HEADER_DIGEST,
    DATA_DIGEST,
    SEGMENT_TOO_LONG,
    /// Something other than the expected login request, as its first bytes say.
    NO_LOGIN
  }

  private enum State {
    HEADER,
    DATA,
    TRAILER,
    STOPPED
  }

  private static final int AHS_LENGTH_MAX = 255 * 4;

  private final Sink sink;
  private final byte[] header = new byte[Bhs.LENGTH + AHS_LENGTH_MAX + Digest.LENGTH];
  private final ByteBuffer headerView = ByteBuffer.wrap(header);
  private final byte[] trailer = new byte[3 + Digest.LENGTH];
  private final Digest digest = new Digest();

  private boolean loginExpected;
  private boolean headerDigest;
  private boolean dataDigest;
  private int dataLengthMax;

  private State state = State.HEADER;
  private int filled;
  private int dataLength;
  private int dataLeft;
  private @Nullable InitiatorPdu pdu;
  private @Nullable ByteBuf destination;

  /// @param dataLengthMax longest data segment accepted, in bytes
  public PduReader(Sink sink, int dataLengthMax) {
    this.sink = sink;
    this.dataLengthMax = dataLengthMax;
  }

  /// Takes nothing but login requests until [#configure]. So the first bytes expose a peer of
  /// another protocol, not the time that it is given for a header.
  public void expectLogin() {
    loginExpected = true;
  }

  /// Sets, from the next PDU on, which digests there are and how long a data segment may be.
  public void configure(boolean headerDigest, boolean dataDigest, int dataLengthMax) {
    this.headerDigest = headerDigest;
    this.dataDigest = dataDigest;
    this.dataLengthMax = dataLengthMax;
    this.loginExpected = false;
  }

  /// Takes no more bytes; the destination of a half-read data segment is not touched again.
  public void stop() {
    state = State.STOPPED;
    destination = null;
  }

  /// Drops the rest of the data segment that is being read: its destination is not touched again.
  public void dropData() {
    destination = null;
  }

  /// The 48 bytes of the header read last.
  public ByteBuffer lastHeader() {
    return ByteBuffer.wrap(header, 0, Bhs.LENGTH).slice();
  }

  /// Consumes everything readable in `in`.
  public void read(ByteBuf in) {
    while (in.isReadable() && state != State.STOPPED) {
      switch (state) {
        case HEADER -> readHeader(in);
        case DATA -> readData(in);
        case TRAILER -> readTrailer(in);
        case STOPPED -> throw new AssertionError();
      }
    }
  }

  private void readHeader(ByteBuf in) {
    boolean whole = fill(in, header, Bhs.LENGTH);
    if (loginExpected && !mayBeLogin()) {
      fail(Breach.NO_LOGIN);
      return;
    }
    if (!whole) {
      return;
    }
    int ahsLength = Byte.toUnsignedInt(header[Bhs.TOTAL_AHS_LENGTH]) * 4;
    int length = Bhs.LENGTH + ahsLength;
    if (!fill(in, header, headerDigest ? length + Digest.LENGTH : length)) {
      return;
    }
    if (headerDigest && !headerDigestMatches(length)) {
      fail(Breach.HEADER_DIGEST);
      return;
    }
    dataLength = headerView.getInt(Bhs.DATA_SEGMENT_LENGTH) & 0xff_ffff;
    if (dataLength > dataLengthMax) {
      fail(Breach.SEGMENT_TOO_LONG);
      return;
    }
    filled = 0;
    headerView.limit(length);
    InitiatorPdu next = PduDecoder.decode(headerView);
    headerView.clear();
    pdu = next;
    destination = sink.begin(next, dataLength);
    if (state == State.STOPPED) {
      return;
    }
    if (dataLength == 0) {
      finish();
    } else {
      digest.reset();
      dataLeft = dataLength;
      state = State.DATA;
    }
  }

  /// Whether the part of a header that has come is that of a login request (RFC 7143 §11.12): its
  /// opcode, and no additional header segments.
  private boolean mayBeLogin() {
    boolean opcode = (header[0] & ~Bhs.IMMEDIATE) == Bhs.LOGIN;
    return opcode && (filled <= Bhs.TOTAL_AHS_LENGTH || header[Bhs.TOTAL_AHS_LENGTH] == 0);
  }

  private void readData(ByteBuf in) {
    int length = Math.min(dataLeft, in.readableBytes());
    if (dataDigest) {
      digest.update(in, in.readerIndex(), length);
    }
    if (destination == null) {
      in.skipBytes(length);
    } else {
      in.readBytes(destination, length);
    }
    dataLeft -= length;
    if (dataLeft == 0) {
      state = State.TRAILER;
      if (trailerLength() == 0) {
        finish();
      }
    }
  }

  private void readTrailer(ByteBuf in) {
    if (!fill(in, trailer, trailerLength())) {
      return;
    }
    filled = 0;
    if (dataDigest) {
      int padding = Digest.padding(dataLength);
      digest.update(trailer, 0, padding);
      if (digest.value() != ByteBuffer.wrap(trailer).getInt(padding)) {
        fail(Breach.DATA_DIGEST);
        return;
      }
    }
    finish();
  }

  private int trailerLength() {
    return Digest.padding(dataLength) + (dataDigest ? Digest.LENGTH : 0);
  }

  private void finish() {
    InitiatorPdu finished = pdu;
    state = State.HEADER;
    pdu = null;
    destination = null;
    if (finished != null) {
      sink.end(finished, dataLength);
    }
  }

  private boolean headerDigestMatches(int length) {
    digest.reset();
    digest.update(header, 0, length);
    return digest.value() == headerView.getInt(length);
  }

  /// Fills `into` up to `length` bytes.
  ///
  /// @return whether it has that many
  private boolean fill(ByteBuf in, byte[] into, int length) {
    int missing = length - filled;
    if (missing > 0) {
      int taken = Math.min(missing, in.readableBytes());
      in.readBytes(into, filled, taken);
      filled += taken;
    }
    return filled >= length;
  }

  private void fail(Breach breach) {
    stop();
    sink.broken(breach);
  }
}
