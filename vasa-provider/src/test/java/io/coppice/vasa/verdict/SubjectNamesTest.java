package io.coppice.vasa.verdict;

import static org.assertj.core.api.Assertions.assertThat;

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
}
