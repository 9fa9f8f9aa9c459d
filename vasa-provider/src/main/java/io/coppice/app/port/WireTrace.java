package io.coppice.app.port;

import io.coppice.engine.files.OwnerOnly;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingRequestWrapper;
import org.springframework.web.util.ContentCachingResponseWrapper;

/// The trace of the VASA port: a file, readable by us alone, with every request and its reply,
/// without passwords and session ids. It is switched on while a registration fails.
public final class WireTrace extends OncePerRequestFilter {

  private static final Logger log = LoggerFactory.getLogger(WireTrace.class);
  private static final int MOST_BYTES = 1 << 20;

  private final Path file;
  private final InstantSource clock;

  public WireTrace(Path file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var kept = new ContentCachingRequestWrapper(request, MOST_BYTES);
    var reply = new ContentCachingResponseWrapper(response);
    try {
      chain.doFilter(kept, reply);
    } finally {
      write(kept, reply);
      reply.copyBodyToResponse();
    }
  }

  private synchronized void write(
      ContentCachingRequestWrapper request, ContentCachingResponseWrapper response) {
    String entry =
        """
        ---- %s %s %s from %s, SOAPAction %s, Content-Type %s
        %s
        ---- reply %d, Content-Type %s
        %s

        """
            .formatted(
                clock.instant(),
                request.getMethod(),
                request.getRequestURI(),
                request.getRemoteAddr(),
                Optional.ofNullable(request.getHeader("SOAPAction")).orElse("none"),
                Optional.ofNullable(request.getContentType()).orElse("none"),
                Redaction.of(request.getContentAsByteArray(), request.getContentType()),
                response.getStatus(),
                Optional.ofNullable(response.getContentType()).orElse("none"),
                Redaction.of(response.getContentAsByteArray(), response.getContentType()));
    try {
      Files.writeString(OwnerOnly.createFile(file), entry, StandardOpenOption.APPEND);
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log("the wire trace cannot be written");
    }
  }
}
