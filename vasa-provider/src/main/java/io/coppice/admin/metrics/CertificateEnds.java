package io.coppice.admin.metrics;

import java.time.Instant;
import java.util.Map;

/// The ends of the certificates that this process serves, and of its own root.
@FunctionalInterface
public interface CertificateEnds {

  /// Ends by name: `vasa` and `management` are those of the two ports, `root` is our own.
  Map<String, Instant> now();
}
