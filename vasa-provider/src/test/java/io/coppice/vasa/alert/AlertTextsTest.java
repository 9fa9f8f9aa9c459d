package io.coppice.vasa.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AlertTextsTest {

  private final AlertTexts texts = new AlertTexts();

  @Test
  void eachMessageHasAllThreeSentences() {
    assertThat(texts.messages()).hasSizeGreaterThan(15);
    for (String message : texts.messages()) {
      AlertTexts.Sentences found = texts.of(message, Map.of());
      assertThat(found.effect()).as(message).endsWith(".").doesNotContain("{");
      assertThat(found.remedy()).as(message).endsWith(".").doesNotContain("{");
      assertThat(found.cause()).as(message).matches(".*(\\.|\\{what})");
    }
  }

  @Test
  void parametersStandInTheirPlaces() {
    assertThat(texts.of("PoolSpace", Map.of("percent", "$1\\")).cause())
        .isEqualTo("The pool is $1\\ % full.");
  }

  @Test
  void anUnknownMessageIsShownAsItsKey() {
    assertThat(texts.of("Newer", Map.of()).remedy()).isEqualTo("io.coppice.alert.Newer");
  }
}
