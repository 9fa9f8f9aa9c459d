package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.admin.IscsiPortals;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.scsi.directory.LunDirectory;
import java.io.DataInputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Several iSCSI portals of one process, and one of them drained by REST while the database is not
/// there yet.
class IscsiPortalsTest {

  private static final String INITIATOR = "iqn.2026-11.test:mover";
  private static final int SUCCESS = 0x0000;
  private static final int MOVED = 0x0101;
  private static final int NOT_FOUND = 0x0203;

  @TempDir Path home;

  private record Answer(int status, String text) {}

  @Test
  void aDrainedPortalSendsItsInitiatorsToTheOther() throws Exception {
    try (TestProvider provider =
        TestProvider.start(home, "--coppice.iscsi.portals=127.0.0.1:0,127.0.0.1:0")) {
      String token = Files.readString(home.resolve("admin.token")).strip();
      var rest = new VasaClient(provider.managementPort(), null);
      List<InetSocketAddress> portals = provider.bean(DataPlane.class).portals();
      assertThat(portals).hasSize(2);
      LunDirectory luns = provider.bean(LunDirectory.class);
      VolumeId volume = VolumeId.random();
      provider
          .bean(StorageEngine.class)
          .create(OperationId.random(), VolumeSpec.thin(volume, 1 << 20));
      luns.export(OperationId.random(), volume, Optional.empty(), false, Set.of(INITIATOR));
      int first = portals.get(0).getPort();
      assertThat(login(first, luns.plainTarget()).status()).isEqualTo(SUCCESS);

      assertThat(rest.rest("POST", "/api/v1/iscsi/portals/1/drain", token, "")).isEqualTo(200);

      Answer moved = login(first, luns.plainTarget());
      assertThat(moved.status()).isEqualTo(MOVED);
      assertThat(moved.text()).contains("TargetAddress=127.0.0.1:" + portals.get(1).getPort());
      assertThat(login(portals.get(1).getPort(), luns.plainTarget()).status()).isEqualTo(SUCCESS);
      assertThat(rest.rest("POST", "/api/v1/iscsi/portals/1/undrain", token, "")).isEqualTo(200);
      assertThat(login(first, luns.plainTarget()).status()).isEqualTo(SUCCESS);
      assertThat(rest.rest("GET", "/api/v1/iscsi", token, "")).isEqualTo(200);

      assertThat(login(first, "iqn.2026-11.test:nothing").status()).isEqualTo(NOT_FOUND);
      assertThat(rest.rest("GET", "/api/v1/iscsi/refused-logins", token, "")).isEqualTo(200);
      assertThat(provider.bean(IscsiPortals.class).refusedLogins())
          .singleElement()
          .satisfies(
              refused -> {
                assertThat(refused.address()).isEqualTo("127.0.0.1");
                assertThat(refused.portal()).isEqualTo("127.0.0.1:" + first);
                assertThat(refused.initiator()).isEqualTo(INITIATOR);
                assertThat(refused.target()).isEqualTo("iqn.2026-11.test:nothing");
                assertThat(refused.status()).isEqualTo("0203");
                assertThat(refused.sentence()).isEqualTo("There is no target of this name here.");
                assertThat(refused.times()).isEqualTo(1);
              });
    }
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.1:3260, 10.0.0.1, 3260", "'[fd00::1]:0', fd00::1, 0", "host:1, host, 1"})
  void portalsAreAddressesAndPorts(String text, String address, int port) {
    assertThat(CoppiceProperties.Listen.parse(text))
        .isEqualTo(new CoppiceProperties.Listen(address, port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3260", "10.0.0.1", "fd00::1:3260", "a:70000", ":1", "[]:1", "a:x"})
  void whatIsNoPortalIsRefusedInASentence(String text) {
    assertThatThrownBy(() -> CoppiceProperties.Listen.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("coppice.iscsi.portals: expected ");
  }

  /// Logs in to a normal session without authentication, and leaves.
  private static Answer login(int port, String target) throws Exception {
    byte[] keys =
        "InitiatorName=%s\0TargetName=%s\0"
            .formatted(INITIATOR, target)
            .getBytes(StandardCharsets.US_ASCII);
    ByteBuffer request = ByteBuffer.allocate(48 + (keys.length + 3) / 4 * 4);
    request.put(0, (byte) 0x43); // login, immediate
    request.put(1, (byte) 0x87); // transit from operational negotiation to full feature phase
    request.putInt(4, keys.length);
    request.put(8, (byte) 0x80); // a random ISID
    request.putInt(16, 1); // initiator task tag
    request.position(48).put(keys);
    try (var socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.array());
      var in = new DataInputStream(socket.getInputStream());
      byte[] header = new byte[48];
      in.readFully(header);
      byte[] text = new byte[ByteBuffer.wrap(header).getInt(4) & 0xffffff];
      in.readFully(text);
      return new Answer(
          ByteBuffer.wrap(header).getShort(36), new String(text, StandardCharsets.US_ASCII));
    }
  }
}
