package io.coppice.app.tool.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The health check of the image.
class HealthCommandTest {

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private int run(String... settings) {
    return HealthCommand.run(
        List.of(settings), new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void portsThatDoNotAnswerAreSaidInOneLine() throws IOException {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }

    assertThat(run("--coppice.iscsi.port=" + port)).isEqualTo(1);

    assertThat(said()).startsWith("the iSCSI portal 127.0.0.1:" + port).hasLineCount(1);
  }

  @Test
  void aPortThatTakesConnectionsIsWell() throws IOException {
    try (var portal = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = "--coppice.iscsi.port=" + portal.getLocalPort();

      assertThat(run(port, "--coppice.vasa.port=0", "--coppice.management.port=0")).isZero();
    }
  }

  @Test
  void aSettingThatCannotBeUsedIsSaid() {
    assertThat(run("--coppice.iscsi.prot=1")).isEqualTo(1);

    assertThat(said()).contains("coppice.iscsi.port").hasLineCount(1);
  }
}
