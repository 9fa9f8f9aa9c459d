package io.coppice.app.port;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.filter.OncePerRequestFilter;

/// The filter that keeps the two ports apart: `/vasa/` is only on the one, everything else only on
/// the other. It refuses bodies over the VASA port's limit before they are read. It ends requests
/// of either port that take too long to arrive, head and body together.
public final class VasaPortFilter extends OncePerRequestFilter {

  private static final String VASA = "/vasa/";

  /// Most bytes to linger for. A client that reads while it sends has seen its answer long before.
  private static final long LINGER_BYTES = 16L << 20;

  /// Pause for each byte that was read: all of [#LINGER_BYTES] take four seconds. A client whose
  /// one thread sends and reads comes to its answer only when it cannot send on, so the buffers
  /// between must fill up.
  private static final double LINGER_NANOS_A_BYTE = 4e9 / LINGER_BYTES;

  private static final Logger log = LoggerFactory.getLogger(VasaPortFilter.class);

  private final IntSupplier vasaPort;
  private final long mostBytes;
  private final Duration mostTime;
  private final Duration mostTimeOfManagement;

  public VasaPortFilter(
      IntSupplier vasaPort, long mostBytes, Duration mostTime, Duration mostTimeOfManagement) {
    this.vasaPort = vasaPort;
    this.mostBytes = mostBytes;
    this.mostTime = mostTime;
    this.mostTimeOfManagement = mostTimeOfManagement;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) != null) {
      if (!response.isCommitted()) { // else nothing can be added to it
        chain.doFilter(request, response);
      }
      return;
    }
    boolean vasaPort = request.getLocalPort() == this.vasaPort.getAsInt();
    Limited limited =
        vasaPort
            ? new Limited(request, mostBytes, mostTime)
            : new Limited(request, Long.MAX_VALUE, mostTimeOfManagement);
    serve(limited, vasaPort, response, chain);
    if (limited.hasMore()) {
      linger(limited, response);
    }
  }

  private void serve(
      Limited request, boolean vasaPort, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (path(request).startsWith(VASA) != vasaPort) {
      answer(
          response, HttpServletResponse.SC_NOT_FOUND, "there is nothing at this path on this port");
    } else if (request.getContentLengthLong() > request.mostBytes) {
      answer(
          response,
          HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
          "expected a request of at most %d bytes, got %d"
              .formatted(request.mostBytes, request.getContentLengthLong()));
    } else {
      chain.doFilter(request, response);
    }
  }

  @Override
  protected boolean shouldNotFilterErrorDispatch() {
    return false;
  }

  /// Reads the unwanted rest for a while. A connection that is closed over unread bytes is reset,
  /// which takes the answer from a client that is still sending. The reading is slow, so that the
  /// client gets to its answer meanwhile. It ends after [#LINGER_BYTES], or when the request's time
  /// is over; the rest is not waited for.
  private static void linger(Limited request, HttpServletResponse response) throws IOException {
    response.flushBuffer();
    byte[] unwanted = new byte[1 << 16];
    long left = LINGER_BYTES;
    try {
      InputStream in = request.getRequest().getInputStream();
      while (left > 0 && !request.isLate()) {
        int n = in.read(unwanted);
        left -= n < 0 ? left : n;
        LockSupport.parkNanos((long) (n * LINGER_NANOS_A_BYTE));
      }
    } catch (IOException _) {
      // The client has gone, or stalls.
    }
    if (request.hasMore()) {
      UnreadBodies.leave(request.getRequest());
    }
  }

  /// The path as servlets are chosen by it: decoded and normalised, unlike the raw URI.
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

  /// A request whose body ends with an error at its limits: the length, for bodies that do not
  /// announce it, and the time since the request began.
  private static final class Limited extends HttpServletRequestWrapper {

    private final long mostBytes;
    private final Duration mostTime;
    private final long began;
    private boolean tooLate;

    Limited(HttpServletRequest request, long mostBytes, Duration mostTime) {
      super(request);
      this.mostBytes = mostBytes;
      this.mostTime = mostTime;
      began = UnreadBodies.began(request);
    }

    /// Whether a part of the body was not read, and may not have come.
    private boolean hasMore() throws IOException {
      return !getRequest().getInputStream().isFinished();
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      return new LimitedStream(super.getInputStream(), this);
    }

    private IOException tooLong() {
      return new IOException(
          "expected a request of at most %d bytes, got more".formatted(mostBytes));
    }

    private IOException tooLate() {
      UnreadBodies.leave(getRequest());
      String sentence =
          "expected the whole request within %d s, got a part of it"
              .formatted(mostTime.toSeconds());
      if (!tooLate) { // whoever reads may ask again
        tooLate = true;
        log.atInfo().addKeyValue("address", getRemoteAddr()).log(sentence);
      }
      return new IOException(sentence);
    }

    private boolean isLate() {
      return System.nanoTime() - began > mostTime.toNanos();
    }
  }

  private static final class LimitedStream extends ServletInputStream {

    private final ServletInputStream in;
    private final Limited limits;
    private long left;

    LimitedStream(ServletInputStream in, Limited limits) {
      this.in = in;
      this.limits = limits;
      this.left = limits.mostBytes;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /// Reads with patience: the port waits as long for a sender that stops, which is the same time.
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (limits.tooLate) {
        throw limits.tooLate();
      }
      try {
        int n = in.read(bytes, offset, length);
        if (n > 0) {
          count(n);
        }
        return n;
      } catch (IOException e) {
        throw isTimeout(e) ? limits.tooLate() : e;
      }
    }

    private static boolean isTimeout(IOException e) {
      return e instanceof SocketTimeoutException || e.getCause() instanceof SocketTimeoutException;
    }

    private void count(int bytes) throws IOException {
      left -= bytes;
      if (left < 0) {
        throw limits.tooLong();
      }
      if (limits.isLate()) {
        throw limits.tooLate();
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
