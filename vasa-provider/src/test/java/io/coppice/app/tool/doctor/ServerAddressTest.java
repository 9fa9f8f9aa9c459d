package io.coppice.app.tool.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerAddressTest {

  @Test
  void aServerIsAHostWithOrWithoutAPort() {
    assertThat(ServerAddress.parse("vc", 443)).isEqualTo(new ServerAddress("vc", 443));
    assertThat(ServerAddress.parse("https://vc:8443/sdk", 443))
        .isEqualTo(new ServerAddress("vc", 8443));
    assertThat(ServerAddress.parse("[fe80::1]:9", 443)).isEqualTo(new ServerAddress("fe80::1", 9));
    assertThat(ServerAddress.parse("fe80::1", 443)).isEqualTo(new ServerAddress("fe80::1", 443));
    for (String wrong : List.of("", "vc:", "vc:0", "vc:x", ":443", "vc:70000")) {
      assertThatThrownBy(() -> ServerAddress.parse(wrong, 443))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected HOST");
    }
  }
}
