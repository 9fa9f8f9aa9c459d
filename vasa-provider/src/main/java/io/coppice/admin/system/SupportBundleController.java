package io.coppice.admin.system;

import io.coppice.admin.SupportBundles;
import io.coppice.admin.access.AuditedRead;
import io.coppice.admin.access.FileAnswer;
import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The support bundle of this provider. Needs no database.
///
/// It is gathered into a file first: then it is whole, or the caller learns why there is none. One
/// at a time, until it is sent: it costs time of a processor and room for the file.
@RestController
final class SupportBundleController {

  private static final String ZIP = "application/zip";

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'coppice-support-'yyyyMMdd'T'HHmmss'Z.zip'")
          .withZone(ZoneOffset.UTC);

  private final SupportBundles bundles;
  private final InstantSource clock;
  private final AtomicBoolean underWay = new AtomicBoolean();

  SupportBundleController(SupportBundles bundles, InstantSource clock) {
    this.bundles = bundles;
    this.clock = clock;
  }

  @GetMapping(path = "/support-bundle", produces = ZIP)
  @RequiredRole(Role.ADMIN)
  @AuditedRead
  @FileAnswer(ZIP)
  void bundle(HttpServletResponse response) throws IOException {
    if (!underWay.compareAndSet(false, true)) {
      throw RequestRejectedException.conflict(
          "bundle-under-way",
          null,
          "expected that no other support bundle is under way, found one: wait until it is sent");
    }
    try {
      Path file = bundles.make();
      try {
        send(file, response);
      } finally {
        Files.deleteIfExists(file);
      }
    } finally {
      underWay.set(false);
    }
  }

  private void send(Path file, HttpServletResponse response) throws IOException {
    response.setContentType(ZIP);
    response.setContentLengthLong(Files.size(file));
    response.setHeader(
        HttpHeaders.CONTENT_DISPOSITION,
        "attachment; filename=\"%s\"".formatted(NAME.format(clock.instant())));
    Files.copy(file, response.getOutputStream());
  }
}
