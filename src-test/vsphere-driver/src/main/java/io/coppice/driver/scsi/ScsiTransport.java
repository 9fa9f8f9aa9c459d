package io.coppice.driver.scsi;

import java.util.concurrent.CompletableFuture;

/// Carries commands to logical units. Implementations are safe for use by several threads.
public interface ScsiTransport {
  /// Sends a command; waits only while the target's command window is full.
  ///
  /// The future ends with a result whatever the SCSI status is, and with an exception when the
  /// transport failed: then it is not known whether the command took effect.
  CompletableFuture<ScsiResult> submit(ScsiRequest request);

  /// Sends a command and waits for its end.
  ///
  /// @throws TransportException if the transport failed or the command's time ran out
  ScsiResult execute(ScsiRequest request);
}
