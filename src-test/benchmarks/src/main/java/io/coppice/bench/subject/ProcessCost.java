package io.coppice.bench.subject;

import io.coppice.harness.ProcessIo;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// The cost of this process so far, by the kernel's count.
///
/// @param cpu user and system time of all its threads
/// @param bytesWritten bytes it caused to be sent to storage
public record ProcessCost(Duration cpu, long bytesWritten) {

  public static ProcessCost now() {
    Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    long pid = ManagementFactory.getRuntimeMXBean().getPid();
    return new ProcessCost(cpu, ProcessIo.of(pid).bytesWritten());
  }

  public ProcessCost since(ProcessCost earlier) {
    return new ProcessCost(cpu.minus(earlier.cpu), bytesWritten - earlier.bytesWritten);
  }
}
