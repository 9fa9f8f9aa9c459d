package io.coppice.vasa.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EchoedTextTest {

  @Test
  void shortTextStaysAsItIs() {
    assertThat(EchoedText.of("rfc4122.ä", 100)).isEqualTo("rfc4122.ä");
  }

  @Test
  void longTextIsCutAndNotWithinACharacter() {
    assertThat(EchoedText.of("abcdef", 3)).isEqualTo("abc…");
    assertThat(EchoedText.of("ab\uD83D\uDE00cd", 3)).isEqualTo("ab…");
    assertThat(EchoedText.of("ab\uD83D\uDE00cd", 4)).isEqualTo("ab\uD83D\uDE00…");
  }

  @Test
  void linesBecomeOne() {
    assertThat(EchoedText.of("a\r\nb\tc", 100)).isEqualTo("a  b c");
  }
}
