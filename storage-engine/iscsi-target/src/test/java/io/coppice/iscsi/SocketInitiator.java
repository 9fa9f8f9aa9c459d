package io.coppice.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// An initiator at a real socket, one PDU after the other, without digests. For one thread to send
/// and one to receive.
final class SocketInitiator implements AutoCloseable {

  private static final int PATIENCE_MS = 60_000;

  /// A PDU from the target.
  record Received(ByteBuffer header, byte[] data) {
    int opcode() {
      return header.get(0) & 0x3f;
    }

    int tag() {
      return header.getInt(16);
    }

    /// Status of a login response.
    int loginStatus() {
      return Short.toUnsignedInt(header.getShort(36));
    }

    /// Status of a SCSI response or of the last Data-In.
    int scsiStatus() {
      return header.get(3);
    }

    List<String> text() {
      return data.length == 0
          ? List.of()
          : List.of(new String(data, StandardCharsets.UTF_8).split("\0"));
    }
  }

  private final Socket socket;
  private final DataInputStream in;
  private int cmdSn = 1;
  private int handle;

  SocketInitiator(InetSocketAddress portal) throws IOException {
    this(portal, 0);
  }

  /// @param receiveBuffer bytes that the kernel may keep for it; 0 for as many as it likes
  SocketInitiator(InetSocketAddress portal, int receiveBuffer) throws IOException {
    socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.connect(portal);
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
  }

  Socket socket() {
    return socket;
  }

  /// Logs in without security; keys as `k=v`.
  Received logIn(long isid, String... keys) throws IOException {
    sendLogin(isid, keys);
    Received response = receive();
    handle = Short.toUnsignedInt(response.header().getShort(14));
    return response;
  }

  /// Logs in to the session of another connection, to take its place there.
  Received logInInPlaceOf(SocketInitiator older, long isid, String... keys) throws IOException {
    cmdSn = older.cmdSn;
    handle = older.handle;
    return logIn(isid, keys);
  }

  void sendLogin(long isid, String... keys) throws IOException {
    ByteBuffer header = ScriptedInitiator.header(0x43, 0x87).putLong(8, isid << 16 | handle);
    send(header.putInt(16, 1).putInt(24, cmdSn), ScriptedInitiator.text(keys));
  }

  /// Sends a SCSI command with all its data immediate.
  ///
  /// @param flags such as c1 (final, read, simple)
  void command(long lun, int tag, int flags, int expected, String cdb, byte... data)
      throws IOException {
    ByteBuffer header = ScriptedInitiator.commandHeader(tag, flags, expected, cdb, cmdSn++);
    send(header.putLong(8, lun), data);
  }

  /// Sends an immediate task management request.
  void manage(long lun, int tag, int function, int referenced) throws IOException {
    ByteBuffer header = ScriptedInitiator.header(0x42, 0x80 | function).putLong(8, lun);
    header.putInt(16, tag).putInt(20, referenced).putInt(24, cmdSn);
    send(header.putInt(32, cmdSn - 1), new byte[0]);
  }

  /// Sends a ping and reads up to its answer.
  void ping(int tag) throws IOException {
    ByteBuffer header = ScriptedInitiator.header(0x40, 0x80).putInt(16, tag).putInt(20, -1);
    send(header.putInt(24, cmdSn), new byte[0]);
    Received answer = receive();
    assertThat(answer.opcode()).as("NOP-In").isEqualTo(0x20);
    assertThat(answer.tag()).isEqualTo(tag);
  }

  void logOut(int tag) throws IOException {
    send(ScriptedInitiator.header(0x06, 0x80).putInt(16, tag).putInt(24, cmdSn), new byte[0]);
  }

  void send(ByteBuffer header, byte[] data) throws IOException {
    header.putInt(4, header.getInt(4) & 0xff00_0000 | data.length);
    byte[] whole = new byte[48 + data.length + (-data.length & 3)];
    System.arraycopy(header.array(), 0, whole, 0, 48);
    System.arraycopy(data, 0, whole, 48, data.length);
    socket.getOutputStream().write(whole);
  }

  /// The next PDU that is no ping of the target's. Such a ping comes whenever the target likes.
  Received receiveAnswer() throws IOException {
    Received received = receive();
    while (received.opcode() == 0x20 && received.tag() == -1) {
      received = receive();
    }
    return received;
  }

  /// The next PDU.
  Received receive() throws IOException {
    ByteBuffer header = ByteBuffer.allocate(48);
    in.readFully(header.array());
    int length = header.getInt(4) & 0xffffff;
    byte[] data = new byte[length];
    in.readFully(data);
    in.readFully(new byte[-length & 3]);
    return new Received(header, data);
  }

  /// Sends TEST UNIT READY until no unit attention is left.
  void settle(long lun) throws IOException {
    for (int i = 0; i < 10; i++) {
      command(lun, 0x7000 + i, 0x81, 0, "00 00 00 00 00 00");
      if (receive().scsiStatus() == 0) {
        return;
      }
    }
    throw new AssertionError("expected LUN %016x to become ready".formatted(lun));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
