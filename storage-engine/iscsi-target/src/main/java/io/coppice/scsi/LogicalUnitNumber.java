package io.coppice.scsi;

/// The 8-byte LUN of a command, as it came (SAM-5 §4.7, Logical unit number), first byte first.
public record LogicalUnitNumber(long value) {

  /// The number that addresses LUN 0 in every form.
  public static final LogicalUnitNumber ZERO = new LogicalUnitNumber(0);

  @Override
  public String toString() {
    return "%016x".formatted(value);
  }
}
