package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients that begin something and do not go on with it, or that want all connections, at either
/// port.
@Timeout(120)
class PortLimitsTest {

  private static final int PER_ADDRESS = 6;

  @RegisterExtension
  private static final SharedProvider provider =
      new SharedProvider(
          "--coppice.vasa.limits.request-time=2s",
          "--coppice.vasa.limits.connections-per-address=" + PER_ADDRESS,
          "--coppice.management.request-time=2s",
          "--coppice.management.connections-per-address=" + PER_ADDRESS);

  enum Port {
    VASA(TestProvider::vasaPort, "/vasa/version.xml", "/vasa/services/vasaService"),
    MANAGEMENT(TestProvider::managementPort, "/api/v1/system", "/api/v1/volumes");

    private final ToIntFunction<TestProvider> number;
    private final String get;
    private final String post;

    Port(ToIntFunction<TestProvider> number, String get, String post) {
      this.number = number;
      this.get = get;
      this.post = post;
    }

    int number() {
      return number.applyAsInt(provider.get());
    }

    Socket connect() throws Exception {
      Socket socket = new VasaClient(number(), null).connect();
      socket.setSoTimeout(30_000);
      return socket;
    }
  }

  @ParameterizedTest
  @EnumSource
  void headOfWhichAByteComesNowAndThenIsNotWaitedFor(Port port) throws Exception {
    try (Socket socket = port.connect()) {
      assertThat(answerWhileSending(socket, "GET " + port.get + " HTTP/1.1\r\nX: ")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void bodyThatNobodyWantsIsNotWaitedFor(Port port) throws Exception {
    String head =
        "POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 500000\r\n\r\n"
            .formatted(port.post);
    try (Socket socket = port.connect()) {
      assertThat(answerWhileSending(socket, head)).startsWith("HTTP/1.1 ");
    }
  }

  @ParameterizedTest
  @EnumSource
  void handshakeThatDoesNotGoOnIsNotWaitedFor(Port port) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.number())) {
      socket.setSoTimeout(30_000);
      // A record of the handshake of 500 bytes, which comes a byte at a time.
      socket.getOutputStream().write(new byte[] {22, 3, 1, 1, (byte) 0xf4, 1});
      assertThat(answerWhileSending(socket, "")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectionIdleLongestMakesRoom(Port port) throws Exception {
    List<Socket> all = new ArrayList<>();
    try {
      for (int i = 0; i < PER_ADDRESS + 2; i++) {
        all.add(port.connect());
        assertThat(statusLine(all.getLast(), port.get)).startsWith("HTTP/1.1 ");
      }
      assertThat(isClosed(all.get(0))).as("the first").isTrue();
      assertThat(isClosed(all.get(1))).as("the second").isTrue();
      assertThat(statusLine(all.get(PER_ADDRESS), port.get)).startsWith("HTTP/1.1 ");
    } finally {
      close(all);
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneMoreIsClosedWhereAllHaveBegunSomething(Port port) throws Exception {
    List<Socket> all = new ArrayList<>();
    try {
      for (int i = 0; i < PER_ADDRESS; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.number());
        all.add(socket);
        socket.getOutputStream().write(22);
      }
      Socket more = new Socket(InetAddress.getLoopbackAddress(), port.number());
      all.add(more);
      assertThat(isClosed(more)).isTrue();
    } finally {
      close(all);
    }
    assertThat(isServedWithinTenSeconds(port)).isTrue();
  }

  /// The port may not have met the end of the others yet.
  private static boolean isServedWithinTenSeconds(Port port) throws Exception {
    for (int i = 0; i < 50; i++) {
      try (Socket next = port.connect()) {
        return String.valueOf(statusLine(next, port.get)).startsWith("HTTP/1.1 ");
      } catch (IOException e) {
        LockSupport.parkNanos(200_000_000);
      }
    }
    return false;
  }

  /// What comes back while a text, and then an `x` now and then, is sent.
  private static String answerWhileSending(Socket socket, String start) throws Exception {
    OutputStream out = socket.getOutputStream();
    out.write(start.getBytes(StandardCharsets.US_ASCII));
    Thread sender = Thread.ofVirtual().start(() -> sendNowAndThen(out));
    try (InputStream in = socket.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("expected the connection to be closed, it was not in 30 s", e);
    } catch (IOException e) {
      return ""; // reset over what was still sent
    } finally {
      sender.interrupt();
    }
  }

  private static void sendNowAndThen(OutputStream out) {
    try {
      while (!Thread.interrupted()) {
        LockSupport.parkNanos(200_000_000);
        out.write('x');
        out.flush();
      }
    } catch (IOException _) {
      // The port has closed the connection, as it should.
    }
  }

  private static @Nullable String statusLine(Socket socket, String path) throws IOException {
    socket
        .getOutputStream()
        .write(
            "GET %s HTTP/1.1\r\nHost: a\r\n\r\n"
                .formatted(path)
                .getBytes(StandardCharsets.US_ASCII));
    var reader =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    String line = reader.readLine();
    int length = 0;
    for (String header = reader.readLine(); header != null && !header.isEmpty(); ) {
      if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(header.substring(15).strip());
      }
      header = reader.readLine();
    }
    reader.skip(length);
    return line;
  }

  private static boolean isClosed(Socket socket) throws IOException {
    socket.setSoTimeout(10_000);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static void close(List<Socket> all) throws IOException {
    for (Socket socket : all) {
      socket.close();
    }
  }
}
