package io.coppice.scsi.unit;

/// The numbers of ended commands by how long each phase took, for each class of [#bounds] and one
/// more for all that took longer.
///
/// | Component | Meaning |
/// |---|---|
/// | `device` | by the time of the device and the work for the command |
/// | `queue` | by the time of waiting for others |
/// | `limit` | by the time of being held back by a limit |
@SuppressWarnings("ArrayRecordComponent") // compared by nobody, and made for one reader
public record PhaseCounts(long[] device, long[] queue, long[] limit) {

  /// The upper bounds of all classes but the last, which belong to them, in nanoseconds.
  public static long[] bounds() {
    return PhaseHistograms.bounds();
  }
}
