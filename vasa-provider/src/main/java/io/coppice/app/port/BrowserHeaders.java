package io.coppice.app.port;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Map;
import java.util.function.IntSupplier;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/// The headers by which browsers guard the pages and answers of the management port. Every answer
/// has them, also one that no servlet makes. An answer may replace one of its own.
public final class BrowserHeaders extends ValveBase {

  private static final Map<String, String> HEADERS =
      Map.of(
          "Strict-Transport-Security",
          "max-age=31536000",
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
              + " font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none';"
              + " frame-ancestors 'none'",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "X-Content-Type-Options",
          "nosniff",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private final IntSupplier vasaPort;

  /// @param vasaPort the port whose clients are no browsers
  public BrowserHeaders(IntSupplier vasaPort) {
    super(true);
    this.vasaPort = vasaPort;
  }

  /// Sets the headers before the answer is made, and again after it: an error that nobody caught
  /// makes the container begin a new one, without them.
  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    if (request.getLocalPort() == vasaPort.getAsInt()) {
      getNext().invoke(request, response);
      return;
    }
    add(response);
    getNext().invoke(request, response);
    if (!response.isCommitted()) {
      add(response);
    }
  }

  private static void add(Response response) {
    HEADERS.forEach(
        (name, value) -> {
          if (!response.containsHeader(name)) {
            response.setHeader(name, value);
          }
        });
  }
}
