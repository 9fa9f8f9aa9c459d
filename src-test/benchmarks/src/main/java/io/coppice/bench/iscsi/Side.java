package io.coppice.bench.iscsi;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/// A logical unit and the process that serves it.
///
/// @param port of its portal on loopback
/// @param target its name
/// @param pid of the serving process
record Side(int port, String target, int lun, long pid) {

  InetSocketAddress portal() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /// User and system time of the serving process so far, in ticks of 10 ms.
  Duration cpu() {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .orElseThrow(() -> new IllegalStateException("expected process %d to run".formatted(pid)));
  }
}
