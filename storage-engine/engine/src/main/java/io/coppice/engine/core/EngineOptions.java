package io.coppice.engine.core;

import io.coppice.engine.clean.CleaningSettings;
import io.coppice.engine.device.DeviceIo;
import io.coppice.engine.device.DeviceSettings;
import io.coppice.engine.supply.Provisioning;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The options that an engine runs with.
///
/// | Component | Meaning |
/// |---|---|
/// | `log` | limits of batches and checkpoints |
/// | `resources` | memory and threads that the engine may take |
/// | `cleaning` | how the cleaner works |
/// | `devices` | where the pool is kept, and how its devices are used |
public record EngineOptions(
    LogOptions log, ResourceOptions resources, CleaningSettings cleaning, DeviceOptions devices) {

  /// Least `mapMemoryBytes`.
  public static final long MIN_MAP_MEMORY = 32 << 10;

  /// Limits of batches and checkpoints.
  ///
  /// | Component | Meaning |
  /// |---|---|
  /// | `checkpointBytes` | log bytes after which a checkpoint is due |
  /// | `checkpointRecords` | log records after which a checkpoint is due |
  /// | `batchBytes` | payload at which no further command joins a batch; 4 KiB to 4 MiB |
  public record LogOptions(long checkpointBytes, long checkpointRecords, int batchBytes) {

    public LogOptions {
      if (checkpointBytes < 1
          || checkpointRecords < 1
          || batchBytes < 4096
          || batchBytes > 4 << 20) {
        throw new IllegalArgumentException(
            "expected positive limits and a batch of 4 KiB to 4 MiB, got %d, %d, %d"
                .formatted(checkpointBytes, checkpointRecords, batchBytes));
      }
    }
  }

  /// Memory and threads that an engine may take.
  ///
  /// | Component | Meaning |
  /// |---|---|
  /// | `readerThreads` | threads that read the device |
  /// | `mapMemoryBytes` | bytes that nodes of maps may take in memory, at least 32 KiB: about 3 GiB for each TiB written at random that is to be found without a read of its map |
  public record ResourceOptions(int readerThreads, long mapMemoryBytes) {

    public ResourceOptions {
      if (readerThreads < 1) {
        throw new IllegalArgumentException(
            "expected at least one reader thread, got %d".formatted(readerThreads));
      }
      if (mapMemoryBytes < MIN_MAP_MEMORY) {
        throw new IllegalArgumentException(
            "expected at least %d bytes for nodes of maps, got %d"
                .formatted(MIN_MAP_MEMORY, mapMemoryBytes));
      }
    }
  }

  /// Choice of where a pool is kept, and how its devices are used.
  ///
  /// | Component | Meaning |
  /// |---|---|
  /// | `settings` | how the devices are used |
  /// | `startsDegraded` | whether a pool that is kept on two devices is opened with one of them although nothing on that one says that the other has not gone on without it |
  /// | `mirror` | file or block device of the second copy of a pool in a directory; null: there is none |
  /// | `provisioning` | how files get their place on the file system |
  public record DeviceOptions(
      DeviceSettings settings,
      boolean startsDegraded,
      @Nullable Path mirror,
      Provisioning provisioning) {}

  /// Replay stays below about 2 seconds; batches of 2 MiB; 256 MiB for maps.
  public static EngineOptions defaults() {
    return new EngineOptions(
        new LogOptions(256L << 20, 100_000, 2 << 20),
        new ResourceOptions(16, 256L << 20),
        CleaningSettings.defaults(),
        new DeviceOptions(DeviceSettings.defaults(), false, null, Provisioning.sparse()));
  }

  /// Most bytes of direct memory that the threads of a pool take, beside that of callers: a zone of
  /// the cleaner (64 MiB), the scrubber's window (5), batches and checkpoints (5), two queues of
  /// reads (14), the preparation of zones (4), the copies that calls of two devices have until they
  /// end (64) and 8 for rare uses; and for each reader a transfer and a node (2).
  public long bufferBytes() {
    return (164L + 2L * resources.readerThreads) << 20;
  }

  public EngineOptions withCheckpointBytes(long bytes) {
    return with(new LogOptions(bytes, log.checkpointRecords, log.batchBytes));
  }

  public EngineOptions withCheckpointRecords(long records) {
    return with(new LogOptions(log.checkpointBytes, records, log.batchBytes));
  }

  public EngineOptions withBatchLimitInBytes(int bytes) {
    return with(new LogOptions(log.checkpointBytes, log.checkpointRecords, bytes));
  }

  public EngineOptions withReaderThreads(int threads) {
    return with(new ResourceOptions(threads, resources.mapMemoryBytes));
  }

  public EngineOptions withMapMemoryBytes(long bytes) {
    return with(new ResourceOptions(resources.readerThreads, bytes));
  }

  public EngineOptions withCleaning(CleaningSettings how) {
    return new EngineOptions(log, resources, how, devices);
  }

  public EngineOptions withDevice(DeviceSettings how) {
    return with(
        new DeviceOptions(how, devices.startsDegraded, devices.mirror, devices.provisioning));
  }

  public EngineOptions withDeviceIo(DeviceIo how) {
    return withDevice(devices.settings.withReads(how));
  }

  public EngineOptions withStartsDegraded(boolean vouched) {
    return with(new DeviceOptions(devices.settings, vouched, devices.mirror, devices.provisioning));
  }

  public EngineOptions withMirror(@Nullable Path file) {
    return with(
        new DeviceOptions(devices.settings, devices.startsDegraded, file, devices.provisioning));
  }

  public EngineOptions withProvisioning(Provisioning how) {
    return with(new DeviceOptions(devices.settings, devices.startsDegraded, devices.mirror, how));
  }

  private EngineOptions with(LogOptions how) {
    return new EngineOptions(how, resources, cleaning, devices);
  }

  private EngineOptions with(ResourceOptions how) {
    return new EngineOptions(log, how, cleaning, devices);
  }

  private EngineOptions with(DeviceOptions how) {
    return new EngineOptions(log, resources, cleaning, how);
  }
}
