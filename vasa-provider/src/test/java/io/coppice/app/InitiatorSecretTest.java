package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A CHAP secret that was set by REST, seen by an initiator that logs in.
class InitiatorSecretTest {

  private static final String INITIATOR = "iqn.2026-11.test:secretive";
  private static final int SUCCESS = 0x0000;
  private static final int AUTHENTICATION_FAILED = 0x0201;

  @TempDir Path home;

  @Test
  void loginNeedsTheSecretFromWhenItIsSetUntilItIsRemoved() throws Exception {
    try (TestProvider provider = TestProvider.start(home).ready()) {
      String token = Files.readString(home.resolve("admin.token")).strip();
      var rest = new VasaClient(provider.managementPort(), null);
      String path = "/api/v1/initiators/" + INITIATOR + "/chap";
      int port = provider.bean(DataPlane.class).portals().getFirst().getPort();
      assertThat(login(port, INITIATOR)).isEqualTo(SUCCESS);

      assertThat(rest.rest("PUT", path, token, "{\"secret\": \"correct horse battery\"}"))
          .isEqualTo(204);
      assertThat(login(port, INITIATOR)).isEqualTo(AUTHENTICATION_FAILED);
      assertThat(login(port, INITIATOR + "2")).isEqualTo(SUCCESS);

      assertThat(rest.rest("DELETE", path, token, "")).isEqualTo(204);
      assertThat(login(port, INITIATOR)).isEqualTo(SUCCESS);
    }
  }

  /// Asks for a discovery session without authentication (RFC 7143 §11.12).
  ///
  /// @return status class and detail of the answer
  private static int login(int port, String initiator) throws Exception {
    byte[] keys =
        "InitiatorName=%s\0SessionType=Discovery\0AuthMethod=None\0"
            .formatted(initiator)
            .getBytes(StandardCharsets.US_ASCII);
    ByteBuffer request = ByteBuffer.allocate(48 + (keys.length + 3) / 4 * 4);
    request.put(0, (byte) 0x43); // login, immediate
    request.put(1, (byte) 0x81); // transit from security to operational negotiation
    request.putInt(4, keys.length);
    request.put(8, (byte) 0x80); // a random ISID
    request.putInt(16, 1); // initiator task tag
    request.position(48).put(keys);
    try (var socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.array());
      byte[] header = new byte[48];
      new DataInputStream(socket.getInputStream()).readFully(header);
      assertThat(header[0]).as("opcode of a login response").isEqualTo((byte) 0x23);
      return ByteBuffer.wrap(header).getShort(36);
    }
  }
}
