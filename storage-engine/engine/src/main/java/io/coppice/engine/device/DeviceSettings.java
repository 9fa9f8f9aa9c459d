package io.coppice.engine.device;

/// How the devices of a pool are used.
///
/// | Component | Meaning |
/// |---|---|
/// | `reads` | how reads of hosts reach a device |
/// | `buffered` | whether a device is used that cannot be read and written past the page cache: a write that failed leaves its content there, where a later start takes it for stable |
public record DeviceSettings(DeviceIo reads, boolean buffered) {

  /// Queues where the device has them, past the page cache.
  public static DeviceSettings defaults() {
    return new DeviceSettings(DeviceIo.AUTO, false);
  }

  public DeviceSettings withReads(DeviceIo how) {
    return new DeviceSettings(how, buffered);
  }

  public DeviceSettings withBuffered(boolean allowed) {
    return new DeviceSettings(reads, allowed);
  }
}
