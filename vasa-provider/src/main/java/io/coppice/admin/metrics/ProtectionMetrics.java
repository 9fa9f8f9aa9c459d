package io.coppice.admin.metrics;

import io.coppice.vasa.export.temporary.TemporaryExports;
import io.coppice.vasa.volume.bin.RecycleBin;
import org.springframework.stereotype.Component;

/// The part of protection that the pool knows: temporary exports, and what left the recycle bin
/// early.
@Component
final class ProtectionMetrics implements MetricSource {

  private final TemporaryExports exports;
  private final RecycleBin bin;

  ProtectionMetrics(TemporaryExports exports, RecycleBin bin) {
    this.exports = exports;
    this.bin = bin;
  }

  @Override
  public void addTo(Sheet sheet) {
    sheet.gauge("coppice_temporary_exports", "Exports that end by themselves.", exports.count());
    sheet.counter(
        "coppice_bin_purged_early_total",
        "Volumes and snapshots that left the recycle bin before their time, for their space.",
        bin.purgedEarly());
  }
}
