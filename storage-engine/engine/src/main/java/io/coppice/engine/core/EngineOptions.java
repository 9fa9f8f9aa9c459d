package io.coppice.engine.core;

import io.coppice.engine.device.DeviceIo;

/// How an engine runs.
///
/// | Component | Meaning |
/// |---|---|
/// | `checkpointBytes` | log bytes after which a checkpoint is due |
/// | `checkpointRecords` | log records after which a checkpoint is due |
/// | `batchLimitInBytes` | payload at which no further command joins a batch; 4 KiB to 4 MiB |
/// | `readerThreads` | threads that read the device |
/// | `cleanerStartPercent` | share of the pool's zones, 0 to 100: with fewer free ones the cleaner works, the faster the fewer; 0: only when a write waits for a zone |
/// | `cleanerMaxLivePercent` | a zone of which a larger share lives, 1 to 100, is cleaned only when a write waits for it |
/// | `mapMemoryBytes` | bytes that nodes of maps may take in memory, at least 32 KiB: about 3 GiB for each TiB written at random that is to be found without a read of its map |
/// | `cleanerIdlePauseMillis` | milliseconds, at least 1, between two pieces of 256 KiB that the cleaner copies while hosts write nothing |
/// | `deviceIo` | how a pool in a directory is read |
public record EngineOptions(
    long checkpointBytes,
    long checkpointRecords,
    int batchLimitInBytes,
    int readerThreads,
    long mapMemoryBytes,
    int cleanerStartPercent,
    int cleanerMaxLivePercent,
    int cleanerIdlePauseMillis,
    DeviceIo deviceIo) {

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
    if (cleanerStartPercent < 0
        || cleanerStartPercent > 100
        || cleanerMaxLivePercent < 1
        || cleanerMaxLivePercent > 100
        || cleanerIdlePauseMillis < 1) {
      throw new IllegalArgumentException(
          "expected percents of 0 to 100 and 1 to 100 and a positive pause for the cleaner, got %d, %d, %d"
              .formatted(cleanerStartPercent, cleanerMaxLivePercent, cleanerIdlePauseMillis));
    }
  }

  /// Replay stays below about 2 seconds; batches of 2 MiB; 256 MiB for maps; cleaning from a
  /// quarter of the zones on.
  public static EngineOptions defaults() {
    return new EngineOptions(
        256L << 20, 100_000, 2 << 20, 16, 256L << 20, 25, 85, 20, DeviceIo.AUTO);
  }

  public EngineOptions withCheckpointBytes(long bytes) {
    return new EngineOptions(
        bytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        cleanerStartPercent,
        cleanerMaxLivePercent,
        cleanerIdlePauseMillis,
        deviceIo);
  }

  public EngineOptions withCheckpointRecords(long records) {
    return new EngineOptions(
        checkpointBytes,
        records,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        cleanerStartPercent,
        cleanerMaxLivePercent,
        cleanerIdlePauseMillis,
        deviceIo);
  }

  public EngineOptions withBatchLimitInBytes(int bytes) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        bytes,
        readerThreads,
        mapMemoryBytes,
        cleanerStartPercent,
        cleanerMaxLivePercent,
        cleanerIdlePauseMillis,
        deviceIo);
  }

  public EngineOptions withReaderThreads(int threads) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        threads,
        mapMemoryBytes,
        cleanerStartPercent,
        cleanerMaxLivePercent,
        cleanerIdlePauseMillis,
        deviceIo);
  }

  public EngineOptions withMapMemoryBytes(long bytes) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        bytes,
        cleanerStartPercent,
        cleanerMaxLivePercent,
        cleanerIdlePauseMillis,
        deviceIo);
  }

  /// As the table says, in its order.
  public EngineOptions withCleaner(int startPercent, int maxLivePercent, int idlePauseMillis) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        startPercent,
        maxLivePercent,
        idlePauseMillis,
        deviceIo);
  }

  public EngineOptions withDeviceIo(DeviceIo how) {
    return new EngineOptions(
        checkpointBytes,
        checkpointRecords,
        batchLimitInBytes,
        readerThreads,
        mapMemoryBytes,
        cleanerStartPercent,
        cleanerMaxLivePercent,
        cleanerIdlePauseMillis,
        how);
  }
}
