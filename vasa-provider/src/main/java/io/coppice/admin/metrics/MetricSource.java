package io.coppice.admin.metrics;

/// A source of metrics about one part of the system.
interface MetricSource {

  /// Adds the figures of now. Answers from memory and does not wait.
  void addTo(Sheet sheet);
}
