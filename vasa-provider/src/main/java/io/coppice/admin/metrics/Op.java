package io.coppice.admin.metrics;

import io.prometheus.metrics.model.snapshots.Labels;

/// The labels of reads and writes (`op`), and of the phases of their time (`phase`).
final class Op {

  static final Labels READ = Labels.of("op", "read");
  static final Labels WRITE = Labels.of("op", "write");

  static final Labels DEVICE = Labels.of("phase", "device");
  static final Labels QUEUE = Labels.of("phase", "queue");
  static final Labels LIMIT = Labels.of("phase", "limit");

  private Op() {}
}
