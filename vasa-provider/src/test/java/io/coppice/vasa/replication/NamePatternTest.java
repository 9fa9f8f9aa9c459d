package io.coppice.vasa.replication;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.fault.VasaException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class NamePatternTest {

  @Test
  void wholeNamesAreCompared() {
    assertThat(NamePattern.of("noon|night").matches("noon")).isTrue();
    assertThat(NamePattern.of("noon").matches("afternoon")).isFalse();
    assertThat(NamePattern.of("").matches("")).isTrue();
    assertThat(NamePattern.of("daily-[0-9]+").matches("daily-20261122")).isTrue();
  }

  @Test
  void whatIsNoExpressionOrTooLongIsRefused() {
    for (String bad : new String[] {"(", "[a", "a{2,1}", "*", "\\", "(?<n>a)(?<n>b)"}) {
      assertFault("InvalidArgument", () -> NamePattern.of(bad));
    }
    assertFault("InvalidArgument", () -> NamePattern.of("a".repeat(257)));
    assertThat(NamePattern.of("a".repeat(256)).matches("a".repeat(256))).isTrue();
  }

  @Test
  @Timeout(60)
  void expressionThatWouldTakeForEverIsGivenUp() {
    for (String evil : new String[] {".*.*.*.*x", "(a|aa)+(b|\\1c)"}) {
      assertFault("InvalidArgument", () -> NamePattern.of(evil).matches("a".repeat(200)));
    }
  }

  @Test
  @Timeout(60)
  void anyTextIsAnExpressionOrRefused() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    String letters = "ab()[]{}*+?|\\^$.-0129,<>:=!&";
    for (int i = 0; i < 20_000; i++) {
      var text = new StringBuilder();
      int length = random.nextInt(30);
      for (int at = 0; at < length; at++) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      try {
        NamePattern.of(text.toString()).matches("aababbaab".repeat(10));
      } catch (VasaException e) {
        assertThat(e.fault().name()).as("seed %d, %s", seed, text).isEqualTo("InvalidArgument");
      }
    }
  }
}
