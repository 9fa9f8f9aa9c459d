package io.coppice.admin.metrics;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The metrics, in the format that the client asks for: Prometheus's text or OpenMetrics.
@Hidden
@RestController
final class MetricsController {

  private static final ExpositionFormats FORMATS = ExpositionFormats.init();

  private final MetricsAccess access;
  private final PrometheusMeterRegistry registry;
  private final SystemMetrics system;
  private final VolumeMetrics volumes;
  private final HostMetrics hosts;

  MetricsController(
      MetricsAccess access,
      PrometheusMeterRegistry registry,
      SystemMetrics system,
      VolumeMetrics volumes,
      HostMetrics hosts) {
    this.access = access;
    this.registry = registry;
    this.system = system;
    this.volumes = volumes;
    this.hosts = hosts;
  }

  /// The whole system.
  @GetMapping("/metrics")
  ResponseEntity<byte[]> system(HttpServletRequest request) throws IOException {
    Reader reader = access.system(request);
    List<MetricSnapshot> all = new ArrayList<>(system.collect(reader));
    registry.getPrometheusRegistry().scrape().forEach(all::add);
    return answer(request, all);
  }

  /// Each volume and snapshot that exists for the reader.
  @GetMapping("/metrics/volumes")
  ResponseEntity<byte[]> volumes(HttpServletRequest request) throws IOException {
    return answer(request, volumes.collect(access.requireToken(request)));
  }

  /// Each initiator; nothing for a reader who is bound to containers.
  @GetMapping("/metrics/hosts")
  ResponseEntity<byte[]> hosts(HttpServletRequest request) throws IOException {
    return answer(request, hosts.collect(access.requireToken(request)));
  }

  private static ResponseEntity<byte[]> answer(
      HttpServletRequest request, List<MetricSnapshot> metrics) throws IOException {
    ExpositionFormatWriter format = FORMATS.findWriter(request.getHeader(HttpHeaders.ACCEPT));
    boolean zipped = takesGzip(request.getHeader(HttpHeaders.ACCEPT_ENCODING));
    var body = new ByteArrayOutputStream();
    try (OutputStream out = zipped ? new GZIPOutputStream(body) : body) {
      format.write(out, new MetricSnapshots(metrics));
    }
    ResponseEntity.BodyBuilder answer =
        ResponseEntity.ok()
            .cacheControl(CacheControl.noStore())
            .header(HttpHeaders.CONTENT_TYPE, format.getContentType())
            .header(HttpHeaders.VARY, HttpHeaders.ACCEPT, HttpHeaders.ACCEPT_ENCODING)
            .header("X-Content-Type-Options", "nosniff");
    if (zipped) {
      answer.header(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    return answer.body(body.toByteArray());
  }

  /// Whether gzip is named, and not with the weight 0 (RFC 9110 §12.5.3, Accept-Encoding).
  private static boolean takesGzip(@Nullable String encodings) {
    if (encodings == null) {
      return false;
    }
    for (String one : encodings.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = one.replace(" ", "").split(";", -1);
      if (parts[0].equals("gzip")) {
        return parts.length == 1 || !parts[1].matches("q=0(\\.0{0,3})?");
      }
    }
    return false;
  }
}
