package io.coppice.scsi.unit;

/// The traffic that hosts read and wrote by SCSI commands.
///
/// | Component | Meaning |
/// |---|---|
/// | `reads`, `writes` | commands that were answered |
/// | `bytesRead`, `bytesWritten` | bytes that they were asked to move |
/// | `readNanos`, `writeNanos` | time from the begin of each command to its answer, added up |
/// | `readTime`, `writeTime` | time from the arrival of each command to its answer, by phase |
public record Traffic(
    long reads,
    long writes,
    long bytesRead,
    long bytesWritten,
    long readNanos,
    long writeNanos,
    IoTime readTime,
    IoTime writeTime) {

  public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0, 0, IoTime.NONE, IoTime.NONE);

  /// The sum of both.
  public Traffic plus(Traffic other) {
    return new Traffic(
        reads + other.reads,
        writes + other.writes,
        bytesRead + other.bytesRead,
        bytesWritten + other.bytesWritten,
        readNanos + other.readNanos,
        writeNanos + other.writeNanos,
        readTime.plus(other.readTime),
        writeTime.plus(other.writeTime));
  }
}
