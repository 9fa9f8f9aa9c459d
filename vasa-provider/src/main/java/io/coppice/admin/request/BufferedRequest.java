package io.coppice.admin.request;

import io.coppice.admin.access.AdminToken;
import io.coppice.admin.problem.RequestRejectedException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/// A request whose body is in memory, so that it can be compared before it is used.
final class BufferedRequest extends HttpServletRequestWrapper {

  /// Longest body, in bytes.
  static final int MAX_BYTES = 256 << 10;

  private static final String BODY = BufferedRequest.class.getName() + ".body";

  private final byte[] body;

  private BufferedRequest(HttpServletRequest request, byte[] body) {
    super(request);
    this.body = body;
  }

  /// @throws RequestRejectedException if the body is longer than [#MAX_BYTES], or breaks off
  static BufferedRequest of(HttpServletRequest request) {
    byte[] body =
        request.getContentLengthLong() > MAX_BYTES ? new byte[MAX_BYTES + 1] : read(request);
    if (body.length > MAX_BYTES) {
      throw new RequestRejectedException(
          HttpStatus.CONTENT_TOO_LARGE,
          "too-large",
          null,
          "expected a body of at most %d bytes, got more".formatted(MAX_BYTES));
    }
    request.setAttribute(BODY, body);
    return new BufferedRequest(request, body);
  }

  /// The body of a request that was read; null if it was not.
  static byte @Nullable [] bodyOf(HttpServletRequest request) {
    return (byte[]) request.getAttribute(BODY);
  }

  private static byte[] read(HttpServletRequest request) {
    try {
      return request.getInputStream().readNBytes(MAX_BYTES + 1);
    } catch (IOException e) {
      throw new RequestRejectedException(
          HttpStatus.BAD_REQUEST,
          "unfinished-body",
          null,
          "expected the whole body, got a part of it or a chunk that is none");
    }
  }

  /// Equal for equal requests: method, path, query and body.
  byte[] fingerprint() {
    MessageDigest digest = AdminToken.digest();
    for (String part : new String[] {getMethod(), getRequestURI(), getQueryString()}) {
      digest.update(String.valueOf(part).getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
    }
    return digest.digest(body);
  }

  @Override
  public ServletInputStream getInputStream() {
    return new Bytes(body);
  }

  @Override
  public BufferedReader getReader() {
    return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
  }

  private static final class Bytes extends ServletInputStream {
    private final ByteArrayInputStream in;

    Bytes(byte[] body) {
      in = new ByteArrayInputStream(body);
    }

    @Override
    public int read() {
      return in.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return in.read(into, offset, length);
    }

    @Override
    public boolean isFinished() {
      return in.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("requests of REST are read by blocking calls only");
    }
  }
}
