package io.coppice.admin.metrics;

import io.prometheus.metrics.model.snapshots.Labels;

/// The label `op` of reads and writes.
final class Op {

  static final Labels READ = Labels.of("op", "read");
  static final Labels WRITE = Labels.of("op", "write");

  private Op() {}
}
