package io.coppice.admin.metrics;

import io.coppice.engine.status.EngineCounters;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.status.PoolSpace;
import io.coppice.vasa.pool.Scrubbing;
import io.coppice.vasa.pool.StoragePool;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Locale;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// The pool: its space, its devices, damage, and the work of the engine.
@Component
@Order(1)
final class PoolMetrics implements MetricSource {

  private final StoragePool pool;
  private final Scrubbing scrubbing;

  PoolMetrics(StoragePool pool, Scrubbing scrubbing) {
    this.pool = pool;
    this.scrubbing = scrubbing;
  }

  @Override
  public void addTo(Sheet sheet) {
    addSpace(sheet, pool.space());
    pool.mirror().ifPresent(mirror -> addMirror(sheet, mirror));
    sheet.gauge(
        "coppice_scrub_bad_blocks",
        "Blocks of data of 4 KiB that are known to be damaged now.",
        scrubbing.status().badBlocks());
    sheet.gauge(
        "coppice_locked_snapshots",
        "Snapshots that nobody can delete now, because they are locked.",
        pool.lockedSnapshots());
    addEngine(sheet, pool.counters());
  }

  private static void addSpace(Sheet sheet, PoolSpace space) {
    sheet.gauge(
        "coppice_pool_capacity_bytes",
        "What volumes and metadata together may occupy.",
        space.capacity());
    sheet.gauge(
        "coppice_pool_used_bytes", "Data and metadata that some volume still needs.", space.used());
    sheet.gauge(
        "coppice_pool_reclaiming_bytes",
        "Freed by a delete or an overwrite, not yet writable again.",
        space.reclaiming());
    sheet.gauge(
        "coppice_pool_reserved_bytes",
        "Set aside for thick volumes beyond what they have stored.",
        space.reserved());
    sheet.gauge("coppice_pool_free_bytes", "What a thin write may still take.", space.free());
  }

  private static void addMirror(Sheet sheet, MirrorStatus mirror) {
    addDevice(sheet, "first", mirror.first());
    addDevice(sheet, "second", mirror.second());
  }

  private static void addDevice(Sheet sheet, String device, MirrorStatus.State now) {
    for (MirrorStatus.State state : MirrorStatus.State.values()) {
      sheet.gauge(
          "coppice_mirror_state",
          "1 for the state that a device of a pool on two devices is in, 0 for the others.",
          state == now ? 1 : 0,
          Labels.of("device", device, "state", state.name().toLowerCase(Locale.ROOT)));
    }
  }

  private static void addEngine(Sheet sheet, EngineCounters counters) {
    String device = "coppice_engine_device_bytes_total";
    String deviceHelp = "Read from the devices and handed to them, metadata included.";
    sheet.counter(device, deviceHelp, counters.deviceBytesRead(), Op.READ);
    sheet.counter(device, deviceHelp, counters.deviceBytesWritten(), Op.WRITE);
    String host = "coppice_engine_payload_bytes_total";
    String hostHelp = "Payload of the engine's completed reads and writes.";
    sheet.counter(host, hostHelp, counters.hostBytesRead(), Op.READ);
    sheet.counter(host, hostHelp, counters.hostBytesWritten(), Op.WRITE);
    sheet.counter(
        "coppice_engine_moved_bytes_total",
        "Moved by the cleaner, which makes zones free.",
        counters.bytesMoved());
    sheet.counter(
        "coppice_engine_batches_total",
        "Batches of the log that were made stable.",
        counters.batches());
    sheet.counter("coppice_engine_records_total", "Records in those batches.", counters.records());
    sheet.counter(
        "coppice_engine_pointer_copied_bytes_total",
        "Copied by pointer, so that nothing was read or written.",
        counters.bytesCopiedByPointer());
    sheet.counter(
        "coppice_engine_mended_copies_total",
        "Damaged copies of metadata that were written anew from the other one.",
        counters.copiesMended());
  }
}
