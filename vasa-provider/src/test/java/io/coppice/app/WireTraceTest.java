package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class WireTraceTest {

  @Test
  void secretsAreTakenOutWhateverTheirPrefixAndNothingElse() {
    String body =
        "<ns:providerUserName>vasa</ns:providerUserName><ns:providerPassword>p&amp;w</ns:providerPassword>"
            + "<password xmlns=\"x\">old</password><d:sessionId>abc</d:sessionId>";

    String redacted = WireTrace.redacted(body.getBytes(StandardCharsets.UTF_8));

    assertThat(redacted)
        .isEqualTo(
            "<ns:providerUserName>vasa</ns:providerUserName><ns:providerPassword>(redacted)</ns:providerPassword>"
                + "<password xmlns=\"x\">(redacted)</password><d:sessionId>(redacted)</d:sessionId>");
  }
}
