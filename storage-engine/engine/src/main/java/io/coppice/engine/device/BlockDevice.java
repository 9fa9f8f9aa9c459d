package io.coppice.engine.device;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A run of bytes that survives a crash once it was synced.
///
/// Offsets and lengths are multiples of [#BLOCK_SIZE]; buffers are direct and start at a multiple
/// of it in memory (see [AlignedBuffers]). Safe for any thread. Before a sync, any 512-byte sector
/// of an unsynced write may, after a crash, be old, new or torn from its neighbours, in any order.
public interface BlockDevice extends AutoCloseable {

  /// Unit of transfer, in bytes.
  int BLOCK_SIZE = 4096;

  /// Usable size in bytes, a multiple of [#BLOCK_SIZE]; fixed while the device is open.
  long sizeInBytes();

  /// Fills `into` from `offset`.
  ///
  /// @throws DeviceException if it cannot be read in full
  void read(long offset, ByteBuffer into);

  /// Writes all buffers one after the other from `offset` on. Not stable before the next [#sync].
  ///
  /// @throws DeviceException if it cannot be written in full; what is stored there is then
  ///   undefined
  /// @throws DeviceException.NoSpace if that is because there is no place for it
  void write(long offset, List<ByteBuffer> from);

  /// Makes everything written before this call stable. After a failure nothing that was not stable
  /// before may be taken to be, and the call must not be repeated: the kernel may have dropped the
  /// pages.
  ///
  /// @throws DeviceException if the device says that it failed
  void sync();

  /// As [#write] and then [#sync] of at least these bytes, in one step where the device can.
  ///
  /// @throws DeviceException as both
  void writeStable(long offset, List<ByteBuffer> from);

  /// Whether a thread may be interrupted while it is in a call. If not, an interrupt would close
  /// the device, and only threads that nothing interrupts may call.
  default boolean toleratesInterrupts() {
    return true;
  }

  /// The medium below, if a write may end with [DeviceException.NoSpace] because its place was not
  /// allocated before.
  ///
  /// @return null if everything always has its place
  default @Nullable Medium medium() {
    return null;
  }

  /// One of several places that hold the same bytes.
  ///
  /// @param number of the device, from 0 on
  /// @param name for people, as the end of a phrase; empty if there never is another one
  /// @param device that place alone, for callers that can tell which content is right there
  record Copy(int number, String name, BlockDevice device) {

    /// Whether there is never another one.
    public boolean isOnly() {
      return name.isEmpty();
    }
  }

  /// Every place that holds all of this now: one, or two of a [Mirror].
  default List<Copy> copies() {
    return List.of(new Copy(0, "", this));
  }

  /// Places that do not hold all of this, and may still have data that the [#copies] have lost.
  /// Data from there counts only if something on a copy gives its checksum. They are only read.
  default List<Copy> reserves() {
    return List.of();
  }

  /// Whether a device that was among the [#copies] still is. A device that was left out since is
  /// not, and counts for nothing.
  ///
  /// @param number of the device
  default boolean hasCopy(int number) {
    return copies().stream().anyMatch(copy -> copy.number() == number);
  }

  /// A queue for reads, to be closed before this is closed. If there are several [#copies], each of
  /// them has its own, and this has none.
  ///
  /// @return null if a queue makes reads no faster
  default @Nullable ReadQueue readQueue() {
    return null;
  }

  @Override
  void close();
}
