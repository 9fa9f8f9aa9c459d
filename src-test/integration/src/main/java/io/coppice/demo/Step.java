package io.coppice.demo;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/// A step of the demo: its cost, and the container after it.
///
/// | Component | Meaning |
/// |---|---|
/// | `calls` | VASA calls made, in order |
/// | `wireBytes` | bytes of SCSI data that crossed iSCSI, both ways |
/// | `copyWireBytes` | for a snapshot, clone or revert: `wireBytes` without what the machine itself wrote meanwhile (its load, a new config vVol) and the capacity that a host asks for at each bind; empty for every other step |
/// | `deviceBytes` | bytes the kernel counts as written by the provider process |
/// | `countedBytes` | bytes the engine counts as written to its devices |
/// | `digest` | SHA-256 of the disk after the step; empty if the step did not look |
record Step(
    String name,
    Duration elapsed,
    List<Call> calls,
    long wireBytes,
    OptionalLong copyWireBytes,
    long deviceBytes,
    long countedBytes,
    ContainerState container,
    String digest) {

  Step {
    calls = List.copyOf(calls);
  }

  /// One VASA call.
  record Call(String operation, Duration latency, String outcome) {}

  /// A storage container at one moment.
  ///
  /// @param vms virtual machines whose vVols it holds
  /// @param provisioned bytes of address space sold
  /// @param used bytes stored
  /// @param free bytes that thin writes may still take
  record ContainerState(int vms, long provisioned, long used, long free) {}
}
