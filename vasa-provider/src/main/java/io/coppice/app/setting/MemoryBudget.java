package io.coppice.app.setting;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import io.coppice.engine.core.EngineOptions;
import io.coppice.iscsi.setting.IscsiLimits;
import java.lang.management.ManagementFactory;

/// The memory that this process may come to use, added up (docs/operations.md, "Memory"). A start
/// whose settings do not fit is refused: memory that is missing later would end commands of hosts.
///
/// @param heap most bytes of the Java heap
/// @param direct most bytes of buffers outside of it (`-XX:MaxDirectMemorySize`)
/// @param maps bytes of `coppice.pool.map-memory`
/// @param machine bytes of the machine, or of the container
public record MemoryBudget(long heap, long direct, long maps, long machine) {

  private static final long MIB = 1 << 20;

  /// Data of commands that hosts send and are sent.
  static final long COMMANDS = IscsiLimits.defaults().commands().dataMemory();

  /// Whole blocks around partial writes of hosts, and comparisons. A command that finds no memory
  /// beyond this is refused alone.
  static final long RAGGED = COMMANDS / 4;

  /// Buffers of the engine's threads.
  static final long ENGINE = EngineOptions.defaults().bufferBytes();

  /// Memory of the network library around the data: PDUs under way, and chunks not quite full.
  static final long NETWORK = 128 * MIB;

  /// The budget of this process, with these settings.
  public static MemoryBudget of(CoppiceProperties settings) {
    long heap = Runtime.getRuntime().maxMemory();
    String option =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("MaxDirectMemorySize")
            .getValue();
    long direct = Long.parseLong(option);
    return new MemoryBudget(
        heap,
        direct == 0 ? heap : direct, // as the JDK does
        settings.pool().mapMemory().toBytes(),
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
  }

  /// Bytes of buffers outside of the heap, at most.
  static long buffers() {
    return COMMANDS + RAGGED + ENGINE + NETWORK;
  }

  /// @throws StartupException if it does not fit, with both figures
  public void require() {
    if (buffers() > direct) {
      throw new StartupException(
          "buffers take up to %d MiB outside of the Java heap, but -XX:MaxDirectMemorySize allows %d MiB: start with %d MiB or more (./coppice up sets 1 GiB; COPPICE_JAVA_OPTIONS overrides it)"
              .formatted(buffers() / MIB, direct / MIB, buffers() / MIB));
    }
    long sum = heap + direct + maps;
    if (sum > machine) {
      throw new StartupException(
          "the settings allow %d MiB of memory (Java heap %d, buffers %d, coppice.pool.map-memory %d), but there are %d MiB: lower -Xmx or coppice.pool.map-memory"
              .formatted(sum / MIB, heap / MIB, direct / MIB, maps / MIB, machine / MIB));
    }
  }
}
