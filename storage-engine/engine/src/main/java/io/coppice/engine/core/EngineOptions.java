package io.coppice.engine.core;

import io.coppice.engine.clean.CleaningSettings;
import io.coppice.engine.device.DeviceIo;
import io.coppice.engine.device.DeviceSettings;
import io.coppice.engine.supply.Provisioning;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The options of an engine.
///
/// | Component | Meaning |
/// |---|---|
/// | `checkpointBytes` | log bytes after which a checkpoint is due |
/// | `checkpointRecords` | log records after which a checkpoint is due |
/// | `batchLimitInBytes` | payload at which no further command joins a batch; 4 KiB to 4 MiB |
/// | `readerThreads` | threads that read the device |
/// | `cleaning` | how the cleaner works |
/// | `mapMemoryBytes` | bytes that nodes of maps may take in memory, at least 32 KiB: about 3 GiB for each TiB written at random that is to be found without a read of its map |
/// | `device` | how the devices of a pool are used |
/// | `startsDegraded` | whether a pool that is kept on two devices is opened with one of them although nothing on that one says that the other has not gone on without it |
/// | `mirror` | file or block device of the second copy of a pool in a directory; null: there is none |
/// | `provisioning` | how files get their place on the file system |
public record EngineOptions(
    long checkpointBytes,
    long checkpointRecords,
    int batchLimitInBytes,
    int readerThreads,
    long mapMemoryBytes,
    CleaningSettings cleaning,
    DeviceSettings device,
    boolean startsDegraded,
    @Nullable Path mirror,
    Provisioning provisioning) {

  /// Least `mapMemoryBytes`.
  public static final long MIN_MAP_MEMORY = 32 << 10;

  public EngineOptions {
    if (checkpointBytes < 1
        || checkpointRecords < 1
        || batchLimitInBytes < 4096
        || batchLimitInBytes > 4 << 20
        || readerThreads < 1) {
      throw new IllegalArgumentException(
          "expected positive limits and a batch of 4 KiB to 4 MiB, got %d, %d, %d, %d"
              .formatted(checkpointBytes, checkpointRecords, batchLimitInBytes, readerThreads));
    }
    if (mapMemoryBytes < MIN_MAP_MEMORY) {
      throw new IllegalArgumentException(
          "expected at least %d bytes for nodes of maps, got %d"
              .formatted(MIN_MAP_MEMORY, mapMemoryBytes));
    }
  }

  /// Replay stays below about 2 seconds; batches of 2 MiB; 256 MiB for maps.
  public static EngineOptions defaults() {
    return new EngineOptions(
        256L << 20,
        100_000,
        2 << 20,
        16,
        256L << 20,
        CleaningSettings.defaults(),
        DeviceSettings.defaults(),
        false,
        null,
        Provisioning.sparse());
  }

  /// Most bytes of direct memory that the threads of a pool take, beside that of callers: a zone of
  /// the cleaner (64 MiB), the scrubber's window (5), batches and checkpoints (5), two queues of
  /// reads (14), the preparation of zones (4), the copies that calls of two devices have until they
  /// end (64) and 8 for rare uses; and for each reader a transfer and a node (2).
  public long bufferBytes() {
    return (164L + 2L * readerThreads) << 20;
  }

  public EngineOptions withCheckpointBytes(long bytes) {
    return new EngineOptions(
        bytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        cleaning,
        device,
        startsDegraded,
        mirror,
        provisioning);
  }

  public EngineOptions withCheckpointRecords(long records) {
    return new EngineOptions(
        checkpointBytes,
        records,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        cleaning,
        device,
        startsDegraded,
        mirror,
        provisioning);
  }

  public EngineOptions withBatchLimitInBytes(int bytes) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        bytes,
        readerThreads,
        mapMemoryBytes,
        cleaning,
        device,
        startsDegraded,
        mirror,
        provisioning);
  }

  public EngineOptions withReaderThreads(int threads) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        threads,
        mapMemoryBytes,
        cleaning,
        device,
        startsDegraded,
        mirror,
        provisioning);
  }

  public EngineOptions withMapMemoryBytes(long bytes) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        bytes,
        cleaning,
        device,
        startsDegraded,
        mirror,
        provisioning);
  }

  public EngineOptions withCleaning(CleaningSettings how) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        how,
        device,
        startsDegraded,
        mirror,
        provisioning);
  }

  public EngineOptions withDevice(DeviceSettings how) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        cleaning,
        how,
        startsDegraded,
        mirror,
        provisioning);
  }

  public EngineOptions withDeviceIo(DeviceIo how) {
    return withDevice(device.withReads(how));
  }

  public EngineOptions withStartsDegraded(boolean vouched) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        cleaning,
        device,
        vouched,
        mirror,
        provisioning);
  }

  public EngineOptions withMirror(@Nullable Path file) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        cleaning,
        device,
        startsDegraded,
        file,
        provisioning);
  }

  public EngineOptions withProvisioning(Provisioning how) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        cleaning,
        device,
        startsDegraded,
        mirror,
        how);
  }
}
