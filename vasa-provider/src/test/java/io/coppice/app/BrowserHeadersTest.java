package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The headers by which browsers guard the management port, in every kind of answer.
class BrowserHeadersTest {

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  @ParameterizedTest
  @CsvSource({
    "GET, /api/v1/version, 401",
    "GET, /api/v1/nothing, 401",
    "POST, /api/v1/session, 400",
    "GET, /assets/nothing.js, 404",
    "GET, /nothing, 404",
    "GET, /vasa/version.xml, 404",
    "GET, /../../etc/passwd, 400",
    "GET, /%00, 400",
    "GET, /livez, 200",
    "HEAD, /readyz, 200",
    "GET, /metrics, 401",
    "DELETE, /livez, 405",
    "OPTIONS, /api/v1/tokens, 401",
    "TRACE, /, 405",
    "BREW, /api/v1/tokens, 401",
  })
  void everyAnswerHasThem(String method, String path, int status) throws Exception {
    String answer = answer(provider.get().managementPort(), method, path);

    assertThat(answer).startsWith("http/1.1 " + status);
    for (String header :
        new String[] {
          "strict-transport-security: max-age=31536000",
          "content-security-policy: default-src 'none'",
          "frame-ancestors 'none'",
          "x-frame-options: deny",
          "referrer-policy: no-referrer",
          "x-content-type-options: nosniff",
          "cache-control: no-store"
        }) {
      assertThat(answer).contains(header);
      String name = header.substring(0, header.indexOf(' '));
      assertThat(answer.split("\r\n" + name, -1)).as(name).hasSizeLessThanOrEqualTo(2);
    }
  }

  /// The page itself may be kept by the browser, which asks each time whether it is the newest one.
  @ParameterizedTest
  @ValueSource(strings = {"/", "/ui", "/ui/", "/ui/volumes", "/ui/a/b?c=%00"})
  void thePageOfTheUiHasThem(String path) throws Exception {
    String answer = answer(provider.get().managementPort(), "GET", path);

    if (getClass().getResource("/ui/index.html") == null) {
      assertThat(answer)
          .startsWith("http/1.1 404")
          .contains("cache-control: no-store", "install node.js 20.19 or newer");
    } else {
      assertThat(answer)
          .startsWith("http/1.1 200")
          .contains("cache-control: no-cache", "content-type: text/html", "<div id=\"root\">");
    }
    assertThat(answer)
        .contains("content-security-policy: default-src 'none'", "x-content-type-options: nosniff")
        .doesNotContain("<style", "javascript:", "<script>");
  }

  @Test
  void theVasaPortHasNone() throws Exception {
    assertThat(answer(provider.get().vasaPort(), "GET", "/vasa/version.xml"))
        .startsWith("http/1.1 200")
        .doesNotContain("strict-transport-security");
  }

  /// The head and the body of an answer, in small letters.
  private static String answer(int port, String method, String path) throws Exception {
    try (Socket socket = new VasaClient(port, null).connect()) {
      socket.setSoTimeout(30_000);
      socket
          .getOutputStream()
          .write(
              "%s %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                  .formatted(method, path)
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .toLowerCase(Locale.ROOT);
    }
  }
}
