package io.coppice.engine.core;

/// How an engine runs.
///
/// | Component | Meaning |
/// |---|---|
/// | `checkpointBytes` | log bytes after which a checkpoint is due |
/// | `checkpointRecords` | log records after which a checkpoint is due |
/// | `batchLimitInBytes` | payload at which no further command joins a batch; 4 KiB to 1 MiB |
/// | `readerThreads` | threads that read the device |
public record EngineOptions(
    long checkpointBytes, long checkpointRecords, int batchLimitInBytes, int readerThreads) {

  public EngineOptions {
    if (checkpointBytes < 1
        || checkpointRecords < 1
        || batchLimitInBytes < 4096
        || batchLimitInBytes > 1 << 20
        || readerThreads < 1) {
      throw new IllegalArgumentException(
          "expected positive limits and a batch of 4 KiB to 1 MiB, got %d, %d, %d, %d"
              .formatted(checkpointBytes, checkpointRecords, batchLimitInBytes, readerThreads));
    }
  }

  /// Replay stays below about 2 seconds; batches of 256 KiB.
  public static EngineOptions defaults() {
    return new EngineOptions(256L << 20, 100_000, 256 << 10, 16);
  }

  public EngineOptions withCheckpointBytes(long bytes) {
    return new EngineOptions(bytes, checkpointRecords, batchLimitInBytes, readerThreads);
  }

  public EngineOptions withCheckpointRecords(long records) {
    return new EngineOptions(checkpointBytes, records, batchLimitInBytes, readerThreads);
  }

  public EngineOptions withBatchLimitInBytes(int bytes) {
    return new EngineOptions(checkpointBytes, checkpointRecords, bytes, readerThreads);
  }

  public EngineOptions withReaderThreads(int threads) {
    return new EngineOptions(checkpointBytes, checkpointRecords, batchLimitInBytes, threads);
  }
}
