package io.coppice.engine.device;

import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/// The medium below a device, where a write may find no place: a file system with a sparse file,
/// say. Safe for any thread, while the device is open.
public interface Medium {

  /// How sure a write there is to find its place.
  Backing backing(long offset, long length);

  /// Gives bytes their place, so that writes there do not end with [DeviceException.NoSpace].
  /// Whatever is stored there stays, unless the system knows no other way than to write: so nothing
  /// of worth may be there.
  ///
  /// @throws DeviceException.NoSpace if there is none for all of them
  void allocate(long offset, long length);

  /// Bytes that could still be allocated, about; others may take them.
  long available();

  /// Of several devices that hold the same: each of them needs the place.
  ///
  /// @param media those that there are at the moment
  static Medium ofAll(Supplier<List<Medium>> media) {
    return new Medium() {
      @Override
      public Backing backing(long offset, long length) {
        return media.get().stream()
            .map(each -> each.backing(offset, length))
            .min(Comparator.naturalOrder())
            .orElse(Backing.WRITTEN);
      }

      @Override
      public void allocate(long offset, long length) {
        for (Medium each : media.get()) {
          if (each.backing(offset, length) == Backing.HOLE) {
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
