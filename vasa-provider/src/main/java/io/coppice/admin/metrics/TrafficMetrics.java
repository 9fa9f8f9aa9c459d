package io.coppice.admin.metrics;

import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.Traffic;
import io.prometheus.metrics.model.snapshots.Labels;

/// The metrics of reads and writes, which volumes and initiators have under names of their own.
///
/// @param prefix of the names, such as `coppice_volume`
/// @param commands says what the count of commands counts
record TrafficMetrics(String prefix, String commands) {

  private static final double NANOS_PER_SECOND = 1e9;

  void add(Sheet sheet, Labels labels, Traffic traffic) {
    Labels read = labels.merge(Op.READ);
    Labels write = labels.merge(Op.WRITE);
    sheet.counter(prefix + "_io_total", commands, traffic.reads(), read);
    sheet.counter(prefix + "_io_total", commands, traffic.writes(), write);
    String bytes = "Bytes that these commands were to read or write.";
    sheet.counter(prefix + "_bytes_total", bytes, traffic.bytesRead(), read);
    sheet.counter(prefix + "_bytes_total", bytes, traffic.bytesWritten(), write);
    add(sheet, read, traffic.readTime());
    add(sheet, write, traffic.writeTime());
  }

  private void add(Sheet sheet, Labels labels, IoTime time) {
    String name = prefix + "_phase_seconds_total";
    String help = "Time of these commands from their arrival to their answer, by phase, added up.";
    sheet.counter(name, help, time.deviceNanos() / NANOS_PER_SECOND, labels.merge(Op.DEVICE));
    sheet.counter(name, help, time.queueNanos() / NANOS_PER_SECOND, labels.merge(Op.QUEUE));
    sheet.counter(name, help, time.limitNanos() / NANOS_PER_SECOND, labels.merge(Op.LIMIT));
  }
}
