package io.coppice.driver.iscsi;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.zip.CRC32C;

/// One TCP connection that carries whole PDUs. One thread may read while another one writes.
final class Connection implements AutoCloseable {
  private static final int READ_BYTES = 1 << 16;
  private static final int MAX_SEGMENT = 1 << 24;

  private final SocketChannel channel;
  private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES).flip();
  private boolean headerDigest;
  private boolean dataDigest;

  private Connection(SocketChannel channel) {
    this.channel = channel;
  }

  /// The place that the data segment of a PDU goes to; the buffer's remaining bytes must be the
  /// segment's length.
  interface DataSink {
    ByteBuffer place(Pdu header);
  }

  static Connection open(InetSocketAddress portal, Duration timeout) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().connect(portal, Math.toIntExact(timeout.toMillis()));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return new Connection(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// From now on PDUs carry the digests that the login agreed on; call it before both threads
  /// start.
  void digests(boolean header, boolean data) {
    headerDigest = header;
    dataDigest = data;
  }

  void write(Pdu pdu) throws IOException {
    ByteBuffer header = pdu.header().duplicate().clear();
    ByteBuffer data = pdu.data().duplicate();
    ByteBuffer tail = ByteBuffer.allocate(Pdu.padding(data.remaining()) + 4);
    tail.position(Pdu.padding(data.remaining()));
    if (dataDigest && data.hasRemaining()) {
      putDigest(tail, data, tail.duplicate().flip());
    }
    tail.flip();
    ByteBuffer headDigest = ByteBuffer.allocate(4);
    if (headerDigest) {
      putDigest(headDigest, header, Pdu.NO_DATA);
    }
    writeAll(new ByteBuffer[] {header, headDigest.flip(), data, tail});
  }

  private void writeAll(ByteBuffer[] parts) throws IOException {
    while (parts[0].hasRemaining()
        || parts[1].hasRemaining()
        || parts[2].hasRemaining()
        || parts[3].hasRemaining()) {
      channel.write(parts);
    }
  }

  /// Reads the next PDU; its data goes into `sink`.
  Pdu read(DataSink sink) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(Pdu.HEADER_BYTES);
    fill(header);
    header.flip();
    int ahs = Byte.toUnsignedInt(header.get(4)) * 4;
    ByteBuffer extra = ByteBuffer.allocate(ahs);
    fill(extra);
    if (headerDigest) {
      checkDigest("header", header, extra.flip());
    }
    Pdu bare = new Pdu(header, Pdu.NO_DATA);
    int length = bare.dataLength();
    if (length == 0) {
      return bare;
    }
    ByteBuffer data = sink.place(bare);
    if (data.remaining() != length || length > MAX_SEGMENT) {
      throw new IscsiProtocolException(
          "expected a data segment of %d bytes, got %s".formatted(data.remaining(), bare));
    }
    fill(data.duplicate());
    ByteBuffer pad = ByteBuffer.allocate(Pdu.padding(length));
    fill(pad);
    if (dataDigest) {
      checkDigest("data", data, pad.flip());
    }
    return new Pdu(header, data);
  }

  private void fill(ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      if (in.hasRemaining()) {
        int n = Math.min(in.remaining(), target.remaining());
        target.put(in.slice(in.position(), n));
        in.position(in.position() + n);
      } else if (target.remaining() >= READ_BYTES) {
        requireOpen(channel.read(target));
      } else {
        in.clear();
        int n = channel.read(in);
        in.flip();
        requireOpen(n);
      }
    }
  }

  private static void requireOpen(int n) throws EOFException {
    if (n < 0) {
      throw new EOFException("the target closed the connection");
    }
  }

  private void checkDigest(String part, ByteBuffer first, ByteBuffer second) throws IOException {
    ByteBuffer expected = ByteBuffer.allocate(4);
    putDigest(expected, first, second);
    ByteBuffer came = ByteBuffer.allocate(4);
    fill(came);
    if (!came.flip().equals(expected.flip())) {
      throw new IscsiProtocolException(
          "expected %s digest %08x, got %08x".formatted(part, expected.getInt(0), came.getInt(0)));
    }
  }

  private static void putDigest(ByteBuffer target, ByteBuffer first, ByteBuffer second) {
    CRC32C crc = new CRC32C();
    crc.update(first.duplicate());
    crc.update(second.duplicate());
    // The CRC goes out least significant byte first, RFC 7143 §13.1.
    target.putInt(Integer.reverseBytes((int) crc.getValue()));
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing is left to release: the descriptor is gone whatever close reports.
      return;
    }
  }
}
