package io.coppice.scsi.setting;

/// Limits of the device server.
///
/// | Component | Meaning |
/// |---|---|
/// | `transferInBytes` | longest READ, WRITE or compared VERIFY, 1 MiB to 64 MiB |
/// | `writeSameInBytes` | longest WRITE SAME, 1 MiB to 1 GiB |
/// | `unmapInBytes` | most bytes of one UNMAP, 1 MiB to 1 TiB |
/// | `unmapDescriptors` | most runs of one UNMAP, 1 to 4095 |
/// | `copyDevices` | most CSCD descriptors of one EXTENDED COPY, 8 to 64 |
/// | `copySegments` | most segments of one EXTENDED COPY, 64 to 1024 |
/// | `workers` | threads for commands that ask the engine something that may block, 1 to 16 |
/// | `waitingWork` | how many of those may wait at one unit before TASK SET FULL, 1 to 65536 |
/// | `goneInitiators` | initiators without a session whose counts of traffic are kept, 1 to 65536 |
public record ScsiLimits(
    int transferInBytes,
    int writeSameInBytes,
    long unmapInBytes,
    int unmapDescriptors,
    int copyDevices,
    int copySegments,
    int workers,
    int waitingWork,
    int goneInitiators) {

  private static final long MIB = 1L << 20;

  public ScsiLimits {
    check("transferInBytes", transferInBytes, MIB, 64 * MIB);
    check("writeSameInBytes", writeSameInBytes, MIB, 1024 * MIB);
    check("unmapInBytes", unmapInBytes, MIB, 1L << 40);
    check("unmapDescriptors", unmapDescriptors, 1, 4095);
    check("copyDevices", copyDevices, 8, 64);
    check("copySegments", copySegments, 64, 1024);
    check("workers", workers, 1, 16);
    check("waitingWork", waitingWork, 1, 65_536);
    check("goneInitiators", goneInitiators, 1, 65_536);
  }

  /// 4 MiB transfers, 16 MiB WRITE SAME, 512 MiB and 256 runs an UNMAP, 16 devices and 64 segments
  /// a copy, 2 workers, 256 waiting at a unit, 1024 initiators that are gone.
  public static ScsiLimits defaults() {
    return new ScsiLimits(4 << 20, 16 << 20, 512L << 20, 256, 16, 64, 2, 256, 1024);
  }

  /// Refuses a setting out of its range.
  static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "expected %s from %d to %d, got %d".formatted(name, least, most, value));
    }
  }
}
