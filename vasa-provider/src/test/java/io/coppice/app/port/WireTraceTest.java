package io.coppice.app.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTraceTest {

  @Test
  void secretsAreTakenOutWhateverTheirPrefixAndNothingElse() {
    String body =
        "<ns:providerUserName>vasa</ns:providerUserName><ns:providerPassword>p&amp;w</ns:providerPassword><password"
            + " xmlns=\"x\">old</password><d:sessionId>abc</d:sessionId>";

    assertThat(redacted(body))
        .isEqualTo(
            "<ns:providerUserName>vasa</ns:providerUserName><ns:providerPassword>(redacted)</ns:providerPassword><password"
                + " xmlns=\"x\">(redacted)</password><d:sessionId>(redacted)</d:sessionId>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<password><![CDATA[SECRET]]></password>",
        "<password>a<![CDATA[b</password>SECRET]]></password>",
        "<password><!-- </password> -->SECRET</password>",
        "<password><?x </password> ?>SECRET</password>",
        "<password>a<b>c</b>SECRET</password>",
        "<password>a<password/>SECRET</password>",
        "<password a='/>'>SECRET</password>",
        "<password a=\"x>y\">SECRET</password>",
        "<PASSWORD\n>SECRET</PASSWORD>",
        "<password>SECRET",
        "<password>a<![CDATA[SECRET",
        "<!-- <password a=\" --><password>SECRET</password> \"",
        "<password/><password>SECRET</password>",
      })
  void secretsAreTakenOutHoweverTheyAreWritten(String body) {
    assertThat(redacted("<before/>" + body + "<after/>"))
        .startsWith("<before/>")
        .contains("(redacted)")
        .doesNotContain("SECRET");
  }

  @Test
  void whatFollowsASecretStays() {
    assertThat(redacted("<password><![CDATA[x]]></password><after>text</after>"))
        .isEqualTo("<password>(redacted)</password><after>text</after>");
    assertThat(redacted("<password/><after>text</after>"))
        .isEqualTo("<password/><after>text</after>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-32BE", "IBM1047"})
  void bodyInAnotherEncodingIsLeftOut(String charset) {
    byte[] body = "<password>SECRET</password>".getBytes(Charset.forName(charset));

    assertThat(Redaction.of(body, "text/xml"))
        .isEqualTo("(%d bytes that are not plain UTF-8, left out)".formatted(body.length));
  }

  @Test
  void bodyThatSaysAnotherEncodingIsLeftOut() {
    byte[] body = "<password>SECRET</password>".getBytes(StandardCharsets.UTF_8);

    assertThat(Redaction.of(body, "text/xml; charset=UTF-7")).doesNotContain("password");
    assertThat(redacted("<?xml version='1.0' encoding='IBM1047'?><a/>")).contains("left out");
    assertThat(redacted("--x\r\nContent-Transfer-Encoding: base64\r\n\r\nPGE+\r\n--x--"))
        .contains("left out");
    assertThat(Redaction.of(body, "text/xml; charset=\"utf-8\"")).contains("(redacted)");
    assertThat(redacted("--x\r\nContent-Transfer-Encoding: 8bit\r\n\r\n<a/>\r\n--x--"))
        .contains("<a/>");
  }

  private static String redacted(String body) {
    return Redaction.of(body.getBytes(StandardCharsets.UTF_8), "text/xml");
  }
}
