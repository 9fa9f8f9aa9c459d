package io.coppice.engine.device;

import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/// The medium below a device, where a write may find no place: for example a file system with a
/// sparse file. Safe for any thread while the device is open.
public interface Medium {

  /// The certainty that a write there finds its place.
  AllocationState backing(long offset, long length);

  /// Gives bytes their place, so that writes there do not end with [DeviceException.NoSpace].
  /// Stored content stays, unless the system knows no other way than to write. So nothing of worth
  /// may be there.
  ///
  /// @throws DeviceException.NoSpace if there is no place for all of them
  void allocate(long offset, long length);

  /// Approximate bytes that could still be allocated; others may take them.
  long available();

  /// The medium of several devices that hold the same: each of them needs the place.
  ///
  /// @param media the present ones
  static Medium ofAll(Supplier<List<Medium>> media) {
    return new Medium() {
      @Override
      public AllocationState backing(long offset, long length) {
        return media.get().stream()
            .map(each -> each.backing(offset, length))
            .min(Comparator.naturalOrder())
            .orElse(AllocationState.WRITTEN);
      }

      @Override
      public void allocate(long offset, long length) {
        for (Medium each : media.get()) {
          if (each.backing(offset, length) == AllocationState.HOLE) {
            each.allocate(offset, length);
          }
        }
      }

      @Override
      public long available() {
        return media.get().stream().mapToLong(Medium::available).min().orElse(Long.MAX_VALUE);
      }
    };
  }
}
