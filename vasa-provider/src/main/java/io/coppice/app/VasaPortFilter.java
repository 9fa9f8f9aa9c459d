package io.coppice.app;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.IntSupplier;
import org.springframework.web.filter.OncePerRequestFilter;

/// Keeps the two ports apart (`/vasa/` only on the one, everything else only on the other) and
/// refuses bodies over the limit before they are read.
final class VasaPortFilter extends OncePerRequestFilter {

  private static final String VASA = "/vasa/";

  private final IntSupplier vasaPort;
  private final long mostBytes;

  VasaPortFilter(IntSupplier vasaPort, long mostBytes) {
    this.vasaPort = vasaPort;
    this.mostBytes = mostBytes;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    boolean vasa = path(request).startsWith(VASA);
    if (vasa != (request.getLocalPort() == vasaPort.getAsInt())) {
      answer(
          response, HttpServletResponse.SC_NOT_FOUND, "there is nothing at this path on this port");
      return;
    }
    if (!vasa) {
      chain.doFilter(request, response);
      return;
    }
    if (request.getContentLengthLong() > mostBytes) {
      answer(
          response,
          HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
          "expected a request of at most %d bytes, got %d"
              .formatted(mostBytes, request.getContentLengthLong()));
      return;
    }
    chain.doFilter(new Limited(request, mostBytes), response);
  }

  /// Decoded and normalised: what the servlets are chosen by. The raw URI may look different.
  static String path(HttpServletRequest request) {
    String inServlet = request.getPathInfo();
    return request.getServletPath() + (inServlet == null ? "" : inServlet);
  }

  private static void answer(HttpServletResponse response, int status, String sentence)
      throws IOException {
    response.setStatus(status);
    response.setContentType("text/plain;charset=UTF-8");
    response.setHeader("Connection", "close");
    response.getWriter().println(sentence);
  }

  /// A request whose body ends with an error at the limit, for those that do not tell their length.
  private static final class Limited extends HttpServletRequestWrapper {

    private final long most;

    Limited(HttpServletRequest request, long most) {
      super(request);
      this.most = most;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      return new LimitedStream(super.getInputStream(), most);
    }
  }

  private static final class LimitedStream extends ServletInputStream {

    private final ServletInputStream in;
    private final long most;
    private long left;

    LimitedStream(ServletInputStream in, long most) {
      this.in = in;
      this.most = most;
      this.left = most;
    }

    @Override
    public int read() throws IOException {
      int next = in.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int n = in.read(bytes, offset, length);
      count(Math.max(n, 0));
      return n;
    }

    private void count(int bytes) throws IOException {
      left -= bytes;
      if (left < 0) {
        throw new IOException("expected a request of at most %d bytes, got more".formatted(most));
      }
    }

    @Override
    public boolean isFinished() {
      return in.isFinished();
    }

    @Override
    public boolean isReady() {
      return in.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      in.setReadListener(listener);
    }
  }
}
