package io.coppice.app.tool.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SubjectNamesTest {

  private static final SubjectNames NAMES =
      new SubjectNames(
          List.of("vp.example.org", "*.lab.example.org", "10.0.0.7", "fe80:0:0:0:0:0:0:1"));

  @Test
  void aNameIsComparedWithoutItsCase() {
    assertThat(NAMES.include("VP.example.ORG")).isTrue();
    assertThat(NAMES.include("vp2.example.org")).isFalse();
  }

  @Test
  void aStarStandsForOneLabel() {
    assertThat(NAMES.include("a.lab.example.org")).isTrue();
    assertThat(NAMES.include("a.b.lab.example.org")).isFalse();
    assertThat(NAMES.include("lab.example.org")).isFalse();
  }

  @Test
  void anAddressIsComparedAsAnAddress() {
    assertThat(NAMES.include("10.0.0.7")).isTrue();
    assertThat(NAMES.include("fe80::1")).isTrue();
    assertThat(NAMES.include("10.0.0.8")).isFalse();
  }

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
