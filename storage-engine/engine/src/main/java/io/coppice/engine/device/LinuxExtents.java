package io.coppice.engine.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The map of where a file has its bytes, by `ioctl(FS_IOC_FIEMAP)` and `fallocate(2)`. `SEEK_DATA`
/// would not do: it does not tell unwritten parts from parts without a place.
final class LinuxExtents {

  private static final long FIEMAP = 0xc020_660bL;
  private static final int HEADER = 32;
  private static final int EXTENT = 56;

  /// Most extents that one call returns.
  private static final int EXTENTS = 64;

  private static final int NO_PLACE_YET = 0x2 | 0x4; // FIEMAP_EXTENT_UNKNOWN, _DELALLOC
  private static final int UNWRITTEN = 0x800;

  private static final int ENOSYS = 38;
  private static final int EOPNOTSUPP = 95;

  private static final MethodHandle IOCTL =
      LinuxCalls.call(
          "ioctl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FALLOCATE =
      LinuxCalls.call(
          "fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));

  private LinuxExtents() {}

  /// [AllocationState#UNKNOWN] if the file system does not say.
  static AllocationState backing(int file, long from, long length) throws Throwable {
    LinuxCalls.Scratch scratch = LinuxCalls.scratch();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment map = arena.allocate(HEADER + (long) EXTENT * EXTENTS, 8);
      boolean written = true;
      long end = from + length;
      for (long at = from; at < end; ) {
        map.set(JAVA_LONG, 0, at);
        map.set(JAVA_LONG, 8, end - at);
        map.set(JAVA_LONG, 16, 0);
        map.set(JAVA_INT, 24, EXTENTS);
        if ((int) IOCTL.invokeExact(scratch.state, file, FIEMAP, map.address()) != 0) {
          return AllocationState.UNKNOWN;
        }
        int found = map.get(JAVA_INT, 20);
        if (found == 0) {
          return AllocationState.HOLE;
        }
        for (int i = 0; i < found; i++) {
          long extent = HEADER + (long) EXTENT * i;
          int flags = map.get(JAVA_INT, extent + 40);
          if (map.get(JAVA_LONG, extent) > at || (flags & NO_PLACE_YET) != 0) {
            return AllocationState.HOLE;
          }
          written &= (flags & UNWRITTEN) == 0;
          at = map.get(JAVA_LONG, extent) + map.get(JAVA_LONG, extent + 16);
        }
      }
      return written ? AllocationState.WRITTEN : AllocationState.ALLOCATED;
    }
  }

  /// @return false if the file system has no such thing
  static boolean allocate(int file, long from, long length) throws Throwable {
    LinuxCalls.Scratch scratch = LinuxCalls.scratch();
    while ((int) FALLOCATE.invokeExact(scratch.state, file, 0, from, length) != 0) {
      int errno = scratch.errno();
      if (errno == EOPNOTSUPP || errno == ENOSYS) {
        return false;
      }
      if (errno != LinuxCalls.EINTR) {
        IOException failed = LinuxCalls.failed(scratch);
        throw failed;
      }
    }
    return true;
  }
}
