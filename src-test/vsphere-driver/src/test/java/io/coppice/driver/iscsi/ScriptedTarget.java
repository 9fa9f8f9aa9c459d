package io.coppice.driver.iscsi;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A target that admits anyone and then plays a script; its PDUs are written by hand.
final class ScriptedTarget implements AutoCloseable {
  static final String TARGET = "iqn.2026-01.test:scripted";

  private final ServerSocket listener;
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /// What happens after the login.
  interface Script {
    void play(Wire wire) throws IOException;
  }

  /// A PDU as it came.
  record Came(ByteBuffer header, byte[] data) {
    int opcode() {
      return header.get(0) & 0x3F;
    }

    int tag() {
      return header.getInt(16);
    }
  }

  /// The connection, with StatSN counted by the script.
  static final class Wire {
    private final DataInputStream in;
    private final OutputStream out;
    int statSn = 100;

    Wire(Socket socket) throws IOException {
      in = new DataInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    }

    Came read() throws IOException {
      byte[] header = in.readNBytes(48);
      if (header.length < 48) {
        throw new IOException("the initiator closed");
      }
      ByteBuffer buffer = ByteBuffer.wrap(header);
      byte[] data = in.readNBytes(buffer.getInt(4) & 0xFF_FFFF);
      in.skipNBytes(-data.length & 3);
      return new Came(buffer, data);
    }

    /// A header with tag, the present StatSN and a window of 32 commands.
    ByteBuffer header(int opcode, int flags, int tag) {
      ByteBuffer header = ByteBuffer.allocate(48);
      header.put(0, (byte) opcode).put(1, (byte) flags).putInt(16, tag);
      return header.putInt(24, statSn).putInt(28, 1).putInt(32, 33);
    }

    void write(ByteBuffer header, byte[] data) throws IOException {
      header.putInt(4, data.length);
      out.write(header.array());
      out.write(data);
      out.write(new byte[-data.length & 3]);
      out.flush();
    }

    void write(ByteBuffer header) throws IOException {
      write(header, new byte[0]);
    }
  }

  ScriptedTarget(Script script) throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> serve(script));
  }

  InetSocketAddress portal() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
  }

  /// Waits for the script's end; an error in the script is thrown.
  void awaitEnd() {
    end.orTimeout(10, TimeUnit.SECONDS).join();
  }

  private void serve(Script script) {
    try (Socket socket = listener.accept()) {
      Wire wire = new Wire(socket);
      login(wire, 0x81, "TargetPortalGroupTag=1\0AuthMethod=None\0");
      login(wire, 0x87, "MaxRecvDataSegmentLength=8192\0FirstBurstLength=8192\0");
      script.play(wire);
      end.complete(null);
    } catch (IOException | RuntimeException | Error e) {
      end.completeExceptionally(e);
    }
  }

  private static void login(Wire wire, int flags, String keys) throws IOException {
    Came request = wire.read();
    ByteBuffer response = wire.header(0x23, flags, request.tag());
    response.putShort(14, (short) (flags == 0x87 ? 9 : 0));
    wire.write(response, keys.getBytes(StandardCharsets.US_ASCII));
    wire.statSn++;
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
