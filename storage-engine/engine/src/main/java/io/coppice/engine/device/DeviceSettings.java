package io.coppice.engine.device;

import java.time.Duration;

/// The settings for the use of a pool's devices.
///
/// | Component | Meaning |
/// |---|---|
/// | `reads` | how reads of hosts reach a device |
/// | `buffered` | whether a device is used that cannot be read and written past the page cache: a write that failed leaves its content there, where a later start takes it for stable |
/// | `deadline` | how long one of two devices may take for a call, 1 s to 1 h, before it is left out as one that has failed |
public record DeviceSettings(DeviceIo reads, boolean buffered, Duration deadline) {

  /// Least `deadline`.
  public static final Duration MIN_DEADLINE = Duration.ofSeconds(1);

  /// Most `deadline`.
  public static final Duration MAX_DEADLINE = Duration.ofHours(1);

  public DeviceSettings {
    if (deadline.compareTo(MIN_DEADLINE) < 0 || deadline.compareTo(MAX_DEADLINE) > 0) {
      throw new IllegalArgumentException(
          "expected a deadline of %s to %s for a device, got %s"
              .formatted(MIN_DEADLINE, MAX_DEADLINE, deadline));
    }
  }

  /// Queues where the device has them, past the page cache, 30 s.
  public static DeviceSettings defaults() {
    return new DeviceSettings(DeviceIo.AUTO, false, Duration.ofSeconds(30));
  }

  public DeviceSettings withReads(DeviceIo how) {
    return new DeviceSettings(how, buffered, deadline);
  }

  public DeviceSettings withBuffered(boolean allowed) {
    return new DeviceSettings(reads, allowed, deadline);
  }

  public DeviceSettings withDeadline(Duration most) {
    return new DeviceSettings(reads, buffered, most);
  }
}
